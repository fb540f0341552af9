package adversary

import (
	"fmt"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/cli"
)

// An outcome is what became of a case.
type outcome struct {
	*fault
	met     int    // commands that answered, and were judged
	refused string // what the first refusal said
}

func (o *outcome) wrong(kind, was, right string) {
	if o.fault == nil {
		o.fault = &fault{kind, was, right}
	}
}

// ask runs a command and looks at what no answer may be.
func (w *world) ask(o *outcome, args ...string) (r *reply, docs []said) {
	for k, a := range args {
		if strings.HasSuffix(a, ".csv") || strings.HasSuffix(a, ".toml") || strings.HasSuffix(a, ".txt") || a == "outputs" {
			args[k] = w.path(a)
		}
	}
	r = run(args...)
	r.stdout, r.stderr = strings.ReplaceAll(r.stdout, w.dir+"/", ""), strings.ReplaceAll(r.stderr, w.dir+"/", "")
	w.lines = append(w.lines, strings.ReplaceAll(r.line(), w.dir+"/", ""))
	switch {
	case r.panic != "":
		o.wrong(args[0]+": panic", r.panic, "an answer")
	case r.code == cli.Usage:
		if !clean.MatchString(r.stderr) || internal.MatchString(r.stderr) {
			o.wrong(args[0]+": no clean refusal", r.stderr, "what is wrong, and where")
		}
		if o.refused == "" {
			o.refused = args[0] + ": " + r.stderr
		}
		return r, nil
	case !slices.Contains(args, "--json"):
	default:
		var err error
		if docs, err = r.documents(); err != nil {
			o.wrong(args[0]+": no document", err.Error(), "JSON")
		}
		o.met++
	}
	return r, docs
}

var (
	clean    = regexp.MustCompile(`(?m)^hitoku: .{12,}`)
	internal = regexp.MustCompile(`panic|goroutine|internal error|nil pointer|out of range \[|protect: |solver: |adversary`)
)

// judge makes the publication of a case and has it read.
func (w *world) judge(o *outcome) {
	if w.kind == "records" && w.makers[0] != "cellkey" && !w.tabulate(o) {
		return
	}
	for n, maker := range w.makers {
		in := w.sheets[0].file
		if n > 0 {
			in = "out.csv" // what another verb has made
			if _, err := os.Stat(w.path(in)); err != nil {
				return
			}
		}
		switch maker {
		case "suppress":
			w.suppress(o)
		case "round":
			w.round(o, in, n)
		case "adjust":
			w.adjust(o, in, n)
		case "cellkey":
			w.cellkey(o)
		}
	}
}

// flags are those of the office, of the features, and of what everybody knows.
func (w *world) flags() (all []string) {
	all = slices.Concat(w.office, w.rules, w.known, w.seen)
	for _, r := range w.releases {
		all = append(all, "--published", r)
	}
	return all
}

func verdictCode(verdict string) cli.Code {
	switch verdict {
	case "unprotected":
		return cli.Verdict
	case "unsettled":
		return cli.Limit
	}
	return cli.Done
}

