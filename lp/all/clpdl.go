//go:build clpdl && (linux || darwin)

package all

import _ "github.com/hitoku/hitoku/lp/clpdl" // COIN-OR Clp, opened at run time
