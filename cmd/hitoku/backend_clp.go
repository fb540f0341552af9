//go:build clp

package main

import _ "github.com/hitoku/hitoku/lp/clp"