// suppress withholds cells and reads what was published.
func (w *world) suppress(o *outcome) {
	args := []string{"suppress"}
	for _, s := range w.sheets {
		args = append(args, s.file)
	}
	out := "out.csv"
	if len(w.sheets) > 1 {
		out = "outputs"
	}
	r, docs := w.ask(o, append(args, append(w.flags(), "--json", "-q", "-o", out)...)...)
	if docs == nil || o.fault != nil {
		return
	}
	d := docs[0]
	about := fmt.Sprintf("status %s, audit %s, cost %v, bound %v, pattern %v, exit code %d; %s", d.Status, d.Audit, d.Cost, d.Bound, d.Codes, r.code, strings.TrimSpace(r.stderr))
	switch {
	case d.Status == "optimal" && d.Audit != "protected" && d.Audit != "nothing":
		o.wrong("suppress: optimal beside "+d.Audit, about, "a status of what is proved")
	case d.Audit == "protected" && d.Unions != nil && d.Unions.Verdict != "protected":
		o.wrong("suppress: protected beside sums "+d.Unions.Verdict, about, "one verdict")
	case r.code != verdictCode(d.Audit) && !(r.code == cli.Limit && (d.Status == "none" || d.Partial.Told > 0)) || r.code == cli.Done && d.Partial.Told > 0:
		o.wrong("suppress: exit code", about, fmt.Sprint(verdictCode(d.Audit)))
	case len(docs) > 1:
		o.wrong("suppress: documents", fmt.Sprint(len(docs)), "1")
	case d.Audit == "" && d.Status != "none":
		o.wrong("suppress: no verdict", about, "a verdict")
	}
	switch {
	case o.fault != nil:
	case d.Audit == "nothing": // no rule asks for anything
		w.note("nothing to protect")
		if open := w.open(w.public(map[cell]bool{})); open != "" {
			o.wrong("suppress: nothing to protect", about, open)
		}
	case d.Status == "unprotectable":
		w.judgeNone(o, about)
	case d.Audit == "protected":
		w.judgeProtected(o, d, about, out)
	case d.Status == "none":
		o.wrong("suppress: none without a limit", about, "an answer")
	default:
		w.note("unprotected")
	}
}

// judgeNone refutes that nothing protects the table.
func (w *world) judgeNone(o *outcome, about string) {
	w.note("unprotectable")
	if w.partial && slices.Contains(w.rules, "--max-width") || w.has("defence") || w.rounded { // of rounded values more is asked than readers need (docs/layouts.md)
		return
	}
	all := map[cell]bool{}
	for _, c := range w.cells() {
		c.response = ""
		all[c] = true
	}
	if open := w.open(w.public(all)); open == "" {
		o.wrong("suppress: false unprotectable", about, "everything withheld protects")
	}
}

// open says what a reader learns too closely, "" if nothing.
func (w *world) open(k *reader) string {
	if k.lie != "" {
		return k.lie
	}
	for _, c := range w.cells() {
		n := w.need[c]
		if n == nil {
			continue
		}
		if !k.hidden(c) {
			return fmt.Sprintf("sensitive cell %v is published", c)
		}
		if s := k.span(c); !s.reaches(n) {
			lo, hi := k.interval(c)
			return fmt.Sprintf("cell %v, value %s, is in [%s, %s]; it needs %s below, %s above, %s in width", c, tenths(k.val[k.at[c]]), end(lo), end(hi), n.down.RatString(), n.up.RatString(), n.width.RatString())
		}
	}
	for _, f := range w.with {
		if f.holds == nil {
			continue
		}
		if open := f.holds(w, k); open != "" {
			return open
		}
	}
	return ""
}

// judgeProtected reads what was written, and looks for something cheaper.
func (w *world) judgeProtected(o *outcome, d said, about, out string) {
	w.note("protected")
	k := w.reader()
	k.withheld = map[cell]bool{}
	var files []string
	for _, s := range w.sheets {
		name := out
		if len(w.sheets) > 1 {
			name = out + "/" + s.file
		}
		files = append(files, name)
		for _, response := range w.responses {
			for _, l := range w.read(k, name, s, response) {
				if c := l.cell; l.value == "" {
					c.response = ""
					k.withheld[c] = true
				}
			}
		}
	}
	w.beside(k)
	for c, b := range w.bounds {
		k.within(c, b[0], b[1], "bounds")
	}
	if k.lie != "" {
		o.wrong("suppress: a false word in what is published", k.lie+"; "+about, "the truth")
		return
	}
	// What it says is withheld is.
	for _, codes := range d.Codes {
		if !k.withheld[coded(codes, w.sheets)] {
			o.wrong("suppress: pattern and file", fmt.Sprintf("%v is in the pattern and has a value in the file; %s", codes, about), "one publication")
		}
	}
	if open := w.open(k); open != "" {
		o.wrong("suppress: false protected", about, open)
		return
	}
	if d.Status == "optimal" && !w.partial && !w.rounded && len(w.releases) == 0 && (!w.has("insiders") && !w.has("unions") || w.kind != "records" && !w.marks) {
		w.cheaper(o, d, k.withheld, about)
	}
	if d.Cost.Rat != nil && d.Bound.Rat != nil && d.Bound.Cmp(d.Cost.Rat) > 0 {
		o.wrong("suppress: bound", about, "bound ≤ cost")
	}
	for n, s := range w.sheets {
		w.audit(o, files[n], s)
		w.fill(o, files[n], s)
	}
	if len(w.sheets) == 1 && len(w.responses) == 1 && !w.rounded && (w.has("ledger") || w.rng.IntN(4) == 0) {
		w.check(o, files[0])
	}
}

