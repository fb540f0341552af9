package argus

import (
	"bufio"
	"bytes"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/table"
)

// WriteOptions say how to write a table, and hold what a table.Table has no place for.
type WriteOptions struct {
	// Behind has the true values, if those of the table are perturbed ones that are published in their place.
	Behind *table.Table
	// Response names the variable of the values. Empty: Value, or Freq for counts.
	Response string
	// Spelling[d] maps codes of dimension d to their padded form, as Table.Spelling.
	Spelling []map[string]string
	// Trees are the dimensions including codes that no cell has; outputs list combinations of these as empty
	// cells. Nil: only the codes of the table.
	Trees []table.Dimension
	// Shadow has the shadow value of each cell in units of 10^−ShadowDecimals. Nil: the values.
	Shadow         []int64
	ShadowDecimals int
	// Decimals is the least number of decimals written; zeros are added where the table has fewer.
	Decimals int
	// DecimalComma uses a decimal comma in the intermediate format; the others always have a point.
	DecimalComma bool
	// Encoding is utf-8, cp1252 or cp932. Empty: UTF-8. τ-ARGUS itself reads the encoding of its machine,
	// mostly CP1252.
	Encoding string
	// CRLF ends lines as on Windows, which τ-ARGUS runs on.
	CRLF bool
	// Lossy leaves out widths, bounds and reasons that the format has no place for, instead of failing.
	Lossy bool
	// Rules are those that made the cells sensitive, empty if the cells were given as sensitive. τ-ARGUS keeps
	// as many of the largest contributions as the rules use, and the letters and shares of the SBS format
	// depend on that number. Nil: inferred from the table's reasons and contributions.
	Rules *table.Rules
	// Fixed marks cells of value 0 that stay published although they are not known to be empty, because the
	// input says so. Nil: none.
	Fixed []bool
	// Realized has the feasibility interval of each cell that an audit found, for output type 5 with AR. Nil:
	// there was no audit.
	Realized []Interval
	// Holdings says that contributors are holdings, not records.
	Holdings bool

	keep []string // files of the input, which must not be overwritten
}

// An Interval is what an intruder can compute of a cell, in units of its table; a nil end is unbounded.
type Interval struct{ Low, High *big.Rat }

// Known returns the interval of a published value.
func Known(v int64) Interval {
	r := new(big.Rat).SetInt64(v)
	return Interval{r, r}
}

// text writes encoded lines, and keeps its first error.
type text struct {
	w        *bufio.Writer
	encoding string
	line     int
	err      error
}

func newText(w io.Writer, o *WriteOptions) (*text, error) {
	if !records.Known(o.Encoding) {
		return nil, i18n.Errorf("encoding %s: want utf-8, cp932 or cp1252", formats.Show(o.Encoding))
	}
	return &text{w: bufio.NewWriter(o.ended(w)), encoding: o.Encoding}, nil
}

// ended returns a writer that ends lines as the options say: w itself for LF alone, else one that writes CR LF.
func (o *WriteOptions) ended(w io.Writer) io.Writer {
	if o.CRLF {
		return returns{w}
	}
	return w
}

// returns is a writer that puts a carriage return before each line feed.
type returns struct{ w io.Writer }

