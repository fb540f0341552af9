package adversary

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/cli"
)

// records writes what the tables are made of, one record a line, and who consented to being heard.
func (w *world) records() {
	lines := [][]string{{"r", "k", "m", "firm", "v", "w", "key"}}
	waived := map[string]bool{}
	for _, c := range w.all(w.sheets[0], w.responses[0]) {
		if !c.inner() {
			continue
		}
		list := w.from[c]
		if w.kind == "count" {
			list = make([]brought, max(0, w.shown(c)))
		}
		for _, b := range list {
			lines = append(lines, []string{c.r, c.k, b.m, b.firm, fmt.Sprint(b.x), fmt.Sprint(b.w), fmt.Sprintf("0.%08d", w.rng.IntN(1e8))})
			if b.waived {
				waived[b.firm] = true
			}
		}
	}
	w.save("records.csv", lines)
	var names [][]string
	for _, f := range sorted(waived) {
		names = append(names, []string{f})
	}
	w.save("waivers.txt", names)
}

// tabulate makes the tables from records.
func (w *world) tabulate(o *outcome) bool {
	for _, s := range w.sheets {
		spec := "dims r," + s.by + "; response v; top 3"
		args := []string{"tabulate", "records.csv", "--p-percent", fmt.Sprint(w.percent), "-q", "-o", s.file}
		if w.has("weights") {
			spec += "; weight w"
		}
		if w.has("waivers") {
			spec += "; holding firm"
			args = append(args, "--waivers", "waivers.txt")
		}
		if r, _ := w.ask(o, append(args, "--table", spec)...); r.code != cli.Done || o.fault != nil {
			return false
		}
		// Its marks are those of the rule, written naively.
		lines, err := w.heard(s.file, s, "value")
		if err != nil {
			o.wrong("tabulate: file", err.Error(), "a table")
			return false
		}
		for _, l := range lines {
			n := w.need[l.cell]
			if v := fmt.Sprint(w.shown(l.cell)); v != l.value {
				o.wrong("tabulate: value", fmt.Sprintf("%v is %s", l.cell, l.value), v)
			}
			if (l.status == "u") != (n != nil) {
				o.wrong("tabulate: sensitive", fmt.Sprintf("%v has status %s", l.cell, l.status), fmt.Sprintf("sensitive %v of %+v", n != nil, w.from[l.cell]))
			}
		}
	}
	if w.rng.IntN(2) == 0 { // the marks and levels of the files do
		w.office = slices.DeleteFunc(w.office, func(f string) bool { return f == "--p-percent" || f == fmt.Sprint(w.percent) })
	}
	return o.fault == nil
}

// reload takes the numbers of the file that a maker is given for those of the case, where another maker has made it.
func (w *world) reload(in string, n int) {
	if n == 0 {
		return
	}
	lines, err := w.heard(in, w.sheets[0], w.responses[0])
	if err != nil {
		return
	}
	for _, l := range lines {
		if v, ok := new(big.Rat).SetString(l.value); ok && v.IsInt() {
			w.truth[l.cell] = v.Num().Int64() * unit
		}
	}
	w.need = map[cell]*need{}
	w.mark()
}

