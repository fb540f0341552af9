package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/methods/cellkey"
	"github.com/hitoku/hitoku/table"
)

// A shown is what a publication says of a cell: a number, or that it is withheld; and the bounds that follow from
// that alone.
type shown struct {
	number   float64
	withheld bool
	lo, hi   int64 // hi < 0: none
}

// A method is a row of docs/compare-methods.md.
type method struct {
	name, command string
	before        string // a command that goes before
	// say makes of the files in the working folder what is said of a cell by its codes.
	say func(t *testing.T, read func(file string) map[string]string) func(codes string) shown
	// additive says that sums of published numbers hold.
	additive bool
	// noise: no interval follows, as every record, or every cell, may be another.
	noise bool
}

// exact is what is said of a cell that is published as it is, "" for withheld.
func exact(text string, there bool) shown {
	if !there {
		return shown{}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return shown{withheld: true, hi: -1}
	}
	return shown{number: float64(n), lo: n, hi: n}
}

// suppressed reads out.csv, where cells without a value are withheld.
func suppressed(_ *testing.T, read func(string) map[string]string) func(string) shown {
	out := read("out.csv")
	return func(codes string) shown {
		v, ok := out[codes]
		return exact(v, ok)
	}
}

// keyed reads out.csv, whose noise ptable.csv has; of additive tables only cells without others below them are bound.
func keyed(additive bool) func(*testing.T, func(string) map[string]string) func(string) shown {
	return func(t *testing.T, read func(string) map[string]string) func(string) shown {
		out := read("out.csv")
		f := must.Get(cellkey.Read("ptable.csv"))(t)
		return func(codes string) shown {
			n, _ := strconv.ParseInt(out[codes], 10, 64)
			s := shown{number: float64(n)}
			s.lo, s.hi, _ = f.Counts.Preimage(n)
			if region, _, _ := strings.Cut(codes, "/"); additive && (len(region) != 2 || strings.HasSuffix(codes, "/Total")) {
				s.lo, s.hi = 0, -1
			}
			return s
		}
	}
}

// between reads a file with intervals for some cells, and out.csv with what stands for them.
func between(file string) func(*testing.T, func(string) map[string]string) func(string) shown {
	return func(t *testing.T, read func(string) map[string]string) func(string) shown {
		out, ends := read("out.csv"), map[string]shown{}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		lower, upper := slices.Index(lines[0], "lower"), slices.Index(lines[0], "upper")
		for _, l := range lines[1:] {
			if l[2] != "" {
				continue
			}
			s := shown{}
			s.lo, _ = strconv.ParseInt(l[lower], 10, 64)
			if s.hi, err = strconv.ParseInt(l[upper], 10, 64); err != nil {
				t.Fatal(l)
			}
			ends[l[0]+"/"+l[1]] = s
		}
		return func(codes string) shown {
			v, there := out[codes]
			s := exact(v, there)
			if e, ok := ends[codes]; ok {
				s.lo, s.hi = e.lo, e.hi
			}
			return s
		}
	}
}

// rounded reads out.csv, in which a cell lies less than a base from its true count, and a multiple of it may be true; of small
// counts this holds for cells without others below them, of which what is between the multiples is true, and margins are their sums.
func rounded(base int64, small bool) func(*testing.T, func(string) map[string]string) func(string) shown {
	return func(t *testing.T, read func(string) map[string]string) func(string) shown {
		out := read("out.csv")
		return func(codes string) shown {
			n, _ := strconv.ParseInt(out[codes], 10, 64)
			s := shown{number: float64(n), lo: max(0, n-base+1), hi: n + base - 1}
			if !small {
				return s
			}
			switch region, age, _ := strings.Cut(codes, "/"); {
			case len(region) != 2 || age == "Total":
				s.lo, s.hi = 0, -1
			case n > base:
				s.lo, s.hi = n, n
			case n == base:
				s.lo, s.hi = 1, base
			default:
				s.lo, s.hi = 0, base-1
			}
			return s
		}
	}
}

const sensitiveFlags = "t.csv --hierarchy region=t.region.hrc --below 3 --width 2"

