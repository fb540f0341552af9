package adversary

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
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
	codes, found, cells, plain, refused, misread := map[int]int{}, map[string]int{}, 0, 0, 0, 0
	for n := from; n < to; n++ {
		o := drawOffice(rand.New(rand.NewPCG(*officeSeed, uint64(n))))
		write := o.write
		if n%3 == 2 && !o.text { // of the same draw
			write = o.asSpreadsheet
		}
		path, err := write(dir)
		if errors.Is(err, errTwice) {
			continue
		} else if err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		out := filepath.Join(dir, "out"+filepath.Ext(path))
		os.Remove(out)
		statuses := filepath.Join(dir, "statuses.csv")
		os.Remove(statuses)
		code, words := hitoku("suppress", "--below", "3", "--width", "3", "--status-file", statuses, "-o", out, path)
		codes[code]++
		if code != 0 && *officeWhy {
			t.Logf("WHY %d %d %v: %q", n, code, o.features, words)
		}
		if what := o.unread(t, statuses); code == 0 && what != "" {
			if misread++; misread <= 3 || *officeOnly >= 0 {
				t.Errorf("%d %v: %s", n, o.features, what)
			}
		}
		if len(o.features) == 0 { // nothing is hard to understand
			if plain++; code == 2 {
				refused++
				if testing.Verbose() {
					t.Logf("%d: %s", n, words)
				}
			}
		}
		if *officeOnly >= 0 {
			t.Logf("%s\n%s", path, words)
		}
		if _, err := os.Stat(out); err != nil {
			if code == 0 {
				t.Errorf("%d: exit code 0 and no file\n%s", n, words)
			}
			continue
		}
		if code == 2 {
			t.Errorf("%d: exit code 2 and a file\n%s", n, words)
		}
		before, err := spots(path, o.mark)
		if err != nil {
			t.Fatal(err)
		}
		after, err := spots(out, o.mark)
		if err != nil {
			t.Fatal(err)
		}
		cells += len(o.sensitive)
		leak, err := o.judge(before, after, 3)
		if err != nil {
			t.Errorf("%d %v: %v", n, o.features, err)
		} else if leak != nil {
			kinds := slices.Clone(o.features)
			slices.Sort(kinds)
			key := strings.Join(slices.Compact(kinds), ", ")
			if found[key]++; found[key] <= 2 {
				t.Errorf("%d: exit code %d, and a sensitive cell of value %g, shown %v, can be placed in [%g, %g]: %s", n, code, o.value[leak.cell], o.shown(leak.cell), leak.lo, leak.up, key)
			}
		}
	}
	t.Logf("exit codes %v, %d of %d plain tables refused, %d misread, %d sensitive cells judged, leaks %v", codes, refused, plain, misread, cells, found)
	if *officeOnly < 0 && codes[0]*10 < to-from {
		t.Errorf("exit codes %v: the draw is of no use", codes)
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
		if len(x.cells) != 1 || slices.Contains(o.measure, x.cells[0]) || x.at == (spot{}) || x.coef[0] != 1 || x.up-x.lo > 1e-6 {
			continue
		}
		ref := x.at.ref
		if x.at.sheet != "" {
			ref = x.at.sheet + "!" + ref
		}
		c := x.cells[0]
		v, err := strconv.ParseFloat(read[ref], 64)
		if err == nil && v == o.value[c] {
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
	judged := 0
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
		out := filepath.Join(t.TempDir(), filepath.Base(path))
		code, words := hitoku("suppress", "--below", "3", "--width", "3", "-o", out, path)
		for _, verb := range [][]string{{"audit", path}, {"convert", "--to", "tidy", "-o", out + ".csv", path}} {
			if other, _ := hitoku(verb...); strings.Contains(words, "in no table") && other != 2 {
				t.Errorf("%s: suppress exits with %d and %s with %d", path, code, verb[0], other)
			}
		}
		if _, err := os.Stat(out); err != nil {
			if code != 2 {
				t.Errorf("%s: exit code %d and no file\n%s", path, code, words)
			}
			continue
		}
		x := &truth{}
		for i, c := range d.Cells {
			if x.value = append(x.value, c.Value); c.Sensitive {
				x.sensitive = append(x.sensitive, i)
			}
		}
		for _, r := range d.Relations {
			x.isSum(r.Total, r.Parts)
		}
		mark := ','
		if d.Separator != "" {
			mark = []rune(d.Separator)[0]
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
		before, err := spots(path, mark)
		if err != nil {
			t.Fatal(err)
		}
		after, err := spots(out, mark)
		if err != nil {
			t.Fatal(err)
		}
		if leak, err := x.judge(before, before, 3); err != nil || leak == nil {
			t.Errorf("%s: the judge finds nothing in the file itself: %v", path, err)
		}
		judged++
		if leak, err := x.judge(before, after, 3); err != nil {
			t.Errorf("%s: %v", path, err)
		} else if leak != nil {
			t.Errorf("%s: exit code %d, and cell %d of value %g can be placed in [%g, %g]", path, code, leak.cell, x.value[leak.cell], leak.lo, leak.up)
		}
	}
	if t.Logf("%d of %d judged", judged, len(files)); judged < 3 {
		t.Error("hardly any file is understood")
	}
}
