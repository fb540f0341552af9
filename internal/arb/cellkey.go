package arb

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/recordkey"
	"github.com/hitoku/hitoku/methods/cellkey"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// A keyedCell holds what the cell key method needs to know of a cell.
type keyedCell struct {
	n            int64
	key, nonzero recordkey.Key
	cell         tabulate.Cell
}

// asksCellKey reports whether arguments of <SUPPRESS> ask for CKM, and returns what stands behind its parenthesis.
func asksCellKey(args string) (rest string, ok bool) {
	args = strings.TrimSpace(args)
	if len(args) < 3 || !strings.EqualFold(args[:3], "CKM") {
		return "", false
	}
	rest, ok = strings.CutPrefix(strings.TrimSpace(args[3:]), "(")
	return rest, ok
}

// recordKeyOf returns the variable that holds the record keys, nil if there is none.
func recordKeyOf(m *argus.Metadata) *argus.Variable {
	k := slices.IndexFunc(m.Variables, func(v argus.Variable) bool { return has(v.CellKey, "RECORDKEY") })
	if k < 0 {
		return nil
	}
	return &m.Variables[k]
}

func has(m map[string][]string, key string) bool { _, ok := m[key]; return ok }

// word returns the text that follows a keyword of the method, without blanks.
func word(v *argus.Variable, keyword string) string {
	return strings.Trim(strings.Join(v.CellKey[keyword], ""), `"`)
}

// spread reports whether the method uses the smallest contribution.
func spread(m *argus.Metadata, j *job) bool {
	v := m.Find(j.response)
	return v != nil && word(v, "CKM") == "D"
}

// contributions returns how many of the largest contributions the method uses.
func contributions(m *argus.Metadata, j *job) int {
	if spread(m, j) {
		return 1
	}
	if v := m.Find(j.response); v != nil {
		if _, args, ok := arguments(word(v, "CKM")); ok && len(args) == 1 {
			if n, err := strconv.Atoi(args[0]); err == nil && n > 0 && n <= table.MaxTop {
				return n
			}
		}
	}
	return 0
}

// arguments splits NAME(a,b,…); a name without parentheses has no arguments.
func arguments(text string) (name string, args []string, ok bool) {
	name, rest, found := strings.Cut(text, "(")
	if !found {
		return strings.ToUpper(name), nil, true
	}
	rest, ok = strings.CutSuffix(rest, ")")
	return strings.ToUpper(name), strings.Split(rest, ","), ok
}

// keyedCells takes from a result what CKM needs; it returns nil if there are no record keys.
func keyedCells(r *tabulate.Result) ([]keyedCell, error) {
	if r.Spec.Key == "" {
		return nil, nil
	}
	all := make([]keyedCell, r.Len())
	for n := range all {
		c, err := r.Cell(n)
		if err != nil {
			return nil, err
		}
		all[n] = keyedCell{n: c.Records, key: recordkey.Key(c.Key), nonzero: recordkey.Key(c.KeyNonzero), cell: c}
	}
	return all, nil
}

// cellKey runs CKM(table) "ptable", or for a magnitude table CKM(table) "ptable" | "ptable of small cells" | μ.
func (b *batch) cellKey(rest string) error {
	number, tail, ok := strings.Cut(rest, ")")
	if !ok {
		return i18n.New(`want CKM(table), and behind it "ptable", or "ptable" | "ptable of small cells" | μ`)
	}
	j, err := b.table(number)
	if err != nil {
		return err
	}
	if j.from == nil {
		return i18n.New("CKM needs microdata with a variable <RECORDKEY>; hitoku cellkey --cell-key perturbs tables that have cell keys")
	}
	m, err := argus.ReadMetadata(j.from.meta, argus.Microdata, b.encoding())
	if err != nil {
		return err
	}
	key := recordKeyOf(m)
	switch {
	case key == nil:
		return i18n.Errorf("CKM is not possible: %s has no variable with <RECORDKEY>", m.File)
	case len(m.Names(func(v *argus.Variable) bool { return v.Holding })) > 0:
		return i18n.New("CKM is not possible with holdings: keys are of records")
	case j.cells == nil:
		return i18n.New("CKM is not possible: the table was read without record keys")
	}
	p := fields(tail, '|')
	for len(p) < 3 {
		p = append(p, "")
	}
	j.noise, j.pattern, j.changed = &argus.CellKeyed{Decimals: key.Decimals}, nil, nil
	if j.freq {
		err = b.countNoise(j, m, key, p)
	} else {
		err = b.amountNoise(j, m, key, p)
	}
	if err != nil {
		j.noise = nil
		return err
	}
	changed := 0
	for i, v := range j.noise.Published {
		if v != j.t.Value[i] {
			changed++
		}
	}
	b.say("Method CKM: noise by cell keys; %d of %d cells are published as another value, and they do not add up", changed, j.t.Len())
	return nil
}

// perturbed reads the perturbation tables from the file that the command names, or else from the one that the
// metadata name under one of the keywords.
func (b *batch) perturbed(m *argus.Metadata, key *argus.Variable, given string, keywords ...string) (cellkey.File, error) {
	path := ""
	if given != "" {
		path = b.find(given)
	}
	for _, k := range keywords {
		if w := word(key, k); w != "" && path == "" {
			path = argus.Resolve(m.File, w)
		}
	}
	if path == "" {
		return cellkey.File{}, i18n.Errorf("no perturbation table: want it behind CKM(…), or <%s> of %s", keywords[0], key.Name)
	}
	b.inputs = append(b.inputs, path)
	f, err := cellkey.Read(path)
	if err == nil {
		b.say("Using ptable file %s", path)
	}
	return f, err
}