var methods = []method{
	{name: "nothing", command: "tabulate persons.csv … -o out.csv", additive: true, say: suppressed},
	{name: "suppression", command: "suppress " + sensitiveFlags + " --cost value --margins publish -o out.csv", additive: true, say: suppressed},
	{name: "suppression, defence `simulatable`", command: "suppress " + sensitiveFlags + " --cost count --margins publish --defence simulatable -o out.csv", additive: true, say: suppressed},
	{name: "suppression, defence `random`", command: "suppress " + sensitiveFlags + " --cost count --margins publish --defence random --seed-file secret --defence-orders 2 -o out.csv", additive: true, say: suppressed},
	{name: "partial suppression", command: "suppress " + sensitiveFlags + " --margins publish --partial --ends plain -o out.csv", additive: true, say: between("out.csv")},
	{name: "the same, filled in", before: "suppress " + sensitiveFlags + " --margins publish --partial --ends plain -o partial.csv", command: "fill partial.csv -o out.csv", additive: true, say: between("partial.csv")},
	{name: "controlled rounding to 3", command: "round t.csv --hierarchy region=t.region.hrc --base 3 -o out.csv", additive: true, say: rounded(3, false)},
	{name: "small counts rounded to 3", command: "round t.csv --hierarchy region=t.region.hrc --base 3 --kind small -o out.csv", additive: true, say: rounded(3, true)},
	{name: "controlled adjustment", command: "adjust t.csv --hierarchy region=t.region.hrc --below 3 --lpl 1 --upl 2 -o out.csv", additive: true, noise: true, say: suppressed},
	{name: "cell keys, D = 2, V = 1", command: "cellkey persons.csv --table dims␣region,age --levels region=1,1 --id id --seed-file secret --max-noise 2 --variance 1 --ptable-out ptable.csv --attack --json -o out.csv", say: keyed(false)},
	{name: "cell keys, D = 5, V = 3, no 1 and 2", command: "cellkey persons.csv --table dims␣region,age --levels region=1,1 --id id --seed-file secret --max-noise 5 --variance 3 --threshold 2 --ptable-out ptable.csv --attack --json -o out.csv", say: keyed(false)},
	{name: "the same, added up", command: "cellkey persons.csv --table dims␣region,age --levels region=1,1 --id id --seed-file secret --max-noise 5 --variance 3 --threshold 2 --ptable-out ptable.csv --additive --json -o out.csv", additive: true, say: keyed(true)},
	{name: "PRAM of region and age, ρ = 0.8", command: "risk mix", additive: true, noise: true, say: suppressed},
}

// persons by region and age, as tabulate counts them.
const tabulateFlags = "--table dims␣region,age --levels region=1,1 --min-freq 3"

// arguments are the words of a command; ␣ is a blank within one.
func arguments(command string) []string {
	words := strings.Fields(command)
	for k := range words {
		words[k] = strings.ReplaceAll(words[k], "␣", " ")
	}
	return words
}

