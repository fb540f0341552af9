package table

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A Level is a protection level: an absolute number or a percentage of |value|.
type Level struct {
	Decimal
	Percent bool
}

// ParseLevel reads "8", "0.5" or "15%".
func ParseLevel(s string) (Level, error) {
	s = strings.TrimSpace(s)
	num, percent := strings.CutSuffix(s, "%")
	d, err := ParseDecimal(num)
	if err != nil {
		return Level{}, i18n.Errorf("%q: want a number or a percentage like 15%%", s)
	}
	if d.Unscaled < 0 {
		return Level{}, i18n.Errorf("%q: protection levels must be ≥ 0", s)
	}
	return Level{d, percent}, nil
}

// Levels are the protection levels for sensitive cells that have none of their own on that side. nil leaves cells as
// they are. A sensitive cell of unknown value gets only an absolute width.
type Levels struct {
	LPL, UPL, Width *Level
}

// SetLevels fills LPL, UPL and Width of the sensitive cells; levels already in the table win. Levels are exact, never
// rounded: the table is rescaled if a percentage needs more decimals. A percentage asks for at least one unit of the
// values' last decimal (as in τ-ARGUS), so that a sensitive 0 is protected at all; but LPL never exceeds |value|.
func (t *Table) SetLevels(l Levels) error {
	need, before := t.Decimals, t.Decimals
	for _, v := range []*Level{l.LPL, l.UPL, l.Width} {
		switch {
		case v == nil || v.Unscaled == 0:
		case v.Percent:
			need = max(need, t.Decimals+v.Scale+percentDecimals(v.Unscaled))
		default:
			need = max(need, v.Scale)
		}
	}
	if need > t.Decimals {
		trial := need // a percentage of round values may need fewer decimals than assumed
		for trial > t.Decimals && t.levelsFit(l, trial-1) {
			trial--
		}
		if err := t.Rescale(trial); err != nil {
			return err
		}
	}
	for i := range t.Status {
		for side, from := range l.of(t, i) {
			to := [...][]int64{t.Width, t.LPL, t.UPL}[side]
			if from == nil || to[i] != 0 {
				continue
			}
			v, ok := t.level(i, *from, t.Decimals)
			if !ok {
				return &CellError{t.CellName(i), "value", FormatDecimal(t.Value[i], t.Decimals), i18n.T("its level does not fit 18 digits")}
			}
			if from.Percent && from.Unscaled > 0 {
				v = max(v, Pow10(t.Decimals-before))
				if side == 1 {
					v = min(v, num.Abs(t.Value[i]))
				}
			}
			to[i] = v
		}
	}
	return nil
}

// of returns the levels Width, LPL and UPL that apply to cell i, nil for none.
func (l *Levels) of(t *Table, i int) [3]*Level {
	switch {
	case t.Status[i] != Sensitive:
		return [3]*Level{}
	case t.Known(i):
		return [3]*Level{l.Width, l.LPL, l.UPL}
	case l.Width != nil && !l.Width.Percent:
		return [3]*Level{l.Width}
	}
	return [3]*Level{}
}

// percentDecimals returns how many more decimals p % of a number can need: 2, less the trailing zeros of p.
func percentDecimals(p int64) int {
	k := 2
	for ; k > 0 && p%10 == 0; k-- {
		p /= 10
	}
	return k
}

func (t *Table) levelsFit(l Levels, decimals int) bool {
	for i := range t.Status {
		for _, v := range l.of(t, i) {
			if v == nil {
				continue
			}
			if _, ok := t.level(i, *v, decimals); !ok {
				return false
			}
		}
	}
	return true
}