// spared reports whether a cell keeps its value. As in τ-ARGUS these are the empty cells and those that an
// a-priori file protects.
func (j *job) spared(i int) bool { return j.t.Status[i] == table.Published }

// countNoise perturbs counts; of weighted records the count is multiplied by the mean weight.
func (b *batch) countNoise(j *job, m *argus.Metadata, key *argus.Variable, p []string) error {
	f, err := b.perturbed(m, key, p[0], "PFILE", "PFILE_FREQ")
	if err != nil {
		return err
	}
	t := f.Counts
	if t == nil {
		return i18n.New("the perturbation table is one of magnitudes; counts need one without a type")
	}
	for i := range j.cells {
		c := &j.cells[i]
		v := j.t.Value[i]
		if !j.spared(i) && c.n > 0 {
			v = num.Scaled(v, t.Count(c.n, c.key), c.n)
		}
		j.noise.Published, j.noise.Keys = append(j.noise.Published, v), append(j.noise.Keys, c.key.String())
	}
	return nil
}

// amountNoise perturbs magnitudes, with the parameters that the metadata give for the response.
func (b *batch) amountNoise(j *job, m *argus.Metadata, key *argus.Variable, p []string) error {
	v := m.Find(j.response)
	if v == nil {
		return i18n.Errorf("no variable %s", j.response)
	}
	kind, args, ok := arguments(word(v, "CKM"))
	switch {
	case !ok || !slices.Contains([]string{"T", "M", "V", "D"}, kind) || (kind == "T") != (len(args) == 1):
		return i18n.Errorf("<CKM> %s of %s: want T(k), M, D or V; N is none", word(v, "CKM"), v.Name)
	case j.rules != nil && j.rules.Weighted:
		return i18n.New("CKM of a magnitude table is not offered with weights, WGT(1)")
	}
	f, err := b.perturbed(m, key, p[0], "PFILE_CONT")
	if err != nil {
		return err
	}
	n := &cellkey.Magnitude{Large: f.All, Digits: key.Decimals}
	if word(v, "PARITY") == "Y" {
		n.Large, n.Odd = f.Even, f.Odd
		if n.Odd == nil {
			return i18n.New("<PARITY> Y: the perturbation table has no types even and odd")
		}
	}
	if word(v, "SEPARATION") == "Y" {
		f, err := b.perturbed(m, key, p[1], "PFILE_SEP")
		if err != nil {
			return err
		}
		if n.Small = f.All; n.Small == nil {
			n.Small = f.Small
		}
	}
	if p[2] != "" {
		if n.Mu, err = strconv.ParseFloat(p[2], 64); err != nil {
			return i18n.Errorf("μ %q: want a number", p[2])
		}
	}
	by := cellkey.Magnifier{Kind: map[string]string{"T": "top", "M": "mean", "D": "spread", "V": "value"}[kind], K: 1}
	if kind == "T" {
		if by.K, err = strconv.Atoi(args[0]); err != nil || by.K < 1 || by.K > table.MaxTop {
			return i18n.Errorf("<CKM> %s of %s: want a number of contributions from 1 to %d", word(v, "CKM"), v.Name, table.MaxTop)
		}
	}
	if err := n.Scale(word(v, "SCALING"), by.K); err != nil {
		return i18n.Errorf("<SCALING> of %s: %w", v.Name, err)
	}
	if err := n.Check(); err != nil {
		return err
	}
	unit := table.Pow10(j.t.Decimals)
	step := table.Pow10(j.t.Decimals - min(j.t.Decimals, argus.Decimals(j.t, j.write)))
	for i := range j.cells {
		c := &j.cells[i]
		at := c.nonzero
		if word(v, "INCLUDEZEROS") == "Y" {
			at = c.key
		}
		published := j.t.Value[i]
		if !j.spared(i) {
			x := float64(published) / float64(unit)
			y := n.Value(x, by.Of(x, &c.cell), c.n, at, j.t.Status[i] == table.Sensitive) * float64(unit) / float64(step)
			if math.Abs(y) > 1e17/float64(step) {
				return i18n.Errorf("cell %s: the noise needs too many digits", j.t.CellName(i))
			}
			published = int64(math.RoundToEven(y)) * step
		}
		j.noise.Published, j.noise.Keys = append(j.noise.Published, published), append(j.noise.Keys, at.String())
	}
	return nil
}

// writeNoise writes a table to which CKM has added noise; done reports whether the table has noise. As in
// τ-ARGUS types 4 and 5 cannot be written of such a table, nor can type 6, as its numbers do not add up; type 7
// can be written of no other.
func (j *job) writeNoise(path string, out argus.Output, o argus.WriteOptions) (done bool, err error) {
	switch {
	case j.noise == nil && out.Type == argus.CellKey:
		return true, i18n.New("output type 7 is for tables with the noise of CKM; want <SUPPRESS> CKM(…) before it")
	case j.noise == nil:
		return false, nil
	case out.Type == argus.CellKey:
		return true, argus.WriteCellKeyed(path, j.t, j.noise, out, o)
	case out.Type > argus.CodeValue:
		return true, i18n.Errorf("output type %d is not for tables with the noise of CKM, which do not add up; want 1, 2, 3 or 7", out.Type)
	}
	t := j.t.Clone()
	copy(t.Value, j.noise.Published)
	for i := range t.Value {
		t.Status[i] = table.Safe
		if t.Value[i] == 0 { // written like an empty cell, so that nobody can tell the two apart
			t.Status[i] = table.Published
			if t.Freq != nil {
				t.Freq[i] = 0
			}
		}
	}
	o.Fixed, o.Behind = nil, j.t
	return true, argus.WriteOutput(path, t, nil, out, o)
}
