package tabulate

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/heavy"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

var _ = heavy.Properties()

// rec is a record of the random microdata: codes, amounts, weight, holding, request.
type rec struct {
	code    [3]string
	x, y, w *big.Rat
	text    [3]string // of x, y, w as they stand in the file
	holding string
	ask     string
}

func (r rec) line() string {
	return strings.Join([]string{r.code[0], r.code[1], r.code[2], r.text[0], r.text[1], r.text[2], r.holding, r.ask}, ",")
}

const head = "A,B,C,X,Y,W,H,R\n"

// amount draws an exact number and one of its spellings.
func amount(t *rapid.T, label string, least, most int64) (*big.Rat, string) {
	scale := rapid.IntRange(0, 4).Draw(t, label+" scale")
	u := rapid.Int64Range(least, most).Draw(t, label)
	s := table.FormatDecimal(u, scale)
	if rapid.Bool().Draw(t, label+" zeros") && strings.Contains(s, ".") {
		s += "00"
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic(s)
	}
	return r, s
}

func drawRecords(t *rapid.T, weighted bool) []rec {
	ties := rapid.Bool().Draw(t, "ties")
	n := rapid.IntRange(0, 40).Draw(t, "records")
	out := make([]rec, n)
	for i := range out {
		r := &out[i]
		r.code = [3]string{
			rapid.SampledFrom([]string{"a1", "a2", "b1", "c", "99"}).Draw(t, "A"),
			rapid.SampledFrom([]string{"1", "2", "10"}).Draw(t, "B"),
			rapid.SampledFrom([]string{"111", "112", "121", "2 1"}).Draw(t, "C"),
		}
		r.x, r.text[0] = amount(t, "x", -30, 300)
		if r.y, r.text[1] = amount(t, "y", -10, 50); ties { // many equal contributions
			r.y, r.text[1] = big.NewRat(5, 2), "2.5"
			if rapid.IntRange(0, 3).Draw(t, "other") == 0 {
				r.y, r.text[1] = big.NewRat(1, 1), "1"
			}
		}
		r.w, r.text[2] = big.NewRat(1, 1), "1"
		if weighted {
			r.w, r.text[2] = amount(t, "w", 0, 40)
		}
		r.holding = rapid.SampledFrom([]string{"", "h1", "h2", "h3", "h4"}).Draw(t, "H")
		r.ask = rapid.SampledFrom([]string{"", "", "0", "1", "2"}).Draw(t, "R")
	}
	return out
}

func testSource(t testing.TB) Source {
	a := must.Get(table.NewDimension("A", "all", []table.Edge{
		{Code: "a", Parent: "all"}, {Code: "a1", Parent: "a"}, {Code: "a2", Parent: "a"}, {Code: "b", Parent: "all"}, {Code: "b1", Parent: "b"}, {Code: "c", Parent: "all"}, {Code: "d", Parent: "all"}}))(t)
	return Source{Header: true, Variables: []Variable{
		{Name: "A", Tree: &a, Missing: []string{"99"}}, {Name: "C", Levels: []int{1, 1, 1}},
		{Name: "W", Weight: true}, {Name: "H", Holding: true}, {Name: "R", Request: [2]string{"1", "2"}},
	}}
}

// margins are the codes above one, itself included.
func margins(d int, code string) []string {
	switch {
	case d == 0 && code != "c" && code != "99":
		return []string{code, code[:1], "all"}
	case d == 0:
		return []string{code, "all"}
	case d == 2:
		return []string{code, code[:2], code[:1], "Total"}
	}
	return []string{code, "Total"}
}

