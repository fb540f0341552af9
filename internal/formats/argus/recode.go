package argus

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A Recoding is the content of a .grc file: either new codes for ranges of old ones, or the codes of a tree
// below which nothing is shown.
type Recoding struct {
	File     string
	Missing  []string // codes that stand for missing values after the recoding
	Codelist string   // resolved path of the labels of the new codes; empty: none

	Rules []recodeRule // for a variable without a hierarchy
	Tree  bool
	Close []string // codes of the tree below which nothing is shown
	lines []int    // the line of each entry of Close
}

// A recodeRule gives the code New to the codes in its ranges.
type recodeRule struct {
	Line int
	New  string
	From []codeRange
}

// Fault returns an error about the rule, which was read from file.
func (r *recodeRule) Fault(file, want string) error {
	return fault(file, r.Line, formats.Show(r.New), "%s", want)
}

// A codeRange holds the codes from Low to High. Codes are compared by character after padding them on the left
// to the same width. An empty bound means that there is none.
type codeRange struct{ Low, High string }

// ReadRecoding reads a .grc file.
func ReadRecoding(path, encoding string) (*Recoding, error) {
	f, err := formats.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadRecodingFrom(f, path, encoding)
}

// ReadRecodingFrom reads a recoding from r, which messages call file. A code list that it names is looked for
// beside file.
func ReadRecodingFrom(r io.Reader, file, encoding string) (*Recoding, error) {
	c := &Recoding{File: file}
	err := eachLine(r, file, encoding, true, func(line int, text string) error {
		if strings.HasPrefix(strings.TrimSpace(text), "<") {
			return c.keyword(line, text)
		}
		if c.Tree {
			c.Close = append(c.Close, Code(unquoted(text)))
			c.lines = append(c.lines, line)
			return nil
		}
		rule, err := parseRule(file, line, text)
		c.Rules = append(c.Rules, rule)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case len(c.Rules) == 0 && len(c.Close) == 0:
		return nil, fault(file, 0, "", "no recoding; want lines like 1:1-5, or <TREERECODE> and codes")
	}
	return c, nil
}

func (c *Recoding) keyword(line int, text string) error {
	all, err := tokens(c.File, line, text)
	if err != nil {
		return err
	}
	name, _ := all[0].keyword()
	values := make([]string, len(all)-1)
	for i, t := range all[1:] {
		values[i] = t.text
	}
	switch {
	case name == "MISSING" && len(values) >= 1 && len(values) <= 2:
		c.Missing = values
	case name == "MISSING":
		return fault(c.File, line, "<MISSING>", "want one or two codes behind it")
	case name == "CODELIST" && len(values) == 1:
		c.Codelist = Resolve(c.File, values[0])
	case name == "CODELIST":
		return fault(c.File, line, "<CODELIST>", "want a file behind it")
	case name == "TREERECODE" && len(c.Rules) > 0:
		return fault(c.File, line, "<TREERECODE>", "want it before everything else")
	case name == "TREERECODE" && len(values) == 0:
		c.Tree = true
	default:
		return fault(c.File, line, formats.Show(all[0].text), "want <MISSING>, <CODELIST> or <TREERECODE>")
	}
	return nil
}

// parseRule reads "new: a, b-c, -d, e-". Codes that contain a comma, colon or minus are quoted.
func parseRule(file string, line int, text string) (recodeRule, error) {
	rule := recodeRule{Line: line}
	name, rest, ok := cutCode(text)
	if !ok || !strings.HasPrefix(rest, ":") {
		return rule, fault(file, line, formats.Show(text), "want a new code, a colon and old codes, like 1:1-5,7")
	}
	if rule.New = Code(name); rule.New == "" {
		return rule, fault(file, line, formats.Show(text), "want a new code before the colon")
	}
	for rest = rest[1:]; ; rest = rest[1:] {
		low, after, ok := cutCode(rest)
		from := codeRange{Code(low), Code(low)}
		if ok && strings.HasPrefix(after, "-") {
			var high string
			high, after, ok = cutCode(after[1:])
			from.High = Code(high)
		}
		switch {
		case !ok || after != "" && after[0] != ',':
			return rule, fault(file, line, formats.Show(text), "want codes like 7, 1-5, -3 or 8- with commas between them")
		case from.Low == "" && from.High == "":
			return rule, fault(file, line, formats.Show(text), "want a code, or at least one end of a range")
		}
		if n := max(len(from.Low), len(from.High)); from.High != "" && strings.Repeat(" ", n-len(from.Low))+from.Low > strings.Repeat(" ", n-len(from.High))+from.High {
			return rule, fault(file, line, formats.Show(from.Low+"-"+from.High), "the range ends before it begins")
		}
		rule.From = append(rule.From, from)
		if rest = after; rest == "" {
			return rule, nil
		}
	}
}

// cutCode cuts a code, quoted or not, off the front of s up to a comma, colon or minus; ok is false if a quote
// is not closed.
func cutCode(s string) (code, rest string, ok bool) {
	if t := strings.TrimLeft(s, " \t"); strings.HasPrefix(t, `"`) {
		code, rest, ok = strings.Cut(t[1:], `"`)
		return code, strings.TrimLeft(rest, " \t"), ok
	}
	if i := strings.IndexAny(s, ",:-"); i >= 0 {
		return s[:i], s[i:], true
	}
	return s, "", true
}

// Apply returns the new code of each of the codes of a variable without a hierarchy; a code that no rule covers
// is kept. A code that two rules cover is an error. Cost O((codes + ranges)·log codes).
func (c *Recoding) Apply(codes []string) (map[string]string, error) {
	if c.Tree {
		return nil, fault(c.File, 0, "", "a tree recoding, for a variable with a hierarchy")
	}
	sorted := slices.Clone(codes)
	slices.SortFunc(sorted, comparePadded)
	sorted = slices.Compact(sorted)
	// rules has the rules that cover each code, at most two, since two are an error already. next leads from
	// each code to the first one from there on that has fewer than two.
	rules := make([][]*recodeRule, len(sorted))
	next := sets.Upto(len(sorted) + 1)
	free := func(i int) int {
		for next[i] != i {
			next[i] = next[next[i]]
			i = next[i]
		}
		return i
	}
	for n := range c.Rules {
		r := &c.Rules[n]
		for _, span := range r.spans(sorted) {
			for i := free(span[0]); i < span[1]; i = free(i + 1) {
				if rules[i] = append(rules[i], r); len(rules[i]) == 2 {
					next[i] = i + 1
				}
			}
		}
	}
	to := make(map[string]string, len(codes))
	for _, s := range codes {
		to[s] = s
		i, _ := slices.BinarySearchFunc(sorted, s, comparePadded)
		switch of := rules[i]; len(of) {
		case 2:
			return nil, fault(c.File, of[1].Line, formats.Show(s), "the code has a new one on line %d already", of[0].Line)
		case 1:
			to[s] = of[0].New
		}
	}
	return to, nil
}

// spans returns which ranges of indices in codes, sorted by comparePadded, the rule covers: half-open,
// ascending and disjoint.
func (r *recodeRule) spans(codes []string) [][2]int {
	var all [][2]int
	for _, f := range r.From {
		span := [2]int{0, len(codes)}
		if f.Low != "" {
			span[0], _ = slices.BinarySearchFunc(codes, f.Low, comparePadded)
		}
		if f.High != "" {
			at, found := slices.BinarySearchFunc(codes, f.High, comparePadded)
			if span[1] = at; found {
				span[1]++
			}
		}
		if span[0] < span[1] {
			all = append(all, span)
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	apart := all[:0]
	for _, span := range all {
		if n := len(apart) - 1; n >= 0 && span[0] <= apart[n][1] {
			apart[n][1] = max(apart[n][1], span[1])
		} else {
			apart = append(apart, span)
		}
	}
	return apart
}

// comparePadded compares two texts after padding the shorter one with blanks on the left to the same number of
// characters.
func comparePadded(a, b string) int {
	switch n := utf8.RuneCountInString(b) - utf8.RuneCountInString(a); {
	case n < 0:
		return -comparePadded(b, a)
	default:
		for i := range n { // as long as these are blanks, bytes and characters are the same
			if b[i] != ' ' {
				return cmp.Compare(' ', b[i])
			}
		}
		return strings.Compare(a, b[n:])
	}
}

// ApplyTree cuts a tree below the codes in Close. It returns the smaller tree and, for every code of d, the
// code of that tree under which it is counted. A code without children needs no closing. If d lacks a code of
// Close, unused says whether it is a code of the tree that data do not use, which is no error; a nil unused
// means that it is not.
func (c *Recoding) ApplyTree(d *table.Dimension, unused func(code string) bool) (table.Dimension, map[string]string, error) {
	if !c.Tree {
		return table.Dimension{}, nil, fault(c.File, 0, "", "no tree recoding, but the variable %s has a hierarchy", d.Name)
	}
	closed := make([]bool, len(d.Codes))
	at := sets.Places[int](d.Codes)
	for n, code := range c.Close {
		i, ok := at[code]
		if !ok {
			i = -1
		}
		switch {
		case i < 0 && unused != nil && unused(code):
			continue
		case i < 0:
			return table.Dimension{}, nil, fault(c.File, c.lines[n], formats.Show(code), "not a code of %s", d.Name)
		}
		closed[i] = true
	}
	small, to := cut(d, closed)
	return small, to, nil
}

// KeepLevels cuts a tree below the codes at level n, where the total is level 0. It returns what ApplyTree
// does.
func KeepLevels(d *table.Dimension, n int) (table.Dimension, map[string]string, error) {
	if n < 1 {
		return table.Dimension{}, nil, i18n.Errorf("%d levels of %s, want 1 or more", n, d.Name)
	}
	level := make([]int, len(d.Codes))
	closed := make([]bool, len(d.Codes))
	for i, p := range d.Parent {
		if p >= 0 {
			level[i] = level[p] + 1
		}
		closed[i] = level[i] == n
	}
	small, to := cut(d, closed)
	return small, to, nil
}

// cut removes all codes below the closed ones, and returns the smaller tree and the code there that each code
// is counted under.
func cut(d *table.Dimension, closed []bool) (table.Dimension, map[string]string) {
	small := table.Dimension{Name: d.Name}
	under := make([]int32, len(d.Codes)) // index in small of the code that each is counted under
	shut := make([]bool, len(d.Codes))
	to := make(map[string]string, len(d.Codes))
	for i, code := range d.Codes { // parents stand before children
		p := d.Parent[i]
		if p >= 0 && (shut[p] || closed[p]) {
			shut[i], under[i] = true, under[p]
		} else {
			under[i] = int32(len(small.Codes))
			above := int32(-1)
			if p >= 0 {
				above = under[p]
			}
			small.Codes, small.Parent = append(small.Codes, code), append(small.Parent, above)
		}
		to[code] = small.Codes[under[i]]
	}
	return small, to
}

// unquoted returns s without surrounding blanks and without the quotes that enclose it.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if n := len(s); n >= 2 && s[0] == '"' && s[n-1] == '"' {
		return s[1 : n-1]
	}
	return s
}
