package batch

import (
	"testing"

	"github.com/hitoku/hitoku/internal/test/memtest"
)

func FuzzJob(f *testing.F) {
	f.Add("inputs = [\"a.csv\"]\noutput = \"o\"\noptions = { below = 5 }\n[[override]]\nmatch = \"a*\"\n[override.options]\nbelow = 3\n")
	f.Add("a.b.\"c\" = 1.5 # x\nb = '''\n'''\n")
	f.Fuzz(func(t *testing.T, text string) {
		memtest.Bound(t, len(text), 8<<20, 20_000, func() { parseJob("j.toml", []byte(text)) })
	})
}
