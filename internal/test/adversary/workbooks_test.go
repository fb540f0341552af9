package adversary

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/shared"
)

var (
	offices    = flag.Int("adversary.offices", manyFiles, "number of drawn files of offices")
	officeFrom = flag.Int("adversary.from", 0, "the first of the drawn files of offices")
	keep       = flag.String("adversary.keep", "", "folder for the drawn files of an office; empty: one that goes")
	officeWhy  = flag.Bool("adversary.why", false, "say why drawn files are refused")
	officeOnly = flag.Int("adversary.office", -1, "the one drawn file of an office to protect")
	officeSeed = flag.Uint64("adversary.officeseed", 30, "the seed of the drawn files of offices")
)

var errTwice = errors.New("drawn twice")

// TestOffices protects drawn files: whatever exits with 0 leaves a copy from which no sensitive cell can be placed
// within less than is wanted, as judged from the copy alone.
func TestOffices(t *testing.T) {
	t.Parallel()
	dir := *keep
	if dir == "" {
		dir = t.TempDir()
	}
	from, to := *officeFrom, *officeFrom+*offices
	if *officeOnly >= 0 {
		from, to = *officeOnly, *officeOnly+1
	}
	counts, plain, refused := map[string]int{}, 0, 0
	for n := from; n < to; n++ {
		o := drawOffice(rand.New(rand.NewPCG(*officeSeed, uint64(n))), drawKinds(*officeSeed, uint64(n), officeKinds, *kindsFlag))
		write := o.write
		if n%3 == 2 && !o.text && !o.k.workbook() { // of the same draw
			write = o.asSpreadsheet
		}
		path, err := write(dir)
		if errors.Is(err, errTwice) {
			continue
		} else if err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		what, bad, words := o.tried(t, path, *officeOnly >= 0)
		if bad != "" {
			t.Errorf("%d %v: %s", n, o.features, bad)
		}
		if *officeWhy && (what == "refused" || what == "asked") {
			t.Logf("WHY %d %s %d %v: %q", n, what, len(o.value), o.features, words)
		}
		if len(o.features) == 0 { // nothing is hard to understand
			if plain++; what == "refused" {
				refused++
			}
		}
		counts[what]++
	}
	t.Logf("%v, %d of %d plain tables refused", counts, refused, plain)
	if *officeOnly < 0 && counts["right"]*10 < to-from {
		t.Errorf("%v: the draw is of no use", counts)
	}
	if *officeOnly < 0 && refused*20 > plain {
		t.Errorf("%d of %d plain tables are refused", refused, plain)
	}
}

// unread says which cell of a file is not read with its value where it stands, "" if all are.
func (o *officeFile) unread(t *testing.T, statuses string) string {
	b, err := os.ReadFile(statuses)
	if err != nil {
		return ""
	}
	r := csv.NewReader(bytes.NewReader(b))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at, of := slices.Index(rows[0], "address"), slices.Index(rows[0], "value")
	if at < 0 { // a plain table, whose reader has no addresses
		return ""
	}
	read := map[string]string{}
	for _, row := range rows[1:] {
		read[row[at]] = row[of]
	}
	told, seen := map[int]string{}, map[int]bool{}
	for _, x := range o.tales {
		if len(x.cells) != 1 || slices.Contains(o.measure, x.cells[0]) || x.at == (spot{}) || x.coef[0] != 1 || x.up-x.lo > 1e-6 && o.k.unit() == 0 {
			continue
		}
		ref := x.at.ref
		if x.at.sheet != "" {
			ref = x.at.sheet + "!" + ref
		}
		c := x.cells[0]
		v, err := strconv.ParseFloat(read[ref], 64)
		if err == nil && math.Abs(v-(x.lo+x.up)/2) < 1e-9 {
			seen[c] = true
		}
		told[c] = ref
	}
	for _, x := range o.tales { // one that is the other, of which a column says the same
		if len(x.cells) == 2 && x.coef[0] == -x.coef[1] && x.lo == 0 && x.up == 0 {
			a, b := x.cells[0], x.cells[1]
			seen[a], seen[b] = seen[a] || seen[b], seen[a] || seen[b]
		}
	}
	for c, ref := range told {
		if o.k != nil && o.k.is("zeros") && o.k.zero == "" && o.value[c] == 0 { // its field is empty: a note alone has its number
			continue
		}
		if !seen[c] {
			return fmt.Sprintf("the cell of value %g, shown at %v, is not read (%q at %s)", o.value[c], o.shown(c), read[ref], ref)
		}
	}
	return ""
}