// tabulate runs the package over texts, each a file.
func tabulate(t interface{ Fatal(...any) }, source Source, specs []Spec, workers int, texts ...string) []*Result {
	tab, err := New(source, specs, workers)
	if err != nil {
		t.Fatal(err)
	}
	for k, text := range texts {
		if err := tab.Read(context.Background(), strings.NewReader(text), fmt.Sprintf("file%d", k)); err != nil {
			t.Fatal(err)
		}
	}
	out, err := tab.Tables()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// naive is one cell computed record by record.
type naive struct {
	rows []rec
}

// A contributor is an amount of as many respondents as w says; asked is 3 for not.
type contributor struct {
	x, w *big.Rat
	ask  string
}

// contributors are the records, or the holdings, n of them. A holding whose records have
// different weights stands for several: as many as w − v, for each weight w and the next smaller
// v (or 0), have its records of weight w or more.
func contributors(rows []rec, holding bool, amount func(rec) *big.Rat) (all []contributor, n int64) {
	of := map[string][]rec{}
	for i, r := range rows {
		name := fmt.Sprint("record ", i)
		if holding && r.holding != "" {
			name = r.holding
		}
		of[name] = append(of[name], r)
	}
	for _, own := range of {
		ask := "3"
		for _, r := range own {
			if r.ask == "1" || r.ask == "2" {
				ask = min(ask, r.ask)
			}
		}
		slices.SortFunc(own, func(a, b rec) int { return a.w.Cmp(b.w) })
		below := new(big.Rat)
		for i, r := range own {
			if i > 0 && r.w.Cmp(own[i-1].w) == 0 {
				continue
			}
			x := new(big.Rat)
			for _, s := range own {
				if s.w.Cmp(r.w) >= 0 {
					x.Add(x, amount(s))
				}
			}
			all = append(all, contributor{x.Abs(x), new(big.Rat).Sub(r.w, below), ask})
			below = r.w
		}
	}
	slices.SortStableFunc(all, func(a, b contributor) int {
		if c := b.x.Cmp(a.x); c != 0 {
			return c
		}
		return strings.Compare(a.ask, b.ask)
	})
	return all, int64(len(of))
}

// fill is what n places hold, filled from the largest contributor down.
func fill(all []contributor, n int) *big.Rat {
	left, sum := big.NewRat(int64(n), 1), new(big.Rat)
	for _, c := range all {
		take := c.w
		if take.Cmp(left) > 0 {
			take = left
		}
		left = new(big.Rat).Sub(left, take)
		sum.Add(sum, new(big.Rat).Mul(take, c.x))
	}
	return sum
}

// of returns what a variable is of a record.
func of(name string) func(rec) *big.Rat {
	if name == "Y" {
		return func(r rec) *big.Rat { return r.y }
	}
	return func(r rec) *big.Rat { return r.x }
}

// shadow is the variable of the contributions.
func (p *Spec) shadow() func(rec) *big.Rat {
	if p.Shadow != "" {
		return of(p.Shadow)
	}
	return of(p.Response)
}

// judgeNaive applies rules as they are written down, with fractions.
func judgeNaive(rows []rec, p Spec, response func(rec) *big.Rat) (reason table.Reason, upl *big.Rat) {
	amount := p.shadow()
	x := new(big.Rat)
	for _, r := range rows {
		x.Add(x, new(big.Rat).Mul(amount(r), r.w))
	}
	group := func(holding bool) []contributor {
		all, _ := contributors(rows, holding, amount)
		return all
	}
	count := func(holding bool) int64 {
		_, n := contributors(rows, holding, amount)
		return n
	}
	top := fill
	hundred := big.NewRat(100, 1)
	ratOf := func(d table.Decimal) *big.Rat {
		r, _ := new(big.Rat).SetString(d.String())
		return r
	}
	var total *big.Rat
	hit := func(why table.Reason, u *big.Rat) {
		if reason == table.NoReason {
			reason = why
		}
		if total == nil || u.Cmp(total) > 0 {
			total = u
		}
	}
	for _, d := range p.Rules.Dominance {
		s := top(group(d.Holding), d.N)
		if x.Sign() > 0 && new(big.Rat).Quo(new(big.Rat).Mul(hundred, s), x).Cmp(ratOf(d.K)) > 0 {
			hit(table.ByDominance, new(big.Rat).Quo(new(big.Rat).Mul(hundred, s), ratOf(d.K)))
		}
	}
	for _, q := range p.Rules.PQ {
		all := group(q.Holding)
		u := new(big.Rat).Quo(ratOf(q.P), ratOf(q.Q))
		u.Mul(u, top(all, 1)).Add(u, top(all, q.N+1))
		if u.Cmp(x) > 0 {
			hit(table.ByPercent, u)
		}
	}
	v := new(big.Rat)
	for _, r := range rows {
		v.Add(v, new(big.Rat).Mul(response(r), r.w))
	}
	v.Abs(v)
	percent := func(d table.Decimal) *big.Rat {
		u := new(big.Rat).Mul(v, ratOf(d))
		return u.Quo(u, hundred)
	}
	few := func() *table.MinFreq {
		for i, f := range p.Rules.MinFreq {
			n := new(big.Rat)
			if f.Holding || f.Respondents {
				n.SetInt64(count(f.Holding || p.Holding != ""))
			} else {
				for _, r := range rows {
					n.Add(n, r.w)
				}
			}
			if n.Sign() > 0 && n.Cmp(big.NewRat(f.M, 1)) < 0 {
				return &p.Rules.MinFreq[i]
			}
		}
		return nil
	}()
	if reason != table.NoReason {
		d := new(big.Rat).Sub(total, x)
		switch {
		case d.Sign() > 0 && x.Sign() == 0:
			return reason, v
		case d.Sign() > 0:
			d.Quo(d, x)
			return reason, d.Mul(d.Abs(d), v)
		case few != nil:
			return reason, percent(*few.Range)
		}
		return reason, percent(table.Decimal{Unscaled: 20})
	}
	for _, q := range p.Rules.Request {
		all := group(q.Holding)
		asked := slices.ContainsFunc(all, func(c contributor) bool { return c.ask != "3" })
		share := false
		if all[0].ask != "3" && x.Sign() > 0 {
			k := int(all[0].ask[0] - '1')
			u := new(big.Rat).Quo(new(big.Rat).Mul(hundred, top(all, 1)), x)
			share = u.Cmp(ratOf(q.P[k])) > 0
		}
		if share || asked && count(q.Holding) < q.M {
			return table.ByRequest, percent(q.Margin)
		}
	}
	if few != nil {
		return table.ByFrequency, percent(*few.Range)
	}
	if p.Rules.Zero != nil && v.Sign() == 0 {
		return table.ByZero, ratOf(*p.Rules.Zero)
	}
	return table.NoReason, new(big.Rat)
}

// Values, contributors, rules and levels agree with a computation record by record
// and cell by cell; the number of workers, the order of the records, and how they are
// spread over files do not matter.
func TestOracle(t *testing.T) {
	t.Parallel()
	source := testSource(t)
	rapid.Check(t, func(t *rapid.T) {
		ruleText := rapid.SampledFrom([]string{
			"NK(2,75)|P(20,1)|FREQ(3,30)|ZERO(7)",
			"P(10,40,2)|FREQ(2,15)|REQ(50,20,3,12)",
			"NK(1,80)|NK(3,95)|P(0,0)|P(0,0)|P(15,2)|FREQ(0,0)|FREQ(3,25)",
			"NK(0,0)|NK(0,0)|NK(2,70)|REQ(0,0,0,0)|REQ(40,60,2,9)",
			"NK(1,60)|P(30,2)|FREQ(4,10)|WGT(1)",
			"REQ(70,20,0,9)|WGT(1)", "REQ(70,20,2,9)|ZERO(1)",
			"NK(2,75)|P(20,1)|RESP(3,30)|WGT(1)", "RESP(2,9)|FREQ(5,20)|REQ(60,30,3,4)|WGT(1)",
			"NK(1,60)|NK(0,0)|NK(2,80)|P(30,1)|P(0,0)|P(25,2)|FREQ(2,5)|FREQ(3,10)|REQ(50,20,2,5)|REQ(40,60,3,9)|WGT(1)",
			"P(0,0)|P(0,0)|P(15,1)|FREQ(0,0)|FREQ(3,5)|RESP(4,7)|WGT(1)",
		}).Draw(t, "rules")
		r, err := table.ParseRules(ruleText)
		if err != nil {
			t.Fatal(err)
		}
		rows := drawRecords(t, r.Weighted)
		if !r.Weighted {
			for i := range rows {
				rows[i].w = big.NewRat(1, 1)
			}
		}
		several, err := Spec{Name: "several", Dims: []string{"A", "C"}, Response: "X,Y"}.Split()
		if err != nil {
			t.Fatal(err)
		}
		specs := append([]Spec{
			{Name: "one", Dims: []string{"A", "B", "C"}, Response: "X", Shadow: "Y", Top: 2},
			{Name: "two", Dims: []string{"C", "A"}, Response: "Y", Cost: "X", Top: 3},
		}, several...)
		held := rapid.Bool().Draw(t, "holding")
		if held && rapid.Bool().Draw(t, "every rule") {
			r = r.ByHolding()
		}
		for k := range specs {
			specs[k].Rules = r
			if held || r.Holdings() {
				specs[k].Holding = "H"
			}
			if strings.Contains(ruleText, "REQ") {
				specs[k].Request = "R"
			}
		}
		text := head
		for _, r := range rows {
			text += r.line() + "\n"
		}
		out := tabulate(t, source, specs, 1, text)
		for k, p := range specs {
			compare(t, out[k], p, rows)
		}
		if len(rows) == 0 {
			return
		}
		// Permuted, in two files, by several workers.
		perm := rapid.Permutation(rows).Draw(t, "order")
		half := rapid.IntRange(0, len(rows)).Draw(t, "split")
		files := []string{head, head}
		for i, r := range perm {
			k := 0
			if i >= half {
				k = 1
			}
			files[k] += r.line() + "\r\n"
		}
		again := tabulate(t, source, specs, 3, files...)
		for k := range specs {
			var a, b bytes.Buffer
			if _, err := out[k].write(&a); err != nil {
				t.Fatal(err)
			}
			if _, err := again[k].write(&b); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Fatalf("the order of the records matters:\n%s\n%s", &a, &b)
			}
		}
	})
}

