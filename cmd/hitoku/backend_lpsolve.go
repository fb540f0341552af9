//go:build lpsolve

package main

import _ "github.com/hitoku/hitoku/lp/lpsolve"
