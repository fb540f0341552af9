package tabulate

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/recordkey"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

const maxRecord = 1 << 20 // bytes of a record

// A Tabulator makes tables from the records of one or several files.
type Tabulator struct {
	source  Source
	specs   []Spec
	plans   []*plan
	vars    []*variable
	workers []*worker

	holdings [64]holdings
	alone    atomic.Uint32 // number of records without holding
	records  atomic.Int64
	absent   []atomic.Int64 // number of missing amounts, by variable
	guessed  map[string]string
	files    []string // in the order read
	failed   bool
	comma    bool // decimal commas
	width    int  // width of fixed-width records
	who      bool // some table needs the holdings' names
}

// A variable is a column that some table uses.
type variable struct {
	*Variable
	column  int   // field number, for separated records
	codes   *dict // set for a dimension
	amount  bool  // added up, or a weight
	held    bool
	key     bool   // holds the record keys,
	secret  string // or the identifiers from which this secret draws them
	missing [][]byte
}

// holdings numbers the holding codes of one shard.
type holdings struct {
	sync.Mutex
	index map[string]uint32
	names []string // by number, if tables need them
}

var holdingSeed = maphash.MakeSeed()

// New prepares the tables of specs. workers is the number of parsing goroutines, 0: one for each processor.
func New(source Source, specs []Spec, workers int) (*Tabulator, error) {
	t := &Tabulator{source: source, specs: slices.Clone(specs)}
	t.source.Variables = slices.Clone(source.Variables)
	if len(specs) == 0 {
		return nil, i18n.Errorf("tabulate: no table")
	}
	if !records.Known(source.Encoding) {
		return nil, i18n.Errorf("tabulate: encoding %q, want utf-8, cp932 or cp1252", source.Encoding)
	}
	for _, v := range source.Variables {
		t.width = max(t.width, v.Start-1+v.Length)
	}
	for i := range t.specs {
		p := &t.specs[i]
		p.Name = cmp.Or(p.Name, strings.Join(p.Dims, "_"))
		if slices.ContainsFunc(t.specs[:i], func(q Spec) bool { return q.Name == p.Name }) {
			return nil, i18n.Errorf("table %s: two tables of this name", p.Name)
		}
		if err := p.complete(&t.source); err != nil {
			return nil, i18n.Errorf("table %s: %w", p.Name, err)
		}
		plan, err := t.plan(p)
		if err != nil {
			return nil, i18n.Errorf("table %s: %w", p.Name, err)
		}
		t.plans, t.who = append(t.plans, plan), t.who || p.Who
	}
	t.absent = make([]atomic.Int64, len(t.vars))
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	for range workers {
		t.workers = append(t.workers, newWorker(t))
	}
	for i := range t.holdings {
		t.holdings[i].index = map[string]uint32{}
	}
	return t, nil
}

