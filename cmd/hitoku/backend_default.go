package main

import (
	_ "github.com/hitoku/hitoku/lp/gonum"
	_ "github.com/hitoku/hitoku/lp/simplex"
)
