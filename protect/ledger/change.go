package ledger

import (
	"math/big"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Change bounds how far values move from one period to the next: by at most P/Q of the earlier value.
type Change struct {
	Response string // a code of the dimension "response"; "": every response
	P, Q     int32
}

// response is the dimension in which Change.Response is a code.
const response = "response"

// ParseChange reads "30%" or "turnover=30%", a percentage above 0 of at most three decimals.
func ParseChange(text string) (Change, error) {
	c := Change{}
	name, share, ok := strings.Cut(text, "=")
	if !ok {
		name, share = "", text
	}
	c.Response = name
	number, percent := strings.CutSuffix(share, "%")
	d, err := table.ParseDecimal(number)
	if ok && name == "" || !percent || err != nil || d.Unscaled <= 0 || d.Scale > 3 || d.Unscaled > 1_000_000 {
		return c, i18n.Errorf("%q: want a percentage like 30%% or RESPONSE=30%%, of at most three decimals", text)
	}
	r := big.NewRat(d.Unscaled, 100*table.Pow10(d.Scale))
	c.P, c.Q = int32(r.Num().Int64()), int32(r.Denom().Int64())
	return c, nil
}

// String returns the text that ParseChange reads.
func (c Change) String() string {
	share := new(big.Rat).SetFrac64(100*int64(c.P), int64(c.Q))
	text := strings.TrimSuffix(strings.TrimRight(share.FloatString(3), "0"), ".") + "%"
	if c.Response != "" {
		return c.Response + "=" + text
	}
	return text
}

// bounds is the dimension that distinguishes the slack cells of bounds on change from all other cells.
const bounds = "bound"

// periods returns the codes of dimension d in order of time.
func (x *joiner) periods(d int) []int32 {
	var codes []int32
	if x.opt.Periods != nil {
		for _, p := range x.opt.Periods {
			if c := slices.Index(x.Dims[d].Codes, p); c >= 0 {
				codes = append(codes, int32(c))
			}
		}
		return codes
	}
	for c := range x.Dims[d].Codes {
		if c > 0 || !x.Dims[d].NoTotal {
			codes = append(codes, int32(c))
		}
	}
	slices.SortFunc(codes, func(a, b int32) int { return strings.Compare(x.Dims[d].Codes[a], x.Dims[d].Codes[b]) })
	return codes
}

// changes adds the bounds on change.
func (x *joiner) changes() error {
	if len(x.opt.Changes) == 0 {
		return nil
	}
	d := slices.IndexFunc(x.Dims, func(d table.Dimension) bool { return d.Name == Period })
	if d < 0 {
		return i18n.Errorf("bounds on change are from one period to the next, but no table has a period")
	}
	e := slices.IndexFunc(x.Dims, func(d table.Dimension) bool { return d.Name == response })
	periods := x.periods(d)
	groups := slices.Clone(x.order)
	x.widen()
	for _, c := range x.opt.Changes {
		code := int32(-1)
		if c.Response != "" {
			if e >= 0 {
				code = int32(slices.Index(x.Dims[e].Codes, c.Response))
			}
			if code < 0 {
				return i18n.Errorf("bound on change %s: no table has the response %q", c, c.Response)
			}
		}
		for _, g := range groups {
			at := slices.Index(periods, g.coord[d])
			if at < 1 || code >= 0 && g.coord[e] != code || len(g.members()) == 0 {
				continue
			}
			then := slices.Clone(g.coord)
			then[d] = periods[at-1]
			if before := x.groups[key(then)]; before != nil && len(before.members()) > 0 {
				x.bound(c, g, before.members()[0], g.members()[0])
			}
		}
	}
	return nil
}

// widen adds the dimension of the slack cells of bounds on change; all other cells stand at its total.
func (x *joiner) widen() {
	k := len(x.Dims)
	wide := make([]int32, 0, (k+1)*x.Len())
	for i := range x.Len() {
		wide = append(append(wide, x.Coord[i*k:i*k+k]...), 0)
	}
	x.Coord = wide
	x.Dims = append(x.Dims, table.Dimension{Name: bounds, Codes: []string{"="}, Parent: []int32{-1}})
}

// bound adds that cell now is within c of cell then. A bound that known values violate is left out: whoever assumes it
// is wrong.
func (x *joiner) bound(c Change, g *group, then, now int32) {
	if !x.Withheld[then] && !x.Withheld[now] && x.Status[then] == table.Published && x.Status[now] == table.Published {
		return // both values are published
	}
	if x.Lower[then] < 0 || x.Lower[now] < 0 {
		x.skip("the bound %s on %s is left out, as the cell may be below 0", c, x.Where(int(now)))
		return
	}
	known := !x.Missing[then] && !x.Missing[now]
	type part struct {
		name  string
		a, b  int32 // a·then + b·now = slack
		value *big.Int
	}
	parts := []part{{"≤ +" + c.String(), c.Q + c.P, -c.Q, nil}}
	if c.Q > c.P {
		parts = append(parts, part{"≥ −" + c.String(), c.P - c.Q, c.Q, nil})
	}
	for k := range parts {
		p := &parts[k]
		if !known {
			continue
		}
		p.value = new(big.Int).Mul(big.NewInt(int64(p.a)), big.NewInt(x.Value[then]))
		p.value.Add(p.value, new(big.Int).Mul(big.NewInt(int64(p.b)), big.NewInt(x.Value[now])))
		if p.value.Sign() < 0 || !p.value.IsInt64() {
			x.skip("the bound %s on %s is left out, as it does not hold", c, x.Where(int(now)))
			return
		}
	}
	for _, p := range parts {
		code := int32(slices.Index(x.Dims[len(x.Dims)-1].Codes, p.name))
		if code < 0 {
			last := &x.Dims[len(x.Dims)-1]
			code = int32(len(last.Codes))
			last.Codes, last.Parent = append(last.Codes, p.name), append(last.Parent, 0)
		}
		s := int32(x.Len())
		x.rooms[int(s)] = i18n.T("the room of %s (%s of %s)", x.Where(int(now)), p.name, x.Where(int(then)))
		x.Coord = append(append(x.Coord, g.coord...), code)
		value := int64(0)
		if p.value != nil {
			value = p.value.Int64()
		}
		x.Value, x.Missing = append(x.Value, value), append(x.Missing, p.value == nil)
		x.Status, x.Withheld = append(x.Status, table.Withheld), append(x.Withheld, true)
		x.LPL, x.UPL, x.Width = append(x.LPL, 0), append(x.UPL, 0), append(x.Width, 0)
		x.Lower, x.Upper = append(x.Lower, 0), append(x.Upper, table.PosInf)
		x.Cost, x.Freq = append(x.Cost, 0), append(x.Freq, -1)
		x.origin = append(x.origin, origin{-2, now})
		x.relate([]int32{then, now, s}, []int32{p.a, p.b, -1}, 0, -1, -1, i18n.T("%s is %s of %s", x.Where(int(now)), p.name, x.Where(int(then))))
	}
}