// plan resolves the variables of a spec.
func (t *Tabulator) plan(p *Spec) (*plan, error) {
	pl := &plan{response: -1, shadow: -1, cost: -1, weight: -1, holding: -1, ask: -1, waive: -1, key: -1}
	find := func(name, role string) (int, error) {
		k := slices.IndexFunc(t.vars, func(v *variable) bool { return strings.EqualFold(v.Name, name) })
		if k >= 0 {
			return k, nil
		}
		s := &t.source
		at := slices.IndexFunc(s.Variables, func(v Variable) bool { return strings.EqualFold(v.Name, name) })
		if at < 0 {
			if !s.Header {
				names := sets.List(len(s.Variables), func(i int) string { return s.Variables[i].Name })
				return 0, i18n.Errorf("%s %q: no such variable%s; the variables are %s", role, name, near.Hint(name, names, ""), strings.Join(names, ", "))
			}
			t.vars = append(t.vars, &variable{Variable: &Variable{Name: name}, column: -1})
			return len(t.vars) - 1, nil
		}
		v := s.Variables[at]
		if s.Separator == 0 && !s.Header && (v.Start < 1 || v.Length < 1) {
			return 0, i18n.Errorf("%s %q: start %d, length %d: want both from 1 in a file of fixed width", role, name, v.Start, v.Length)
		}
		column := at
		if s.Header {
			column = -1
		}
		t.vars = append(t.vars, &variable{Variable: &v, column: column})
		return len(t.vars) - 1, nil
	}
	for _, name := range p.Dims {
		v, err := find(name, "dimension")
		if err != nil {
			return nil, err
		}
		if t.vars[v].codes == nil {
			t.vars[v].codes = newDict(t.vars[v].Variable, t.source.Total)
		}
		pl.dims = append(pl.dims, v)
	}
	for _, r := range []struct {
		name, role string
		to         *int
		amount     bool
	}{
		{p.Response, "response", &pl.response, true},
		{p.Shadow, "shadow variable", &pl.shadow, true},
		{p.Cost, "cost", &pl.cost, true},
		{p.Weight, "weight", &pl.weight, true},
		{p.Holding, "holding", &pl.holding, false},
		{p.Request, "request variable", &pl.ask, false},
		{p.Waiver, "waiver variable", &pl.waive, false},
	} {
		if r.name == "" || r.role == "cost" && (r.name == "-1" || r.name == "-2") {
			continue
		}
		v, err := find(r.name, r.role)
		if err != nil {
			return nil, err
		}
		*r.to = v
		t.vars[v].amount = t.vars[v].amount || r.amount
		t.vars[v].held = t.vars[v].held || r.role == "holding"
		t.vars[v].missing = nil
		for _, m := range t.vars[v].Missing {
			t.vars[v].missing = append(t.vars[v].missing, []byte(strings.TrimSpace(m)))
		}
		if r.role == "request variable" && t.vars[v].Request == [2]string{} {
			return nil, i18n.Errorf("request variable %q: no codes that ask for protection are given", r.name)
		}
		if r.role == "waiver variable" && t.vars[v].Waiver == nil {
			return nil, i18n.Errorf("waiver variable %q: no codes of those who consented are given", r.name)
		}
	}
	if p.Key != "" {
		v, err := find(p.Key, "record key")
		if err != nil {
			return nil, err
		}
		pl.key, t.vars[v].key, t.vars[v].secret = v, true, p.KeySecret
	}
	for _, v := range []int{pl.response, pl.shadow, pl.cost} {
		if v >= 0 && !slices.Contains(pl.sums, v) {
			pl.sums = append(pl.sums, v)
		}
	}
	t.looked(pl, p)
	return pl, nil
}

// looked sets which facts about the contributors a table needs.
func (t *Tabulator) looked(pl *plan, p *Spec) {
	pl.waivers = pl.shadow >= 0 && (pl.waive >= 0 || pl.holding >= 0 && t.source.Waivers != nil)
	pl.least = pl.shadow >= 0 && p.Least
	pl.absolute = pl.shadow >= 0 && p.Rules != nil && p.Rules.Absolute
	if pl.shadow >= 0 {
		pl.places = p.Top
		if p.Rules != nil {
			records, held := p.Rules.Top()
			pl.places, pl.heldPlaces = max(p.Top, records), held
		}
		if pl.holding >= 0 {
			pl.heldPlaces = max(pl.heldPlaces, p.Top)
		}
	}
}

// ReadFile adds the records of the file path.
func (t *Tabulator) ReadFile(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return formats.OSError(path, err)
	}
	defer f.Close()
	return t.Read(ctx, f, path)
}

// Read adds the records of r; name stands for it in messages. Text compressed with gzip is recognised. An error is that
// of the first bad record, a *formats.Error, or wraps ctx.Err(); the tabulator cannot be used after it. Cost linear in
// the text; memory by the number of cells of the tables and, with holdings, of pairs of holding and cell.
func (t *Tabulator) Read(ctx context.Context, r io.Reader, name string) error {
	if t.failed {
		return i18n.Errorf("%s: an earlier file has failed", name)
	}
	err := t.read(ctx, r, name)
	if err != nil {
		t.failed, err = true, parallel.Ended(ctx, err)
	}
	return err
}

