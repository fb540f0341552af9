//go:build lpsolve && cgo

package main

import _ "github.com/hitoku/hitoku/lp/lpsolve"
