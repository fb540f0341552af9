package tables

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/formats"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/table"
)

// A twin is one of two tables of an office that differ in what is withheld alone: a crossing of rows and columns with margins, whose last row and column are totals.
type twin struct {
	rows, cols, decimals int
	value                []int64
}

// at is the number of a cell.
func (w *twin) at(r, c int) int { return r*(w.cols+1) + c }

// drawTwins draws two tables and the cells in which they differ: the corners of a rectangle of inner cells, sometimes also an inner cell with all its totals.
// With decimals the numbers that both have are whole.
func drawTwins(t *rapid.T, decimals int) (a, b *twin, differ []bool) {
	a = &twin{rows: rapid.IntRange(2, 4).Draw(t, "rows"), cols: rapid.IntRange(2, 3).Draw(t, "columns"), decimals: decimals}
	n, unit := (a.rows+1)*(a.cols+1), table.Pow10(decimals)
	a.value = make([]int64, n)
	for r := range a.rows {
		for c := range a.cols {
			v := rapid.Int64Range(1, 9).Draw(t, "value") * unit
			for _, i := range []int{a.at(r, c), a.at(a.rows, c), a.at(r, a.cols), a.at(a.rows, a.cols)} {
				a.value[i] += v
			}
		}
	}
	b, differ = &twin{a.rows, a.cols, decimals, append([]int64(nil), a.value...)}, make([]bool, n)
	pair := func(n int, label string) (int, int) {
		i := rapid.IntRange(0, n-2).Draw(t, label)
		return i, rapid.IntRange(i+1, n-1).Draw(t, label)
	}
	move := func(plus, minus []int) {
		lo, up := int64(-40)*unit, 40*unit
		for _, i := range plus {
			lo = max(lo, -a.value[i], -b.value[i])
		}
		for _, i := range minus {
			up = min(up, a.value[i], b.value[i])
		}
		s := rapid.Int64Range(lo, up).Draw(t, "shift")
		other := rapid.Int64Range(lo, up-1).Draw(t, "shift of the twin")
		if other >= s {
			other++
		}
		for w, s := range map[*twin]int64{a: s, b: other} {
			for _, i := range plus {
				w.value[i] += s
				differ[i] = true
			}
			for _, i := range minus {
				w.value[i] -= s
				differ[i] = true
			}
		}
	}
	r, s := pair(a.rows, "row")
	c, d := pair(a.cols, "column")
	move([]int{a.at(r, c), a.at(s, d)}, []int{a.at(r, d), a.at(s, c)})
	if rapid.IntRange(0, 5).Draw(t, "totals") == 2 {
		move([]int{a.at(r, c), a.at(a.rows, c), a.at(r, a.cols), a.at(a.rows, a.cols)}, nil)
	}
	return a, b, differ
}

// A look is how a file shows the cells of two tables that are twins.
type look struct {
	hidden, blank []bool // withheld; without their value even in the office's file
	status        []string
	lower, upper  []int64 // intervals that are told of withheld cells, −1: none
	counts        bool
}

func drawLook(t *rapid.T, a, b *twin, differ []bool, more, intervals bool) *look {
	n := len(differ)
	l := &look{hidden: make([]bool, n), blank: make([]bool, n), status: make([]string, n), lower: make([]int64, n), upper: make([]int64, n)}
	for i := range n {
		l.lower[i], l.upper[i] = -1, -1
		l.hidden[i] = differ[i] || more && rapid.IntRange(0, 5).Draw(t, "withheld") == 2
		if !l.hidden[i] {
			continue
		}
		l.status[i] = rapid.SampledFrom([]string{"u", "m"}).Draw(t, "status")
		if !intervals {
			continue
		}
		unit := table.Pow10(a.decimals)
		if rapid.Bool().Draw(t, "lower end") {
			l.lower[i] = max(0, min(a.value[i], b.value[i])/unit-rapid.Int64Range(0, 3).Draw(t, "below")) * unit
		}
		if rapid.Bool().Draw(t, "upper end") {
			l.upper[i] = ((max(a.value[i], b.value[i])+unit-1)/unit + rapid.Int64Range(0, 3).Draw(t, "above")) * unit
		}
	}
	return l
}

// text is the file of w.
func (l *look) text(w *twin) string {
	var out strings.Builder
	value := "value"
	if l.counts {
		value = "freq"
	}
	fmt.Fprintf(&out, "row,col,%s,status,lower,upper\n", value)
	code := func(k, total int, letter string) string {
		if k == total {
			return "Total"
		}
		return fmt.Sprint(letter, k)
	}
	number := func(v int64) string {
		if v < 0 {
			return ""
		}
		return table.FormatDecimal(v, w.decimals)
	}
	for r := range w.rows + 1 {
		for c := range w.cols + 1 {
			i := w.at(r, c)
			v := table.FormatDecimal(w.value[i], w.decimals)
			if !l.hidden[i] {
				v = formats.Short(w.value[i], w.decimals)
			}
			if l.blank[i] {
				v = ""
			}
			fmt.Fprintf(&out, "%s,%s,%s,%s,%s,%s\n", code(r, w.rows, "r"), code(c, w.cols, "c"), v, l.status[i], number(l.lower[i]), number(l.upper[i]))
		}
	}
	return out.String()
}

// clock is what depends on it.
var clock = regexp.MustCompile(`"seconds":[^,}]*`)