// level returns level l of cell i in units of 10^−decimals; false if it is not exact.
func (t *Table) level(i int, l Level, decimals int) (int64, bool) {
	if !l.Percent {
		return l.At(decimals)
	}
	// |a|·p/100 with a = Value·10^−Decimals, p = Unscaled·10^−Scale.
	num := new(big.Int).Mul(big.NewInt(num.Abs(t.Value[i])), big.NewInt(l.Unscaled))
	num.Mul(num, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil))
	den := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Decimals+l.Scale+2)), nil)
	rem := new(big.Int)
	num.QuoRem(num, den, rem)
	return num.Int64(), rem.Sign() == 0 && num.IsInt64() && num.Int64() <= maxMagnitude
}

// MinimumFrequency applies the minimum frequency rule (最小度数ルール): it marks as sensitive every cell with 1 ≤ freq < n (0
// ≤ freq < n if zeros) that may be withheld, and returns how many it marked. Cells that the rule hits but that must
// stay published are left alone and returned in skipped. It fails if the table has no frequencies.
func (t *Table) MinimumFrequency(n int64, zeros bool) (marked int, skipped []int, err error) {
	if err := t.counted(); err != nil {
		return 0, nil, err
	}
	freq := t.Freq
	if freq == nil {
		freq = t.Value
	}
	lo := int64(1)
	if zeros {
		lo = 0
	}
	for i, f := range freq {
		if t.Freq == nil && !t.Known(i) || f < lo || f >= n {
			continue
		}
		switch t.Status[i] {
		case Safe, Withheld:
			t.Status[i] = Sensitive
			t.setReason(i, ByFrequency)
			marked++
		case Published:
			skipped = append(skipped, i)
		}
	}
	return marked, skipped, nil
}

// counted reports what the minimum-frequency rule lacks: numbers of contributors, or that of a cell which would pass for
// safe because nobody knows it. A cell of value 0 tells of nobody.
func (t *Table) counted() error {
	if t.Freq == nil {
		if t.Counts {
			return nil
		}
		return i18n.Errorf("table %s: the minimum-frequency rule needs the number of contributors (a column freq, or a table of counts)", t.Name)
	}
	for i, f := range t.Freq {
		if f < 0 && t.Status[i] == Safe && t.Known(i) && t.Value[i] != 0 {
			return i18n.Errorf("table %s: cell %s: the number of contributors, which the minimum-frequency rule needs, is not known; want a number, or a status of the cell", t.Name, t.CellName(i))
		}
	}
	return nil
}

// PublishMargins gives every safe cell with a margin code the status Published.
func (t *Table) PublishMargins() {
	leaves := t.Leaves()
	for i, st := range t.Status {
		if st == Safe && t.IsMargin(i, leaves) {
			t.Status[i] = Published
		}
	}
}

// Bits of Table.Given: which bounds a cell has of its own.
const (
	LowerSide uint8 = 1 << iota
	UpperSide
)

// SetBounds sets the intruder's bounds of every cell; nil leaves a side alone. Bounds Given for single cells are kept
// or narrowed: an intruder who knows that a cell is between −15 and −9 still does when told that no cell is below
// −1000. If bounds cross, the first such cell is returned as a *CellError.
func (t *Table) SetBounds(lower, upper *Decimal) error {
	for _, s := range []struct {
		side   uint8
		to     []int64
		v      *Decimal
		narrow func(a, b int64) int64
	}{{LowerSide, t.Lower, lower, func(a, b int64) int64 { return max(a, b) }}, {UpperSide, t.Upper, upper, func(a, b int64) int64 { return min(a, b) }}} {
		if s.v == nil {
			continue
		}
		if s.v.Scale > t.Decimals {
			if err := t.Rescale(s.v.Scale); err != nil {
				return err
			}
		}
		u, ok := s.v.At(t.Decimals)
		if !ok {
			return i18n.Errorf("table %s: bound %s: %w", t.Name, s.v, ErrOutOfRange)
		}
		for i, old := range s.to {
			s.to[i] = u
			if t.Given != nil && t.Given[i]&s.side != 0 {
				s.to[i] = s.narrow(old, u)
			}
		}
	}
	return t.Validate()
}

// Give records that cell i has bounds of its own on these sides.
func (t *Table) Give(i int, sides uint8) {
	if sides == 0 {
		return
	}
	if t.Given == nil {
		t.Given = make([]uint8, t.Len())
	}
	t.Given[i] |= sides
}