// shown is where a cell stands.
func (o *officeFile) shown(cell int) (at []string) {
	for _, t := range o.tales {
		if len(t.cells) == 1 && t.cells[0] == cell && t.at != (spot{}) {
			at = append(at, fmt.Sprint(t.at))
		}
	}
	return at
}

// TestWorkbooks protects the workbooks of the data beside the project, with the truth that stands beside each: whatever exits with 0 is judged
// from the copy, and what does not leaves none.
func TestWorkbooks(t *testing.T) {
	t.Parallel()
	dir := shared.Path(t, "data", "workbooks")
	var files []string
	for _, pattern := range []string{"[0-9]*/truth.json", "more/*/truth.json"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 60 {
		t.Fatalf("%d workbooks", len(files))
	}
	counts := map[string]int{}
	for _, file := range files {
		var d struct {
			File      string
			Separator string
			Cells     []struct {
				Value     float64
				Sensitive bool
			}
			Relations []struct {
				Total int
				Parts []int
			}
			Places []struct {
				Sheet, Ref, What string
				Shown            float64
				Expr             struct {
					K       string
					A, B    int
					F, D, U float64
				}
			}
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &d); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		path := filepath.Join(filepath.Dir(file), d.File)
		x := &officeFile{mark: ','}
		for i, c := range d.Cells {
			x.measure = append(x.measure, i) // no run has to tell of it: it may be of a measure that counts others
			if x.value = append(x.value, c.Value); c.Sensitive {
				x.sensitive = append(x.sensitive, i)
			}
		}
		for _, r := range d.Relations {
			x.isSum(r.Total, r.Parts)
		}
		if d.Separator != "" {
			x.mark = []rune(d.Separator)[0]
		}
		for _, p := range d.Places {
			e, at := p.Expr, spot{p.Sheet, p.Ref}
			slack := e.D + 1e-9
			switch e.K {
			case "v":
				x.isValue(at, e.A, e.U)
			case "ratio":
				x.isRatio(at, e.A, e.B, e.F, p.Shown, slack)
			case "chg":
				x.isRatio(at, e.A, e.B, e.F, p.Shown+e.F, slack)
			case "diff":
				x.tales = append(x.tales, tale{at, []int{e.A, e.B}, []float64{1, -1}, p.Shown - slack, p.Shown + slack})
			}
		}
		before, err := spots(path, x.mark)
		if err != nil {
			t.Fatal(err)
		}
		if leak, err := x.judge(before, before, 3); err != nil || leak == nil {
			t.Errorf("%s: the judge finds nothing in the file itself: %v", path, err)
		}
		raw, err = os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(t.TempDir(), filepath.Base(path))
		if err := os.WriteFile(copied, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		what, bad, words := x.tried(t, copied, false)
		if bad != "" {
			t.Errorf("%s: %s", path, bad)
		}
		if *officeWhy && what != "right" {
			t.Logf("WHY %s %s %q", filepath.Base(path), what, words)
		}
		for _, verb := range [][]string{{"audit", path}, {"convert", "--to", "tidy", "-o", copied + ".csv", path}} {
			if other, _ := hitoku(verb...); strings.Contains(words, "in no table") && other != 2 {
				t.Errorf("%s: suppress refuses and %s exits with %d", path, verb[0], other)
			}
		}
		counts[what]++
	}
	if t.Logf("%v of %d", counts, len(files)); counts["right"] < 3 {
		t.Error("hardly any file is understood")
	}
}
