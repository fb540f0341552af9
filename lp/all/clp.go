//go:build clp && cgo

package all

import _ "github.com/hitoku/hitoku/lp/clp" // COIN-OR Clp