// coded is the cell of codes in a document.
func coded(codes []string, sheets []sheet) cell {
	if len(codes) < 2 {
		return cell{r: fmt.Sprint(codes)} // of a table that has lost a dimension
	}
	c := cell{"", codes[0], codes[1], total}
	if len(codes) > 2 {
		c.m = codes[2]
	} else if len(sheets) == 1 && sheets[0].by == "m" {
		c.k, c.m = total, codes[1]
	}
	return c
}

// cheaper tries patterns that cost less than what is said to be the cheapest.
func (w *world) cheaper(o *outcome, d said, have map[cell]bool, about string) {
	var names, free []cell
	price := map[cell]int64{}
	sensitive := map[cell]bool{}
	for _, c := range w.cells() {
		n := c
		n.response = ""
		if w.kind == "records" && len(w.from[c]) == 0 {
			continue // no file has it
		}
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
		sensitive[n] = sensitive[n] || w.need[c] != nil
		switch {
		case w.cost != "count":
			price[n] += max(1, abs(w.shown(c)))
		default:
			price[n] = 1
		}
	}
	sum := new(big.Rat)
	for _, n := range names {
		if !sensitive[n] {
			free = append(free, n)
			if have[n] {
				sum.Add(sum, new(big.Rat).SetInt64(price[n]))
			}
		}
	}
	if d.Cost.Rat == nil || sum.Cmp(d.Cost.Rat) != 0 {
		o.wrong("suppress: cost", about, sum.RatString())
		return
	}
	trials := 0
	for m := range uint32(1) << len(free) {
		cost := int64(0)
		for k, n := range free {
			if m>>k&1 != 0 {
				cost += price[n]
			}
		}
		if new(big.Rat).SetInt64(cost).Cmp(d.Cost.Rat) >= 0 || w.rng.IntN(8) > 0 {
			continue
		}
		if trials++; trials > 12 {
			w.note("too many patterns to try")
			return
		}
		x := map[cell]bool{}
		for k, n := range free {
			x[n] = m>>k&1 != 0
		}
		for n, s := range sensitive {
			x[n] = x[n] || s
		}
		// Of patterns under which insiders compute nothing even by bounds none is cheaper ("Protecting against insiders" in docs/insiders.md).
		if k := w.public(x); w.open(k) == "" && (!w.has("insiders") || insiders(w, k, true) == "") {
			var list []string
			for _, n := range names {
				if x[n] {
					list = append(list, n.String())
				}
			}
			o.wrong("suppress: false optimal", about, fmt.Sprintf("%v protects at cost %d", list, cost))
			return
		}
	}
}

// sameEnds compares an interval that is printed with that of a reader.
func sameEnds(c heard, lo, hi *big.Rat) bool { return same(c.Lower.Rat, lo) && same(c.Upper.Rat, hi) }