func (r returns) Write(b []byte) (int, error) {
	if _, err := r.w.Write(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// print writes a line.
func (t *text) print(s string) {
	t.line++
	b, ok := records.Encode([]byte(s), t.encoding)
	if !ok && t.err == nil {
		t.err = i18n.Errorf("line %d: %s: %s has no such character; write UTF-8", t.line, formats.Show(s), strings.ToUpper(t.encoding))
	}
	t.w.Write(b)
	if err := t.w.WriteByte('\n'); err != nil && t.err == nil {
		t.err = err
	}
}

func (t *text) close() error {
	if err := t.w.Flush(); err != nil && t.err == nil {
		t.err = err
	}
	return t.err
}

// lines returns the text that write prints.
func lines(o *WriteOptions, write func(t *text)) ([]byte, error) {
	var content bytes.Buffer
	t, err := newText(&content, o)
	if err != nil {
		return nil, err
	}
	write(t)
	err = t.close()
	return content.Bytes(), err
}

// saveTextBy writes what write prints to a file by means of save.
func saveTextBy(save func(path string, write func(io.Writer) error) error, path string, o *WriteOptions, write func(t *text)) error {
	return save(path, func(w io.Writer) error {
		t, err := newText(w, o)
		if err != nil {
			return err
		}
		write(t)
		return t.close()
	})
}

// fixed writes v·10^−scale with digits decimals, which must be enough to be exact.
func fixed(v int64, scale, digits int) string {
	s := table.FormatDecimal(v, scale)
	if digits == 0 {
		return s
	}
	point := strings.IndexByte(s, '.')
	if point < 0 {
		s, point = s+".", len(s)
	}
	return s + strings.Repeat("0", max(0, digits-(len(s)-point-1)))
}

// empty reports whether cell i is a structural zero as far as the table tells: published with value 0 and
// without contributors, if their number is known.
func empty(t *table.Table, i int) bool {
	return t.Status[i] == table.Published && t.Known(i) && t.Value[i] == 0 && (t.Freq == nil || t.Freq[i] <= 0)
}

// status returns τ-ARGUS's number of the status of cell i, as outputs with these options show it.
func (o *WriteOptions) status(t *table.Table, i int, pattern []bool) int {
	if st := status(t, i, pattern); st != 14 || o.Fixed == nil || !o.Fixed[i] {
		return st
	}
	return 10
}

// status returns τ-ARGUS's number of the status of cell i.
func status(t *table.Table, i int, pattern []bool) int {
	switch t.Status[i] {
	case table.Sensitive:
		switch t.ReasonOf(i) {
		case table.ByDominance, table.ByPercent:
			return 3
		case table.ByRequest:
			return 4
		case table.ByFrequency:
			return 5
		case table.ByZero:
			return 6
		}
		return 9
	case table.Published:
		if empty(t, i) {
			return 14
		}
		return 10
	case table.Withheld:
		return 11
	}
	if pattern != nil && pattern[i] {
		return 11
	}
	return 1
}

// letter returns the symbol that tables have for a status.
func letter(status int) string {
	switch status {
	case 1, 2:
		return "S"
	case 10:
		return "P"
	case 11, 12:
		return "M"
	case 13, 14:
		return "E"
	}
	return "U"
}

// WriteTable writes t as a table of τ-ARGUS that can be read again: the file path, with the fields of output
// type 5, and beside it metadata of the same name with the extension .rda and a .hrc file for every dimension
// that is not flat. Existing files are replaced only if they belong to an earlier table called path. pattern
// marks cells to withhold; nil: none beyond the statuses. Every value is written. Each file is either complete
// or untouched.
func WriteTable(path string, t *table.Table, pattern []bool, o WriteOptions) error {
	return writeIntermediate(path, t, pattern, o, Output{Type: Intermediate, Quote: true})
}

// quoteName quotes a name unless it is a single word.
func quoteName(s string) string {
	if strings.ContainsAny(s, " \t<") || strings.HasPrefix(s, "//") {
		return `"` + s + `"`
	}
	return s
}

// label returns a code as files show it, with the padding of the input, quoted or not. τ-ARGUS writes an
// apostrophe for a quote.
func (o *WriteOptions) label(dims []table.Dimension, d, c int, quote bool) string {
	s := dims[d].Codes[c]
	if d < len(o.Spelling) && o.Spelling[d][s] != "" {
		s = o.Spelling[d][s]
	}
	s = strings.ReplaceAll(s, `"`, "'")
	if quote {
		return `"` + s + `"`
	}
	return s
}

// A tree says where the hierarchy of a dimension was written; file is empty for a flat dimension.
type tree struct{ file, lead string }

// A companion is a file that is written beside a table.
type companion struct {
	file    string
	content []byte
}

// saveCompanions writes the files beside the table in the file path. It refuses to replace a file that is no
// companion of an earlier table of the same name, such as metadata of microdata or a file of the input. Files
// that already have the right content are kept, as a run that was killed may have written them. If the table
// may be published, others may read its companions.
func saveCompanions(path string, companions []companion, keep []string, public bool) error {
	_, err := os.Stat(path)
	earlier := err == nil
	for _, c := range companions {
		info, err := os.Stat(c.file)
		if err != nil {
			continue
		}
		if !earlier && !holds(c.file, info.Size(), c.content) {
			return i18n.Errorf("%s exists already and would be replaced by that of %s; choose another name, or remove it", c.file, filepath.Base(path))
		}
		for _, k := range keep {
			if in, err := os.Stat(k); err == nil && os.SameFile(in, info) {
				return i18n.Errorf("%s belongs to the input and would be replaced; choose another name", c.file)
			}
		}
	}
	for _, c := range companions {
		err := formats.SaveBytesAs(&private.Output{Public: public}, c.file, c.content)
		if err != nil {
			return err
		}
	}
	return nil
}

// holds reports whether a file has that size and content.
func holds(file string, size int64, content []byte) bool {
	if size != int64(len(content)) {
		return false
	}
	b, err := os.ReadFile(file)
	return err == nil && bytes.Equal(b, content)
}

// newTrees chooses the names of the files of hierarchies beside a table.
func newTrees(base, name string, dims []table.Dimension) ([]tree, error) {
	trees := make([]tree, len(dims))
	taken := map[string]bool{}
	for d := range dims {
		dim := &dims[d]
		if dim.Flat() {
			continue
		}
		part := strings.Map(func(r rune) rune {
			if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
				return '_'
			}
			return r
		}, dim.Name)
		for taken[strings.ToLower(part)] {
			part += "_"
		}
		taken[strings.ToLower(part)] = true
		lead, err := leadOf(dim)
		if err != nil {
			return nil, i18n.Errorf("table %s: %w", name, err)
		}
		trees[d] = tree{base + "_" + part + ".hrc", lead}
	}
	return trees, nil
}

// printTrees returns the contents of the files of hierarchies.
func printTrees(trees []tree, dims []table.Dimension, o WriteOptions) (files []companion, err error) {
	for d, to := range trees {
		if to.file == "" {
			continue
		}
		content, err := lines(&o, func(w *text) { printTree(w, &dims[d], to.lead, o.spelling(d)) })
		if err != nil {
			return nil, err
		}
		files = append(files, companion{to.file, content})
	}
	return files, nil
}

// listed returns the dimensions that an output of t lists.
func (o *WriteOptions) listed(t *table.Table, out Output) []table.Dimension {
	if out.SuppressEmpty || out.Type == SBS {
		return t.Dims
	}
	return o.dims(t)
}

// dims returns the dimensions of t, including the codes that no cell has.
func (o *WriteOptions) dims(t *table.Table) []table.Dimension {
	if o.Trees != nil {
		return o.Trees
	}
	return t.Dims
}

func (o *WriteOptions) spelling(d int) map[string]string {
	if d < len(o.Spelling) {
		return o.Spelling[d]
	}
	return nil
}

// leadOf chooses a string for indents with which no code begins.
func leadOf(d *table.Dimension) (string, error) {
	for _, lead := range []string{"@", "#", "~", "$", "%", "&", "+", "*", "|"} {
		free := true
		for _, c := range d.Codes {
			free = free && !strings.HasPrefix(c, lead)
		}
		if free {
			return lead, nil
		}
	}
	return "", i18n.Errorf("dimension %s: codes begin with every character that could indent a .hrc file", d.Name)
}

func printTree(w *text, d *table.Dimension, lead string, spelling map[string]string) {
	depth := make([]int, len(d.Codes))
	for i, c := range d.Codes[1:] {
		depth[i+1] = depth[d.Parent[i+1]] + 1
		if spelling[c] != "" {
			c = spelling[c]
		}
		w.print(strings.Repeat(lead, depth[i+1]-1) + c)
	}
}

// save implements formats.SaveFunc: it writes the table in the format in which it was read.
func (t *Table) save(path string, in *formats.Input, pattern []bool) error {
	o := t.WriteOptions()
	o.keep = []string{t.Meta.File}
	for _, v := range t.Vars {
		if v.HierCodelist != "" {
			o.keep = append(o.keep, v.HierCodelist)
		}
	}
	return WriteTable(path, in.Table, pattern, o)
}

// WriteOptions returns, for writing, what t has beyond its table.Table. Widths, bounds and reasons, for which
// the format has no place, cannot come from its file, and are left out.
func (t *Table) WriteOptions() WriteOptions {
	o := WriteOptions{Response: t.Response.Name, Spelling: t.Spelling, Decimals: t.Response.Decimals, DecimalComma: t.Dialect.DecimalComma, Lossy: true}
	if t.ShadowValue != nil {
		o.Shadow, o.ShadowDecimals = t.ShadowValue, t.ShadowDecimals
	}
	return o
}
