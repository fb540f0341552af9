// Package all registers every LP back end that a build can have: simplex and
// gonum always, clp, clpdl and lpsolve under the build tags of their names. Import it for
// its side effect.
package all

import (
	_ "github.com/hitoku/hitoku/lp/gonum"   // small models only
	_ "github.com/hitoku/hitoku/lp/simplex" // the default
)