func (t *Tabulator) read(ctx context.Context, r io.Reader, name string) error {
	b, _, err := records.Open(r, records.BlockSize, nil)
	if err != nil {
		return formats.InFile(name, err)
	}
	f := &file{Tabulator: t, name: name}
	t.files = append(t.files, name)
	b, _ = records.Carriage(b)
	if b, f.encoding, _, err = records.Begin(b, t.source.Encoding); err != nil {
		return formats.InFile(name, err)
	}
	if t.source.Encoding == "" && f.encoding != records.UTF8 {
		if t.guessed == nil {
			t.guessed = map[string]string{}
		}
		t.guessed[name] = f.encoding
	}
	line := 1
	if t.source.Header {
		if err := f.header(b); err != nil {
			return err
		}
		line = 2
		head, _ := b.Peek(records.BlockSize)
		if n := records.Ruling(head, f.separator); n > 0 {
			b.Discard(n)
			line++
		}
	} else {
		f.separator, f.fields = t.source.Separator, len(t.source.Variables)
		if err := f.columns(); err != nil {
			return err
		}
	}
	err = records.Share(ctx, len(t.workers), func(ctx context.Context, to chan<- records.Block, spare <-chan []byte) error {
		return records.Cutter{Size: records.BlockSize, Max: maxRecord, Lines: true}.Cut(ctx, b, line, to, spare)
	}, func(k int, b records.Block) (int, error) {
		if e := t.workers[k].block(f, b); e != nil {
			return e.Line, e
		}
		return 0, nil
	})
	if err == nil && f.point.Load() && f.comma.Load() {
		return &formats.Error{File: name, Want: i18n.T("amounts with decimals behind a point, and others behind a comma; want one of them throughout; --decimal and --thousands say what they are")}
	}
	t.comma = t.comma || f.comma.Load()
	return formats.InFile(name, err)
}

// A file is an input while it is being read.
type file struct {
	*Tabulator
	name      string
	encoding  string
	separator byte
	fields    int
	at        []int // variable in each field, −1 none
	last      int   // the last field with a variable

	point, comma atomic.Bool // some amount has this decimal mark
}

// header reads the names of the columns.
func (f *file) header(b *bufio.Reader) error {
	text, err := b.ReadSlice('\n')
	if len(text) == 0 || err != nil && err != io.EOF {
		return &formats.Error{File: f.name, Want: i18n.T("no header, want a line of names")}
	}
	text = bytes.TrimRight(text, "\r\n")
	if f.separator = f.source.Separator; f.separator == 0 {
		f.separator = records.Separator(text)
	}
	s := records.Splitter{Sep: f.separator}
	if !s.Line(text) {
		return &formats.Error{File: f.name, Line: 1, Want: i18n.T(`a quote " that is not closed on its line`)}
	}
	var names []string
	for _, x := range s.Fields {
		n, ok := records.Decode(bytes.TrimSpace(x), f.encoding)
		if !ok {
			return &formats.Error{File: f.name, Line: 1, Value: fmt.Sprintf("%q", n), Want: records.Not(f.encoding)}
		}
		names = append(names, n)
	}
	f.fields = len(names)
	for _, v := range f.vars {
		v.column = slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, v.Name) })
		if v.column < 0 {
			return &formats.Error{File: f.name, Line: 1, Value: v.Name, Want: i18n.T("no such column%s; the columns are %s", near.Hint(v.Name, names, ""), i18n.Names("", names))}
		}
	}
	return f.columns()
}

// columns finds which variable is in which field.
func (f *file) columns() error {
	if f.separator == 0 {
		return nil
	}
	f.at = slices.Repeat([]int{-1}, f.fields)
	for k, v := range f.vars {
		f.at[v.column] = k
		f.last = max(f.last, v.column)
	}
	return nil
}

// A worker parses blocks into its own accumulators.
type worker struct {
	t        *Tabulator
	cells    []*cells
	local    []map[string]int32 // by variable: bytes of a code → its number
	recent   [][]byte           // the last code of each variable
	id       []int32            // and its number
	held     []uint32
	consents []bool  // by variable: the record's holding or respondent consented
	u        []int64 // amounts of the record
	keys     []recordkey.Key
	keyed    []*recordkey.Keyed // by variable; nil if the file holds the keys
	drawn    [][]drawn          // keys drawn so far
	scale    []int              // decimals of amounts, by variable
	one      []int64            // 10^scale
	text     [][]byte
	at       []int // reused by columns
	split    records.Splitter
}

func newWorker(t *Tabulator) *worker {
	n := len(t.vars)
	w := &worker{t: t, local: make([]map[string]int32, n), recent: make([][]byte, n), id: make([]int32, n), held: make([]uint32, n), consents: make([]bool, n),
		u: make([]int64, n), scale: make([]int, n), one: make([]int64, n), text: make([][]byte, n),
		keys: make([]recordkey.Key, n), keyed: make([]*recordkey.Keyed, n), drawn: make([][]drawn, n)}
	for _, p := range t.plans {
		w.cells = append(w.cells, newCells(p))
	}
	for k, v := range t.vars {
		w.local[k] = map[string]int32{}
		w.scale[k] = min(max(v.Decimals, 0), table.MaxDecimals)
		w.one[k] = table.Pow10(w.scale[k])
		if v.secret != "" {
			w.keyed[k] = recordkey.NewKeyed(v.secret)
		}
	}
	return w
}

