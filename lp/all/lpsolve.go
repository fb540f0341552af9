//go:build lpsolve && cgo

package all

import _ "github.com/hitoku/hitoku/lp/lpsolve" // lp_solve 5.5
