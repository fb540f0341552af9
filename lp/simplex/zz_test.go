package simplex
import ("testing";"github.com/hitoku/hitoku/lp/lptest";"github.com/hitoku/hitoku/lp")
func BenchmarkTables(b *testing.B) { lptest.Bench(b, func() (lp.Solver, error) { return lp.Open("simplex") }, 0) }