func compare(t *rapid.T, out *Result, p Spec, rows []rec) {
	ofDim := map[string]int{"A": 0, "B": 1, "C": 2}
	cells := map[string]*naive{}
	for _, r := range rows {
		var names []string
		for i, d := range p.Dims {
			up := margins(ofDim[d], r.code[ofDim[d]])
			var next []string
			for _, u := range up {
				if i == 0 {
					next = append(next, u)
				}
				for _, n := range names {
					next = append(next, n+"/"+u)
				}
			}
			names = next
		}
		for _, n := range names {
			if cells[n] == nil {
				cells[n] = &naive{}
			}
			cells[n].rows = append(cells[n].rows, r)
		}
	}
	if out.Len() != len(cells) {
		t.Fatalf("%s: %d cells, want %d", p.Name, out.Len(), len(cells))
	}
	response := of(p.Response)
	for n := range out.Len() {
		c, err := out.Cell(n)
		if err != nil {
			t.Fatal(err)
		}
		w := cells[out.CellName(n)]
		if w == nil {
			t.Fatalf("%s: cell %s should be empty", p.Name, out.CellName(n))
		}
		value, cost := new(big.Rat), new(big.Rat)
		for _, r := range w.rows {
			value.Add(value, new(big.Rat).Mul(response(r), r.w))
			cost.Add(cost, new(big.Rat).Mul(r.x, r.w))
		}
		is := func(what string, d table.Decimal, want *big.Rat) {
			got, _ := new(big.Rat).SetString(d.String())
			if got.Cmp(want) != 0 {
				t.Fatalf("%s: cell %s: %s %s, want %s", p.Name, out.CellName(n), what, d, want.FloatString(9))
			}
		}
		is("value", c.Value, value)
		if p.Cost != "" {
			is("cost", c.Cost, cost.Abs(cost))
		}
		if c.Records != int64(len(w.rows)) {
			t.Fatalf("%s: cell %s: %d records, want %d", p.Name, out.CellName(n), c.Records, len(w.rows))
		}
		all, contributing := contributors(w.rows, p.Holding != "", p.shadow())
		if c.Freq != contributing {
			t.Fatalf("%s: cell %s: %d contributors, want %d", p.Name, out.CellName(n), c.Freq, contributing)
		}
		for m, x := range c.Max {
			is(fmt.Sprintf("max%d", m+1), x, new(big.Rat).Sub(fill(all, m+1), fill(all, m)))
		}
		if len(c.Max) < p.Top && fill(all, p.Top).Cmp(fill(all, len(c.Max))) != 0 {
			t.Fatalf("%s: cell %s: %d largest contributions, want more", p.Name, out.CellName(n), len(c.Max))
		}
		reason, upl := judgeNaive(w.rows, p, response)
		if c.Verdict.Reason != reason {
			t.Fatalf("%s: cell %s: %v, want %v", p.Name, out.CellName(n), c.Verdict.Reason, reason)
		}
		if reason == table.NoReason {
			continue
		}
		floor := new(big.Rat).SetFrac64(1, table.Pow10(c.Contribs.Decimals))
		if upl.Cmp(floor) < 0 {
			upl = floor
		}
		got, _ := new(big.Rat).SetString(c.Verdict.UPL.String())
		if d := got.Sub(got, upl); d.Sign() < 0 || d.Cmp(floor.Quo(floor, big.NewRat(1000, 1))) >= 0 {
			t.Fatalf("%s: cell %s: UPL %s, want %s", p.Name, out.CellName(n), c.Verdict.UPL, upl.FloatString(9))
		}
	}
}