// round rounds and looks at what a reader learns.
func (w *world) round(o *outcome, in string, n int) {
	base := []int64{2, 3, 5, 10}[w.rng.IntN(4)]
	kind := "controlled"
	if w.rng.IntN(3) == 0 {
		kind = "conventional"
	}
	args := append([]string{"round", in, "--base", fmt.Sprint(base), "--kind", kind, "--intervals"}, w.flags()...)
	r, docs := w.ask(o, append(args, "--json", "-o", fmt.Sprintf("out%s.csv", strings.Repeat("2", n)))...)
	if docs == nil || o.fault != nil {
		return
	}
	w.reload(in, n)
	d := docs[0]
	about := fmt.Sprintf("status %s, exit code %d, %s", d.Status, r.code, strings.TrimSpace(r.stderr))
	if d.Status == "infeasible" {
		if r.code != cli.Verdict {
			o.wrong("round: exit code", about, "1")
		}
		w.note("no rounding")
		return
	}
	k := w.reader()
	k.adds(w.sheets[0], w.responses[0])
	published := map[cell]*big.Rat{}
	step := new(big.Rat).SetInt64(base)
	for _, v := range d.Values {
		c := coded(v.Codes, w.sheets)
		c.response = w.responses[0]
		y := v.Published.Rat
		published[c] = y
		if y == nil || !new(big.Rat).Quo(y, step).IsInt() {
			o.wrong("round: no multiple", fmt.Sprintf("%v is %v", c, v.Published), fmt.Sprint(base))
			return
		}
		at := y.Num().Int64()
		lo, hi := at, at
		for a := at - base; a <= at+base; a++ { // whole numbers that are rounded to it
			back := kind == "controlled" && abs(a-at) < base
			if kind == "conventional" {
				back = 2*abs(a-at) < base || 2*abs(a-at) == base && abs(at) > abs(a)
			}
			if back {
				lo, hi = min(lo, a), max(hi, a)
			}
		}
		k.within(c, lo*unit, hi*unit, "rounded")
		if b, ok := w.bounds[c]; ok {
			k.within(c, b[0], b[1], "bounds")
		}
	}
	w.beside(k)
	if k.lie != "" {
		o.wrong("round: a false word in what is published", k.lie+"; "+about, "the truth")
		return
	}
	if kind == "controlled" {
		w.addsUp(o, "round", published)
	}
	w.learned(o, d, k, r, about)
	w.rereadRounded(o, fmt.Sprintf("out%s.csv", strings.Repeat("2", n)), k, base, kind)
}

// addsUp looks at the sums of published numbers. A line that the file lacks is 0; a sum none of whose parts stand in the file is no sum of it.
func (w *world) addsUp(o *outcome, verb string, published map[cell]*big.Rat) {
	for _, sum := range w.sums(w.sheets[0], w.responses[0]) {
		v, parts := new(big.Rat), 0
		for _, c := range sum[1:] {
			if published[c] != nil {
				v.Add(v, published[c])
				parts++
			}
		}
		y := published[sum[0]]
		if parts > 0 && (y == nil && v.Sign() != 0 || y != nil && y.Cmp(v) != 0) {
			o.wrong(verb+": does not add up", fmt.Sprintf("%v", sum), v.RatString())
			return
		}
	}
}

// learned judges what is said that a reader learns of rounded values.
func (w *world) learned(o *outcome, d said, k *reader, r *reply, about string) {
	if d.Learned == nil || o.fault != nil {
		return
	}
	all := true
	for _, c := range d.Learned.Cells {
		name := coded(c.Codes, w.sheets)
		name.response = w.responses[0]
		lo, hi := k.interval(name)
		was := fmt.Sprintf("%v in [%v, %v], protected %v, disclosed %v; %s", name, c.Lower, c.Upper, c.Protected, c.Disclosed, about)
		right := fmt.Sprintf("[%s, %s]", end(lo), end(hi))
		n := w.need[name]
		if !sameEnds(c, lo, hi) {
			o.wrong("round: false end", was, right)
		}
		if c.Sensitive != (n != nil) {
			o.wrong("round: sensitive", was, fmt.Sprint(n != nil))
		}
		if point := lo != nil && hi != nil && lo.Cmp(hi) == 0; point != c.Disclosed {
			o.wrong("round: disclosed", was, fmt.Sprint(point))
		}
		if n != nil {
			ok := k.span(name).reaches(n)
			all = all && ok
			if ok != c.Protected {
				o.wrong("round: protected", was, fmt.Sprintf("%s, protected %v", right, ok))
			}
		}
	}
	if (d.Learned.Verdict == "protected") != all {
		o.wrong("round: verdict", d.Learned.Verdict+"; "+about, fmt.Sprint(all))
	}
	if r.code != verdictCode(d.Learned.Verdict) {
		o.wrong("round: exit code", about, fmt.Sprint(verdictCode(d.Learned.Verdict)))
	}
}