// block adds the records of one block.
func (w *worker) block(f *file, b records.Block) *formats.Error {
	text, line := b.Text, b.Line-1
	n := int64(0)
	for len(text) > 0 {
		line++
		end := bytes.IndexByte(text, '\n')
		rec := text[:end]
		text = text[end+1:]
		for len(rec) > 0 && rec[len(rec)-1] == '\r' {
			rec = rec[:len(rec)-1]
		}
		if len(bytes.TrimSpace(rec)) == 0 {
			continue
		}
		n++
		if e := w.record(f, rec, line); e != nil {
			e.File, e.Line = f.name, line
			return e
		}
	}
	w.t.records.Add(n)
	return nil
}

// record adds one record.
func (w *worker) record(f *file, rec []byte, line int) *formats.Error {
	if e := w.fieldsOf(f, rec); e != nil {
		return e
	}
	for k, v := range w.t.vars {
		text := w.text[k]
		if v.codes != nil || v.held {
			if e := w.code(f, k, v, text); e != nil {
				return e
			}
		}
		if v.amount {
			if e := w.amount(f, k, v, bytes.TrimSpace(text)); e != nil {
				return e
			}
		}
		if v.key {
			if e := w.recordKey(k, v, bytes.TrimSpace(text), line); e != nil {
				return e
			}
		}
	}
	for _, c := range w.cells {
		if e := w.add(c); e != nil {
			return e
		}
	}
	return nil
}

// recordKey reads or draws the record's key.
func (w *worker) recordKey(k int, v *variable, text []byte, line int) *formats.Error {
	if len(text) == 0 {
		return &formats.Error{Field: v.Name, Want: i18n.T("empty; every record needs a key, or what it is drawn from")}
	}
	if w.keyed[k] != nil {
		w.keys[k] = w.keyed[k].Of(text)
		w.drawn[k] = append(w.drawn[k], drawn{w.keys[k], int32(len(w.t.files) - 1), int64(line)})
		return nil
	}
	var err error
	if w.keys[k], err = recordkey.Parse(string(text)); err != nil {
		return &formats.Error{Field: v.Name, Want: i18n.T("%s", err)} // the message does not show the value: it is a secret
	}
	return nil
}

// columns finds the text of every variable in a fixed-width UTF-8 record that has the right number of characters but
// too many bytes: its writer counted characters.
func (w *worker) columns(rec []byte) {
	at := append(w.at[:0], 0) // offsets of characters
	for n := 0; n < len(rec); {
		_, size := utf8.DecodeRune(rec[n:])
		n += size
		at = append(at, n)
	}
	for k, v := range w.t.vars {
		w.text[k] = rec[at[v.Start-1]:at[v.Start-1+v.Length]]
	}
	w.at = at
}

// fieldsOf finds the text of every variable in a record.
func (w *worker) fieldsOf(f *file, rec []byte) *formats.Error {
	if f.separator == 0 {
		if f.encoding == records.UTF8 && len(rec) > w.t.width && utf8.RuneCount(rec) == w.t.width {
			w.columns(rec)
			return nil
		}
		for k, v := range w.t.vars {
			end := v.Start - 1 + v.Length
			if end > len(rec) {
				return &formats.Error{Value: fmt.Sprintf("%d bytes", len(rec)), Want: i18n.T("want at least %d, the end of %s", end, v.Name)}
			}
			w.text[k] = rec[v.Start-1 : end]
		}
		return nil
	}
	w.split.Sep = f.separator
	if !w.split.Line(rec) {
		return &formats.Error{Want: i18n.T(`a quote " that is not closed on its line`)}
	}
	if n := len(w.split.Fields); n != f.fields {
		return &formats.Error{Value: fmt.Sprintf("%d fields", n), Want: i18n.T("want %d", f.fields)}
	}
	for c, k := range f.at {
		if k >= 0 {
			w.text[k] = w.split.Fields[c]
		}
	}
	return nil
}

