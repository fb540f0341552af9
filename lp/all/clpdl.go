//go:build clpdl && (linux || darwin)

package all

import _ "github.com/hitoku/hitoku/lp/internal/clpdl" // COIN-OR Clp, opened at run time