// A CostKind names a way to price the withholding of a cell.
type CostKind struct {
	Kind  string  // "count", "value", "freq", "power" or "given"
	Power float64 // for "power"
}

// ParseCost reads count, value, freq, given or power:λ with 0 ≤ λ ≤ 1.
func ParseCost(s string) (CostKind, error) {
	switch s {
	case "count", "value", "freq", "given":
		return CostKind{Kind: s}, nil
	}
	if p, ok := strings.CutPrefix(s, "power:"); ok {
		λ, err := strconv.ParseFloat(p, 64)
		if err == nil && λ >= 0 && λ <= 1 {
			return CostKind{"power", λ}, nil
		}
		return CostKind{}, i18n.Errorf("cost %q: want a λ from 0 to 1: power:1 is the price value, power:0.5 its square root, power:0 its logarithm", s)
	}
	return CostKind{}, i18n.Errorf("cost %q: want count, value, freq, given or power:λ with 0 ≤ λ ≤ 1", s)
}

// powerDecimals is the precision of Box–Cox costs, which are irrational.
const powerDecimals = 6

// SetCost prices every cell:
//
//	count  1
//	value  max(1, |a|)
//	freq   max(1, number of contributors)
//	power  max(1, |a|)^λ, and ln(max(1, |a|)+1) for λ = 0, rounded to 6 decimals,
//	       or to fewer so that the largest cost has at most 18 digits
//	given  as in the input
//
// Unknown values cost 1.
func (t *Table) SetCost(k CostKind) error {
	switch k.Kind {
	case "given":
		return nil
	case "count":
		t.CostDecimals = 0
		for i := range t.Cost {
			t.Cost[i] = 1
		}
	case "value":
		t.CostDecimals = t.Decimals
		for i := range t.Cost {
			t.Cost[i], _ = t.valueCost(i)
		}
	case "freq":
		if t.Freq == nil && !t.Counts {
			return i18n.Errorf("table %s: cost freq needs the number of contributors (a column freq, or a table of counts)", t.Name)
		}
		t.CostDecimals = 0
		for i := range t.Cost {
			f := t.Value[i]
			if t.Freq != nil {
				f = t.Freq[i]
			}
			t.Cost[i] = max(1, f)
		}
	case "power":
		t.setPowerCost(k.Power)
	default:
		return i18n.Errorf("table %s: unknown cost %q", t.Name, k.Kind)
	}
	return nil
}

// setPowerCost is SetCost for kind power.
func (t *Table) setPowerCost(λ float64) {
	unit := float64(Pow10(t.Decimals))
	cost := make([]float64, t.Len())
	top := 1.0
	for i := range cost {
		cost[i] = 1
		if !t.Known(i) {
			continue
		}
		v := max(1, math.Abs(float64(t.Value[i]))/unit)
		if cost[i] = math.Log(v + 1); λ > 0 {
			cost[i] = math.Pow(v, λ)
		}
		top = max(top, cost[i])
	}
	t.CostDecimals = powerDecimals
	for t.CostDecimals > 0 && top*float64(Pow10(t.CostDecimals)) > maxMagnitude {
		t.CostDecimals--
	}
	for i, c := range cost {
		t.Cost[i] = int64(math.Round(c * float64(Pow10(t.CostDecimals))))
	}
}

// valueCost returns max(1, |a_i|) in units of 10^−CostDecimals; ok is false if that has more than 18 digits, which is
// possible only if CostDecimals > Decimals.
func (t *Table) valueCost(i int) (c int64, ok bool) {
	one := Pow10(t.Decimals)
	v := one
	if t.Known(i) {
		v = max(one, num.Abs(t.Value[i]))
	}
	for d := t.Decimals; d < t.CostDecimals; d++ {
		if v > maxMagnitude/10 {
			return 0, false
		}
		v *= 10
	}
	return v, true
}