// rereadRounded audits rounded values as they are published.
func (w *world) rereadRounded(o *outcome, file string, office *reader, base int64, kind string) {
	if o.fault != nil || w.bounds != nil {
		return
	}
	args := append([]string{"audit", file, "--rounded", fmt.Sprint(base), "--kind", kind, "--json", "--width", fmt.Sprint(max(1, w.width))}, w.known...)
	_, docs := w.ask(o, args...)
	if docs == nil || o.fault != nil {
		return
	}
	for _, c := range docs[0].cells() {
		name := coded(c.Codes, w.sheets)
		name.response = w.responses[0]
		lo, hi := office.interval(name)
		if !sameEnds(c, lo, hi) {
			o.wrong("audit --rounded: false end", fmt.Sprintf("%v in [%v, %v]", name, c.Lower, c.Upper), fmt.Sprintf("[%s, %s]", end(lo), end(hi)))
		}
	}
	w.fill(o, file, w.sheets[0])
}

// adjust moves sensitive cells by their levels.
func (w *world) adjust(o *outcome, in string, n int) {
	out := fmt.Sprintf("out%s.csv", strings.Repeat("2", n))
	args := append([]string{"adjust", in}, w.flags()...)
	if w.rng.IntN(3) == 0 {
		args = append(args, "--norm", "l2")
	}
	r, docs := w.ask(o, append(args, "--json", "-o", out)...)
	if docs == nil || o.fault != nil {
		return
	}
	w.reload(in, n)
	d := docs[0]
	about := fmt.Sprintf("status %s, exit code %d, %s", d.Status, r.code, strings.TrimSpace(r.stderr))
	if d.Status == "infeasible" || d.Status == "none" {
		if r.code == cli.Done {
			o.wrong("adjust: exit code", about, "not 0")
		}
		w.note("no adjustment")
		return
	}
	if r.code != cli.Done {
		o.wrong("adjust: exit code", about, "0")
	}
	published := map[cell]*big.Rat{}
	for _, v := range d.Values {
		c := coded(v.Codes, w.sheets)
		c.response = w.responses[0]
		published[c] = v.Published.Rat
		if v.Published.Rat == nil {
			o.wrong("adjust: no value", fmt.Sprint(c), "a value")
			return
		}
		if !v.Published.IsInt() {
			o.wrong("adjust: decimals", fmt.Sprintf("%v is %v", c, v.Published), "a whole number, as the values are")
		}
		moved := new(big.Rat).Sub(v.Published.Rat, new(big.Rat).SetInt64(w.shown(c)))
		if n := w.need[c]; n != nil {
			half := new(big.Rat).Mul(n.width, big.NewRat(1, 2))
			far := func(level *big.Rat, by *big.Rat) bool {
				return by.Cmp(level) >= 0 && by.Cmp(half) >= 0 && by.Cmp(big.NewRat(1, 1)) >= 0
			}
			if !far(n.up, moved) && !far(n.down, new(big.Rat).Neg(moved)) {
				o.wrong("adjust: not far enough", fmt.Sprintf("%v moved by %s; %s", c, moved.RatString(), about), fmt.Sprintf("%s up or %s down, half of %s", n.up.RatString(), n.down.RatString(), n.width.RatString()))
			}
		}
		lo, hi := new(big.Rat).SetFrac64(w.least, unit), new(big.Rat)
		if b, ok := w.bounds[c]; ok && v.Published.Rat.Cmp(hi.SetFrac64(b[1], unit)) > 0 || ok && v.Published.Rat.Cmp(lo.SetFrac64(b[0], unit)) < 0 || v.Published.Rat.Cmp(lo) < 0 {
			o.wrong("adjust: out of bounds", fmt.Sprintf("%v is %v", c, v.Published), fmt.Sprint(b))
		}
	}
	w.addsUp(o, "adjust", published)
	w.fill(o, out, w.sheets[0])
}