// TestCompareMethods compares the table of docs/compare-methods.md with what the commands make. With -update it writes it instead.
func TestCompareMethods(t *testing.T) {
	const page = "../../docs/compare-methods.md"
	text := must.Get(os.ReadFile(page))(t)
	path := must.Get(filepath.Abs(page))(t)
	persons := must.Get(os.ReadFile("../../testdata/microdata/persons.csv"))(t)
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{"persons.csv": string(persons), "secret": strings.Repeat("0123456789abcdef", 4) + "\n"} {
		must.Do(t, os.WriteFile(name, []byte(content), 0o600))
	}
	command(t, "tabulate persons.csv "+tabulateFlags+" -o t.csv")
	counted, err := os.ReadFile("t.csv") // the number of all persons is published in any case
	if err == nil {
		err = os.WriteFile("t.csv", bytes.Replace(counted, []byte("Total,Total,420,s,"), []byte("Total,Total,420,z,"), 1), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	in := must.Get(formats.Read("t.csv", formats.Options{Hierarchies: map[string]string{"region": "t.region.hrc"}}))(t)
	var b strings.Builder
	b.WriteString("| method | command | changed | error | interval | disclosed | guessed | adds up |\n|---|---|---|---|---|---|---|---|\n")
	for _, m := range methods {
		b.WriteString(m.row(t, in.Table))
	}
	const begin, end = "<!-- methods -->\n", "<!-- end of methods -->"
	head, rest, ok := strings.Cut(string(text), begin)
	shown, tail, ok2 := strings.Cut(rest, end)
	switch {
	case !ok || !ok2:
		t.Fatal("no place for the table")
	case shown == b.String():
	case *update:
		must.Do(t, os.WriteFile(path, []byte(head+begin+b.String()+end+tail), 0o666))
	default:
		t.Errorf("the table is not what the commands make; -update writes it:\n%s", b.String())
	}
}

// command runs one and returns what it prints.
func command(t *testing.T, text string) string {
	t.Helper()
	var out, words bytes.Buffer
	if code := run(arguments(text), strings.NewReader(""), &out, &words); code == cli.Usage {
		t.Fatalf("%s: %s", text, words.String())
	}
	return out.String()
}

// countsIn reads a table of regions and ages: freq by codes.
func countsIn(t *testing.T, file string) map[string]string {
	t.Helper()
	f := must.Get(os.Open(file))(t)
	defer f.Close()
	lines := must.Get(csv.NewReader(f).ReadAll())(t)
	cells := map[string]string{}
	for _, l := range lines[1:] {
		cells[l[0]+"/"+l[1]] = l[2]
	}
	return cells
}

// row runs a method and measures it.
func (m *method) row(t *testing.T, truth *table.Table) string {
	t.Helper()
	for _, f := range []string{"out.csv", "out.region.hrc", "partial.region.hrc"} { // a tree beside an input is one, too
		must.Do(t, os.RemoveAll(f))
	}
	printed := ""
	switch {
	case m.name == "nothing":
		command(t, "tabulate persons.csv "+tabulateFlags+" -o out.csv")
	case m.command == "risk mix":
		m.command = "risk mix persons.csv --attribute region,age --rho 0.8 --seed-file secret -o noisy.csv"
		command(t, "risk mix persons.csv --attribute region,age --rho 0.8 --seed-file secret -o noisy.csv")
		command(t, "tabulate noisy.csv "+tabulateFlags+" -o out.csv")
	default:
		if m.before != "" {
			command(t, m.before)
		}
		start := time.Now()
		printed = command(t, m.command)
		t.Logf("%s: %.2f s", m.name, time.Since(start).Seconds())
	}
	said := m.say(t, func(file string) map[string]string { return countsIn(t, file) })
	lo, hi := m.intervals(t, truth, said)
	estimate := estimates(t, printed)
	changed, errors, width, disclosed, guessed, small := 0, 0.0, 0.0, 0, 0, 0
	for i := range truth.Len() {
		n := truth.Value[i]
		s := said(truth.CellName(i))
		at := s.number
		if s.withheld {
			at = float64(lo[i]+hi[i]) / 2
		}
		if s.withheld || at != float64(n) {
			changed++
		}
		errors += math.Abs(at - float64(n))
		if n == 0 || n > 2 {
			continue
		}
		small++
		if e, ok := estimate[truth.CellName(i)]; ok {
			at = e
		}
		if math.Round(at) == float64(n) {
			guessed++
		}
		if !m.noise {
			width += float64(hi[i] - lo[i])
			if lo[i] == hi[i] {
				disclosed++
			}
		}
	}
	yes := map[bool]string{true: "yes", false: "no"}
	w := fmt.Sprintf("%.1f", width/float64(small))
	if m.noise {
		w = "none"
	}
	shownCommand := "`" + strings.ReplaceAll(strings.ReplaceAll(m.command, "␣", " "), "dims region,age", `"dims region,age"`) + "`"
	return fmt.Sprintf("| %s | %s | %d | %.2f | %s | %d of %d | %d | %s |\n", m.name, shownCommand, changed, errors/float64(truth.Len()), w, disclosed, small, guessed, yes[m.additive])
}

// estimates are those of an attack on noise, where the document has every cell.
func estimates(t *testing.T, printed string) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	var doc document.Perturbation
	if json.Unmarshal([]byte(printed), &doc) != nil || doc.Attack == nil {
		return all
	}
	for _, c := range doc.Attack.Cells {
		all[c.Cell] = c.Estimate
	}
	return all
}

// intervals are those of the true counts.
func (m *method) intervals(t *testing.T, truth *table.Table, said func(string) shown) (lo, hi []int64) {
	t.Helper()
	lo, hi = make([]int64, truth.Len()), make([]int64, truth.Len())
	if m.noise {
		return lo, hi
	}
	u := truth.Clone()
	hidden := make([]bool, u.Len())
	for i := range hidden {
		s := said(u.CellName(i))
		u.Status[i], u.LPL[i], u.UPL[i], u.Width[i] = table.Safe, 0, 0, 0
		u.Lower[i], u.Upper[i] = s.lo, table.PosInf
		if s.hi >= 0 {
			u.Upper[i] = s.hi
		}
		hidden[i] = s.lo != s.hi
		lo[i], hi[i] = s.lo, s.hi
		if n := u.Value[i]; n < s.lo || s.hi >= 0 && n > s.hi {
			t.Fatalf("%s: %s: %d is outside of [%d, %d]", m.name, u.CellName(i), n, s.lo, s.hi)
		}
	}
	r, err := interval.Audit(context.Background(), u, hidden, nil)
	if err != nil {
		t.Fatalf("%s: %v", m.name, err)
	}
	for _, c := range r.Cells {
		if c.Lo == nil || c.Hi == nil {
			t.Fatalf("%s: %s has no bound", m.name, truth.CellName(c.Index))
		}
		down := new(big.Int).Div(new(big.Int).Neg(c.Lo.Num()), c.Lo.Denom()) // −⌈lo⌉
		lo[c.Index] = -down.Int64()
		hi[c.Index] = new(big.Int).Div(c.Hi.Num(), c.Hi.Denom()).Int64()
		if n := truth.Value[c.Index]; n < lo[c.Index] || n > hi[c.Index] {
			t.Fatalf("%s: %s: %d is outside of its interval", m.name, truth.CellName(c.Index), n)
		}
	}
	return lo, hi
}
