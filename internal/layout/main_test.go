package layout

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// TestMain draws the same tables in each run. Others are searched by -rapid.seed and
// -rapid.checks; the seed 0 is a fresh one.
func TestMain(m *testing.M) {
	flag.Parse()
	seeded := os.Getenv("RAPID_SEED") != ""
	flag.Visit(func(f *flag.Flag) { seeded = seeded || f.Name == "rapid.seed" })
	if !seeded {
		if err := flag.Set("rapid.seed", "1"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	os.Exit(m.Run())
}