// cellkey adds noise to counts and judges the attack on it.
func (w *world) cellkey(o *outcome) {
	spec := "dims r,k"
	args := []string{"cellkey", "records.csv", "--record-key", "key", "--max-noise", "2", "--variance", "1", "--attack", "--json", "-o", "out.csv"}
	if w.has("weights") {
		spec += "; weight w"
	}
	if w.has("waivers") {
		args = append(args, "--waivers", "waivers.txt")
	}
	args = append(args, "--table", spec)
	args = append(args, w.rules...)
	args = append(args, w.known...)
	args = append(args, w.seen...)
	for _, r := range w.releases {
		args = append(args, "--published", r)
	}
	if r, _ := w.ask(o, args...); r.code != cli.Usage && o.fault == nil {
		w.judgeNoise(o, r)
	}
}

func (w *world) judgeNoise(o *outcome, r *reply) {
	var d struct {
		PTable []struct{ Count, Least, Largest int64 }
		Attack struct {
			Verdict string
			Cells   []struct {
				Codes            []string
				Count, Published int64
				Interval         [2]int64
				Disclosed        bool
			}
		}
	}
	if err := json.Unmarshal([]byte(r.stdout), &d); err != nil || len(d.PTable) == 0 {
		o.wrong("cellkey: document", r.stdout, "a document")
		return
	}
	lines, err := w.heard("out.csv", w.sheets[0], "freq")
	if err != nil {
		o.wrong("cellkey: file", err.Error(), "a table")
		return
	}
	published := map[cell]int64{}
	for _, l := range lines {
		v, _ := new(big.Rat).SetString(l.value)
		c := l.cell
		c.response = ""
		published[c] = v.Num().Int64()
	}
	// Counts, not values, are what is known of.
	count := map[cell]int64{}
	for _, c := range w.all(w.sheets[0], w.responses[0]) {
		n := w.shown(c)
		if w.kind != "count" {
			n = 0
			for _, in := range w.all(w.sheets[0], w.responses[0]) {
				if in.inner() && (c.r == in.r || c.r == total) && (c.k == in.k || c.k == total) {
					n += int64(len(w.from[in]))
				}
			}
		}
		c.response = ""
		count[c] = n
	}
	own := &world{codes: w.codes, sheets: w.sheets, truth: map[cell]int64{}, responses: []string{""}}
	for c, n := range count {
		own.truth[c] = n * unit
	}
	k := own.reader()
	k.adds(w.sheets[0], "")
	for c := range count {
		y := published[c]
		lo, hi := int64(-1), int64(-1)
		for n := range y + 10 {
			row := d.PTable[min(n, int64(len(d.PTable))-1)]
			if y-n >= row.Least && y-n <= row.Largest {
				if lo < 0 {
					lo = n
				}
				hi = n
			}
		}
		k.within(c, lo*unit, hi*unit, "noise")
	}
	if k.lie != "" {
		o.wrong("cellkey: noise", k.lie, "noise of the perturbation table")
		return
	}
	open := false
	for _, c := range d.Attack.Cells {
		name := coded(c.Codes, w.sheets)
		lo, hi := k.interval(name)
		was := fmt.Sprintf("%v, %d records, in %v, disclosed %v, verdict %s", name, c.Count, c.Interval, c.Disclosed, d.Attack.Verdict)
		right := fmt.Sprintf("%d records, in [%s, %s]", count[name], end(lo), end(hi))
		if new(big.Rat).SetInt64(c.Interval[0]).Cmp(lo) < 0 || new(big.Rat).SetInt64(c.Interval[1]).Cmp(hi) > 0 || c.Count != count[name] || c.Count < c.Interval[0] || c.Count > c.Interval[1] {
			o.wrong("cellkey: interval", was, right)
		}
		open = open || c.Interval[0] == c.Interval[1] && c.Count > 0
	}
	for _, c := range w.all(w.sheets[0], "") {
		if lo, hi := k.interval(c); count[c] > 0 && lo.Cmp(hi) == 0 {
			open = true
		}
	}
	if open && d.Attack.Verdict == "protected" || r.code != verdictCode(d.Attack.Verdict) {
		o.wrong("cellkey: verdict", fmt.Sprintf("%s, exit code %d", d.Attack.Verdict, r.code), fmt.Sprintf("disclosed: %v", open))
	}
}