// said is what a command prints and writes to out.csv in a folder.
func said(t *rapid.T, dir, args string) string {
	var words []string
	for _, w := range strings.Fields(args) {
		if strings.HasSuffix(w, ".csv") || strings.HasSuffix(w, ".toml") {
			w = filepath.Join(dir, w)
		}
		words = append(words, w)
	}
	var text bytes.Buffer
	cmd := map[string]func() *cobra.Command{"fill": NewFill, "attack": NewAttack, "audit": NewAudit, "ledger": NewLedger}[words[0]]()
	cmd.SetArgs(words[1:])
	cmd.SetOut(&text)
	cmd.SetErr(&text)
	cmd.SilenceUsage = true
	code := cmd.Execute()
	out, err := os.ReadFile(filepath.Join(dir, "out.csv"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return fmt.Sprintf("%v\n%s%s", code, clock.ReplaceAll(text.Bytes(), nil), out)
}

// TestTwins asks of every reader's verb that an office's table and its twin, with the same publication and other values withheld, give the same bytes. Each table of a pair stands in files of the same names.
func TestTwins(t *testing.T) {
	t.Parallel()
	for name, draw := range map[string]func(t *rapid.T) (args []string, files func(w *twin) map[string]string, a, b *twin){
		"fill": func(t *rapid.T) ([]string, func(w *twin) map[string]string, *twin, *twin) {
			a, b, differ := drawTwins(t, rapid.IntRange(0, 1).Draw(t, "decimals"))
			l := drawLook(t, a, b, differ, true, true)
			return []string{rapid.SampledFrom([]string{"fill a.csv --json", "fill a.csv -o out.csv", "fill a.csv --seed 7"}).Draw(t, "command")}, l.single, a, b
		},
		"attack": func(t *rapid.T) ([]string, func(w *twin) map[string]string, *twin, *twin) {
			a, b, differ := drawTwins(t, 0)
			for r := range a.rows { // no other cell is sensitive, so that an office may well have withheld these
				for c := range a.cols {
					for _, i := range []int{a.at(r, c), a.at(a.rows, c), a.at(r, a.cols), a.at(a.rows, a.cols)} {
						if !differ[a.at(r, c)] {
							a.value[i], b.value[i] = a.value[i]+3, b.value[i]+3
						}
					}
				}
			}
			l := drawLook(t, a, b, differ, rapid.IntRange(0, 4).Draw(t, "more") == 2, rapid.Bool().Draw(t, "intervals"))
			args := "attack a.csv --width 1 " + rapid.SampledFrom([]string{"--cost count", "--cost value", "--match exact --cost count"}).Draw(t, "cost")
			if l.counts = rapid.Bool().Draw(t, "counts"); l.counts {
				args += " --below 3"
			}
			return []string{args, args + " --json"}, l.single, a, b
		},
		"audit": func(t *rapid.T) ([]string, func(w *twin) map[string]string, *twin, *twin) {
			a, b, differ := drawTwins(t, rapid.IntRange(0, 1).Draw(t, "decimals"))
			l, beside := drawLook(t, a, b, differ, true, true), drawLook(t, a, b, differ, true, true)
			blank := -1 // a table as readers have it lacks some value
			for i, h := range l.hidden {
				if l.blank[i] = h && rapid.Bool().Draw(t, "blank"); h {
					blank = i
				}
			}
			l.blank[blank] = true
			args := "audit a.csv --width 3 " + rapid.SampledFrom([]string{"", "--insider", "--published b.csv", "--integer"}).Draw(t, "flags")
			files := func(w *twin) map[string]string { return map[string]string{"a.csv": l.text(w), "b.csv": beside.text(w)} }
			return []string{args, args + " --json"}, files, a, b
		},
		"ledger check": func(t *rapid.T) ([]string, func(w *twin) map[string]string, *twin, *twin) {
			a, b, differ := drawTwins(t, rapid.IntRange(0, 1).Draw(t, "decimals"))
			one, two := drawLook(t, a, b, differ, true, true), drawLook(t, a, b, differ, true, true)
			book := rapid.SampledFrom([]string{
				"[[release]]\nfile = \"a.csv\"\n[[release]]\nfile = \"b.csv\"\n",
				"change = [\"50%\"]\n[[release]]\nfile = \"a.csv\"\nperiod = \"2023\"\n[[release]]\nfile = \"b.csv\"\nperiod = \"2024\"\n",
				"[[release]]\nfile = \"a.csv\"\n[[release]]\nfile = \"b.csv\"\nrevision = true\n",
			}).Draw(t, "ledger")
			files := func(w *twin) map[string]string {
				return map[string]string{"a.csv": one.text(w), "b.csv": two.text(w), "l.toml": book}
			}
			args := "ledger check l.toml" + rapid.SampledFrom([]string{"", " --width 3"}).Draw(t, "width")
			return []string{args, args + " --json"}, files, a, b
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			rapid.Check(t, func(t *rapid.T) {
				commands, files, a, b := draw(t)
				for _, args := range commands {
					var texts []string
					for _, w := range []*twin{a, b} {
						_ = os.Remove(filepath.Join(dir, "out.csv"))
						for file, text := range files(w) {
							if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
								t.Fatal(err)
							}
						}
						texts = append(texts, said(t, dir, args))
					}
					if texts[0] != texts[1] {
						t.Fatalf("hitoku %s on\n%v\n%s\nand on its twin\n%v\n%s", args, files(a), texts[0], files(b), texts[1])
					}
				}
			})
		})
	}
}

// single is the file alone.
func (l *look) single(w *twin) map[string]string { return map[string]string{"a.csv": l.text(w)} }