// code looks up the number of a code.
func (w *worker) code(f *file, k int, v *variable, text []byte) *formats.Error {
	if w.recent[k] != nil && bytes.Equal(text, w.recent[k]) && (!v.held || len(bytes.TrimSpace(text)) > 0) {
		return nil
	}
	w.recent[k] = append(w.recent[k][:0], text...)
	if v.held {
		name := bytes.TrimSpace(text)
		w.held[k] = w.t.holding(name, f.encoding)
		if w.consents[k] = false; len(name) > 0 && w.t.source.Waivers != nil {
			code, _ := records.Decode(name, f.encoding)
			w.consents[k] = w.t.source.Waivers[code]
		}
	}
	if v.codes == nil {
		return nil
	}
	id, ok := w.local[k][string(text)]
	if !ok {
		code, good := records.Decode(text, f.encoding)
		code = strings.TrimSpace(code)
		if !good {
			return &formats.Error{Field: v.Name, Value: fmt.Sprintf("%q", text), Want: records.Not(f.encoding)}
		}
		var want i18n.Text
		if id, want = v.codes.id(code); !want.IsZero() {
			value := ""
			if code != "" {
				value = fmt.Sprintf("%q", code)
			}
			return &formats.Error{Field: v.Name, Value: value, Want: want}
		}
		w.local[k][string(text)] = id
	}
	w.id[k] = id
	return nil
}

// holding returns the number of a holding; a record without a holding code gets one of its own.
func (t *Tabulator) holding(code []byte, encoding string) uint32 {
	if len(code) == 0 {
		return ^(t.alone.Add(1) - 1)
	}
	part := maphash.Bytes(holdingSeed, code) % uint64(len(t.holdings))
	h := &t.holdings[part]
	h.Lock()
	id, ok := h.index[string(code)]
	if !ok {
		id = uint32(len(h.index)*len(t.holdings)) + uint32(part)
		h.index[string(code)] = id
		if t.who {
			name, _ := records.Decode(code, encoding)
			h.names = append(h.names, name)
		}
	}
	h.Unlock()
	return id
}

// amount parses a number into the units of its variable.
func (w *worker) amount(f *file, k int, v *variable, text []byte) *formats.Error {
	bad := func(want i18n.Text) *formats.Error {
		value := ""
		if len(text) > 0 {
			value = fmt.Sprintf("%q", text)
		}
		return &formats.Error{Field: v.Name, Value: value, Want: want}
	}
	for _, m := range v.missing {
		if len(text) == 0 || bytes.Equal(text, m) {
			w.u[k] = 0
			w.t.absent[k].Add(1)
			return nil
		}
	}
	if len(text) == 0 {
		return bad(i18n.T("empty, want a number"))
	}
	u, scale, err := number(text)
	if w.t.source.Numbers != (table.Notation{}) {
		how := w.t.source.Numbers
		var d table.Decimal
		d, err = how.Parse(string(text), 0, v.Name)
		u, scale = d.Unscaled, d.Scale
	} else if k := bytes.IndexAny(text, ".,"); k >= 0 && err == nil {
		if seen := &f.point; text[k] == '.' && !seen.Load() {
			seen.Store(true)
		} else if seen := &f.comma; text[k] == ',' && !seen.Load() {
			seen.Store(true)
		}
	}
	if errors.Is(err, table.ErrEither) {
		return bad(records.Advice(string(text)))
	} else if err != nil {
		return bad(i18n.T("%s", err))
	}
	for scale > w.scale[k] && u%10 == 0 {
		u /= 10
		scale--
	}
	if scale > w.scale[k] {
		if !w.grow(k, scale) {
			return bad(i18n.T("with its %d decimals the amounts before it need more than 18 digits; round the data", scale))
		}
	}
	if scale < w.scale[k] {
		p := table.Pow10(w.scale[k] - scale)
		if u > maxAmount/p || u < -maxAmount/p {
			return bad(i18n.T("does not fit beside amounts with %d decimals in 18 digits; round the data", w.scale[k]))
		}
		u *= p
	}
	w.u[k] = u
	return nil
}

// grow raises the decimals of variable k to scale.
func (w *worker) grow(k, scale int) bool {
	f := table.Pow10(scale - w.scale[k])
	ok := true
	for _, c := range w.cells {
		ok = c.rescale(k, f) && ok
	}
	w.scale[k], w.one[k] = scale, table.Pow10(scale)
	return ok
}