// Where every record is a holding of its own, holdings are records, weighted or not.
func TestHoldingsOfOneRecord(t *testing.T) {
	source := testSource(t)
	rapid.Check(t, func(t *rapid.T) {
		rules := "NK(2,75)|P(20,1)|RESP(3,30)|REQ(50,20,3,12)"
		weighted := rapid.Bool().Draw(t, "weighted")
		if weighted {
			rules += "|WGT(1)"
		}
		r, err := table.ParseRules(rules)
		if err != nil {
			t.Fatal(err)
		}
		rows := drawRecords(t, weighted)
		text := head
		for i := range rows {
			if rows[i].holding != "" {
				rows[i].holding = fmt.Sprint("h", i)
			}
			text += rows[i].line() + "\n"
		}
		byRecord := Spec{Name: "record", Dims: []string{"A", "C"}, Response: "X", Shadow: "Y", Request: "R", Rules: r, Top: 3}
		byHolding := byRecord
		byHolding.Name, byHolding.Holding, byHolding.Rules = "holding", "H", r.ByHolding()
		var files [2]bytes.Buffer
		for k, out := range tabulate(t, source, []Spec{byRecord, byHolding}, 2, text) {
			if _, err := out.write(&files[k]); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Fatalf("by record\n%s\nby holding\n%s", &files[0], &files[1])
		}
	})
}
