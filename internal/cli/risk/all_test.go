package risk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/release"
	"github.com/hitoku/hitoku/risk"
)

// TestGaps has files some of whose sensitive values are missing: t is what a release of them claims, and is verified by.
func TestGaps(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gaps.csv")
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 36))
		var b strings.Builder
		b.WriteString("region,disease\n")
		for range 10 + rng.IntN(40) {
			fmt.Fprintf(&b, "%d,%s\n", rng.IntN(4), []string{"", "", "flu", "cold", "gout"}[rng.IntN(5)])
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		claim, _, err := release.Measure(t.Context(), path, risk.Layout{}, []string{"region"}, []string{"disease"}, []risk.Distance{risk.Equal})
		if err != nil {
			t.Fatal(err)
		}
		cmd, out := newRiskAll(), &bytes.Buffer{}
		cmd.SetContext(t.Context())
		cmd.SetOut(out)
		cmd.SetErr(io.Discard)
		cmd.SetArgs([]string{path, "--qi", "region", "--sensitive", "disease", "--json"})
		_ = cmd.Execute() // whose limits are not what is asked for
		var got document.Summary
		if err := json.NewDecoder(out).Decode(&got); err != nil {
			t.Fatal(err)
		}
		for _, f := range got.Figures {
			if f.Measure != "t-closeness: t" {
				continue
			}
			r, _ := new(big.Rat).SetString(claim.Sensitive[0].T)
			want, _ := r.Float64()
			if have, _ := f.Value.Get(); math.Abs(have-want) > 1e-12 {
				t.Errorf("%d: t is %g, and the claim of a release %g", seed, have, want)
			}
		}
	}
}
