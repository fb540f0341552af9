//go:build clp && cgo

package main

import _ "github.com/hitoku/hitoku/lp/clp"