// reads is what a published file and what everybody knows besides tell.
func (w *world) reads(file string, s sheet, response string, releases bool) (*reader, []line) {
	k := w.reader()
	lines := w.read(k, file, s, response)
	if releases {
		w.beside(k)
	} else {
		w.everybody(k)
	}
	return k, lines
}

// audit asks for the intervals of what was published.
func (w *world) audit(o *outcome, file string, s sheet) {
	if o.fault != nil {
		return
	}
	args := append([]string{"audit", file, "--width", fmt.Sprint(w.width)}, w.known...)
	args = append(args, w.seen...)
	for _, r := range w.releases {
		args = append(args, "--published", r)
	}
	r, docs := w.ask(o, append(args, "--json")...)
	if docs == nil || o.fault != nil {
		return
	}
	if len(docs) != len(w.responses) {
		o.wrong("audit: documents", fmt.Sprint(len(docs)), fmt.Sprint(len(w.responses)))
		return
	}
	worst := cli.Done
	for n, d := range docs {
		k, lines := w.reads(file, s, w.responses[n], true)
		all := true
		listed := map[cell]heard{}
		for _, c := range d.cells() {
			name := coded(c.Codes, []sheet{s})
			name.response = w.responses[n]
			listed[name] = c
		}
		// Where no status tells a sensitive cell, any may be one.
		tells := slices.ContainsFunc(lines, func(l line) bool { return l.status == "u" })
		for _, l := range lines {
			if l.value != "" {
				continue
			}
			l.hasStatus = l.hasStatus && tells
			c, in := listed[l.cell]
			if !in {
				o.wrong("audit: cells", fmt.Sprintf("nothing is said of %v", l.cell), "every withheld cell")
				return
			}
			all = w.judgeRead(o, "audit", k, l, c) && all
		}
		good := "protected"
		if len(listed) == 0 && (len(w.releases) == 0 || d.Verdict == "nothing") { // of no cell nothing is said
			good = "nothing"
		}
		if (d.Verdict == good) != all && len(w.releases) == 0 || d.Verdict == good && !all {
			o.wrong("audit: verdict", d.Verdict, fmt.Sprintf("protected: %v", all))
		}
		worst = cli.Worst(worst, verdictCode(d.Verdict))
	}
	if r.code != worst && len(w.releases) == 0 || r.code == cli.Done && worst != cli.Done {
		o.wrong("audit: exit code", fmt.Sprint(int(r.code)), fmt.Sprint(int(worst)))
	}
}

// judgeRead judges what is said of a withheld cell of a published file, and returns whether it is as open as it needs to be.
func (w *world) judgeRead(o *outcome, verb string, k *reader, l line, c heard) bool {
	s := k.span(l.cell)
	lo, hi := k.interval(l.cell)
	was := fmt.Sprintf("%s: %v in [%v, %v], protected %v, disclosed %v", verb, l.cell, c.Lower, c.Upper, c.Protected, c.Disclosed)
	right := fmt.Sprintf("[%s, %s]", end(lo), end(hi))
	if !sameEnds(c, lo, hi) {
		o.wrong(verb+": false end", was, right)
	}
	width := s.width()
	least := new(big.Rat) // as much as the value would tell, were it published
	if w.rounded {
		least.SetInt64(1)
	}
	disclosed := width != nil && width.Cmp(least) <= 0
	protected := !disclosed && (width == nil || width.Cmp(new(big.Rat).SetInt64(w.width)) >= 0)
	if c.Disclosed != disclosed {
		o.wrong(verb+": disclosed", was, fmt.Sprintf("%s, disclosed %v", right, disclosed))
	}
	if l.hasStatus && l.status == "m" {
		return true
	}
	if c.Protected != protected {
		o.wrong(verb+": protected", was, fmt.Sprintf("%s, protected %v", right, protected))
	}
	return protected
}