// add adds the current record to one table.
func (w *worker) add(c *cells) *formats.Error {
	var k key
	for d, v := range c.dims {
		k.set(d, w.id[v])
	}
	weight := int64(1)
	if c.plan.weight >= 0 {
		v := w.t.vars[c.plan.weight]
		if weight = w.u[c.plan.weight]; weight < 0 {
			return &formats.Error{Field: v.Name, Value: table.FormatDecimal(weight, w.scale[c.plan.weight]), Want: i18n.T("weights must be ≥ 0")}
		}
	}
	ask := uint8(0)
	if c.ask >= 0 {
		text := bytes.TrimSpace(w.text[c.ask])
		for n, r := range w.t.vars[c.ask].Request {
			if r != "" && string(text) == strings.TrimSpace(r) {
				ask = uint8(n + 1)
				break
			}
		}
	}
	i := c.cell(k)
	ok := true
	for s, v := range c.sums {
		x := num.Int128Of(w.u[v])
		if c.plan.weight >= 0 {
			x = num.Product(w.u[v], uint64(weight))
		}
		ok = plus(&c.sum[s][i], x) && ok
	}
	waived := w.waived(c)
	if c.shadow >= 0 {
		x := max(w.u[c.shadow], -w.u[c.shadow])
		c.consent(i, x, waived)
		if c.least {
			c.lows[i] = min(c.lows[i], x)
		}
		ok = c.size(i, x, weight) && ok
	}
	if c.shadow >= 0 && c.places > 0 {
		x := max(w.u[c.shadow], -w.u[c.shadow])
		if c.plan.weight >= 0 {
			c.heavy[i] = lay(c.heavy[i], table.Contribution{X: x, W: weight, Request: ask}, c.places, w.one[c.plan.weight])
		} else {
			c.push(i, c.n[i], x, ask, 0)
		}
	}
	if c.plan.weight >= 0 {
		ok = plus(&c.weight[i], num.Int128Of(weight)) && ok
	}
	if c.ask >= 0 && ask > 0 {
		c.asked[i] = true
	}
	if c.plan.key >= 0 {
		c.keys[i] = recordkey.Add(c.keys[i], w.keys[c.plan.key])
		if c.response >= 0 && w.u[c.response] != 0 {
			c.nonzero[i] = recordkey.Add(c.nonzero[i], w.keys[c.plan.key])
		}
	}
	c.n[i]++
	if c.plan.holding >= 0 {
		x, to := num.Int128{}, pair{holding: w.held[c.plan.holding], cell: i}
		if c.shadow >= 0 {
			x = num.Int128Of(w.u[c.shadow])
		}
		if c.plan.weight >= 0 {
			to.w = weight
		}
		ok = c.hold(to, x, ask, waived) && ok
	}
	if !ok {
		return &formats.Error{Want: i18n.T("sums need too many digits; round the data")}
	}
	return nil
}

// waived reports whether the record's contributor consented to disclosure.
func (w *worker) waived(c *cells) bool {
	if !c.waivers {
		return false
	}
	if c.plan.holding >= 0 && w.consents[c.plan.holding] {
		return true
	}
	return c.waive >= 0 && slices.Contains(w.t.vars[c.waive].Waiver, string(bytes.TrimSpace(w.text[c.waive])))
}

// Seen returns the number of records read; for every variable with missing amounts, which count as 0, their number; and
// by file name the encodings that had to be guessed for files that are not UTF-8.
func (t *Tabulator) Seen() (records int64, missing map[string]int64, guessed map[string]string) {
	missing = map[string]int64{}
	for k, v := range t.vars {
		if n := t.absent[k].Load(); n > 0 {
			missing[v.Name] = n
		}
	}
	return t.records.Load(), missing, t.guessed
}

// sameScale gives the amounts of all workers the same decimals.
func (t *Tabulator) sameScale() error {
	for k, v := range t.vars {
		top := slices.MaxFunc(t.workers, func(a, b *worker) int { return cmp.Compare(a.scale[k], b.scale[k]) }).scale[k]
		for _, w := range t.workers {
			if w.scale[k] < top && !w.grow(k, top) {
				return i18n.Errorf("variable %q: amounts with %d decimals need more than 18 digits; round the data", v.Name, top)
			}
		}
	}
	return nil
}