// fill asks for numbers in place of withheld ones.
func (w *world) fill(o *outcome, file string, s sheet) {
	if o.fault != nil || !w.has("fill") && w.rng.IntN(3) > 0 || len(w.responses) > 1 && !w.has("fill") {
		return
	}
	args := append([]string{"fill", file}, w.known...)
	_, docs := w.ask(o, append(append(args, w.seen...), "--json", "-o", "filled.csv")...)
	if docs == nil || o.fault != nil {
		return
	}
	k, lines := w.reads(file, s, w.responses[0], false)
	filled := map[cell]*big.Rat{}
	for _, c := range w.all(s, w.responses[0]) {
		filled[c] = new(big.Rat) // where the file has no line
	}
	listed := map[cell]heard{}
	for _, c := range docs[0].Filled {
		name := coded(c.Codes, []sheet{s})
		name.response = w.responses[0]
		listed[name] = c
	}
	for _, l := range lines {
		if l.value != "" {
			filled[l.cell], _ = new(big.Rat).SetString(l.value)
			continue
		}
		c, in := listed[l.cell]
		if !in {
			o.wrong("fill: cells", fmt.Sprintf("nothing is said of %v", l.cell), "every withheld cell")
			return
		}
		lo, hi := k.interval(l.cell)
		was := fmt.Sprintf("fill: %v is %v in [%v, %v]", l.cell, c.Value, c.Lower, c.Upper)
		right := fmt.Sprintf("[%s, %s]", end(lo), end(hi))
		filled[l.cell] = c.Value.Rat
		if !sameEnds(c, lo, hi) {
			o.wrong("fill: false end", was, right)
		} else if v := c.Value.Rat; v == nil || lo != nil && v.Cmp(lo) < 0 || hi != nil && v.Cmp(hi) > 0 {
			o.wrong("fill: outside", was, right)
		}
	}
	for _, sum := range w.sums(s, w.responses[0]) {
		v := new(big.Rat)
		for _, c := range sum[1:] {
			if filled[c] != nil {
				v.Add(v, filled[c])
			}
		}
		if f := filled[sum[0]]; f == nil || f.Cmp(v) != 0 {
			o.wrong("fill: does not add up", fmt.Sprint(filled), fmt.Sprintf("%v is %s", sum[0], v.RatString()))
		}
	}
}

// check puts what was published and all releases into a ledger and has them read together, in an order that is drawn.
func (w *world) check(o *outcome, file string) {
	if o.fault != nil {
		return
	}
	names := append([]string{file}, w.releases...)
	w.rng.Shuffle(len(names), func(a, b int) { names[a], names[b] = names[b], names[a] })
	for _, n := range names {
		r, _ := w.ask(o, append([]string{"ledger", "add", "ledger.toml", n}, w.known...)...)
		if r.code != cli.Done {
			return
		}
	}
	_, docs := w.ask(o, append([]string{"ledger", "check", "ledger.toml", "--width", fmt.Sprint(w.width), "--json"}, w.known...)...)
	if docs == nil || o.fault != nil {
		return
	}
	k := w.reader()
	heard := map[cell]line{}
	for _, n := range names {
		for _, l := range w.read(k, n, w.sheets[0], w.responses[0]) {
			if before, in := heard[l.cell]; l.value == "" && (!in || l.status == "u" && before.status == "m") {
				heard[l.cell] = l
			}
		}
	}
	w.everybody(k)
	all := true
	for _, c := range docs[0].cells() {
		name := coded(c.Codes, w.sheets)
		name.response = w.responses[0]
		l := heard[name]
		l.status, l.hasStatus = map[string]string{"secondary": "m"}[c.Status], true
		all = w.judgeRead(o, "ledger check", k, l, c) && all
	}
	right := "protected"
	if len(docs[0].cells()) == 0 {
		right = "nothing"
	}
	if (docs[0].Verdict == right) != all {
		o.wrong("ledger check: verdict", docs[0].Verdict, fmt.Sprintf("protected: %v", all))
	}
}
