package certificate

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A problem is a table as the proof sees it, rebuilt from the table alone.
type problem struct {
	t      *table.Table
	n      int
	m      int     // number of cells of a layer: x is one number for i, i+m, i+2m, …, named after the first
	up, dn []int64 // U_i and L_i, table.PosInf without bound
	given  []bool  // x_i = 1: sensitive, or withheld beforehand
	moves  []bool  // the cell, or a copy of it, has capacity
	free   []bool  // x_i ∈ {0, 1}: may be withheld and moves; first layer only
	cost   []int64 // costs of free cells with their copies, in multiples of unit
	unit   int64   // greatest common divisor of the costs of free cells
}

func newProblem(t *table.Table) (*problem, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	if _, err := t.TotalCost(); err != nil { // a pattern may also withhold cells that are not free
		return nil, err
	}
	n := t.Len()
	p := &problem{t: t, n: n, m: n / max(1, t.Layers), moves: make([]bool, n), up: make([]int64, n), dn: make([]int64, n), given: make([]bool, n), free: make([]bool, n), cost: make([]int64, n)}
	for i := range n {
		if !t.Known(i) {
			return nil, i18n.Errorf("cell %s has no value; a certificate is about the table before publication", t.CellName(i))
		}
		p.up[i], p.dn[i] = table.PosInf, table.PosInf
		if u := t.Upper[i]; u != table.PosInf {
			if p.up[i] = u - t.Value[i]; p.up[i] < 0 || p.up[i] == table.PosInf {
				return nil, i18n.Errorf("cell %s: %w", t.CellName(i), table.ErrOutOfRange)
			}
		}
		if l := t.Lower[i]; l != table.NegInf {
			if p.dn[i] = t.Value[i] - l; p.dn[i] < 0 || p.dn[i] == table.PosInf {
				return nil, i18n.Errorf("cell %s: %w", t.CellName(i), table.ErrOutOfRange)
			}
		}
		p.given[i] = t.Status[i] == table.Sensitive || t.Status[i] == table.Withheld
	}
	for i := range p.m {
		for k := i; k < n; k += p.m {
			p.moves[i] = p.moves[i] || p.up[k] > 0 || p.dn[k] > 0
		}
		p.free[i] = t.Status[i] == table.Safe && p.moves[i]
		for k := i; k < n; k += p.m {
			p.moves[k] = p.moves[i]
			if p.free[i] {
				p.cost[i] += t.Cost[k]
			}
		}
	}
	for _, w := range p.cost {
		for a, b := p.unit, w; ; a, b = b, a%b {
			if b == 0 {
				p.unit = a
				break
			}
		}
	}
	p.unit = max(1, p.unit)
	for i := range p.cost {
		p.cost[i] /= p.unit
	}
	return p, nil
}

// multiples returns cost in units of the greatest common divisor, rounded up: a pattern costs at least cost if and only
// if it costs at least the result.
func (p *problem) multiples(cost int64) int64 {
	if cost <= 0 {
		return 0
	}
	return (cost-1)/p.unit + 1
}

// raw is the inverse of multiples.
func (p *problem) raw(multiples int64) int64 {
	if multiples > math.MaxInt64/p.unit {
		return math.MaxInt64
	}
	return multiples * p.unit
}

// digest returns the SHA-256, in hexadecimal, of the text of the problem.
func digest(t *table.Table) string {
	h := sha256.New()
	WriteProblem(h, t) // a hash never fails
	return hex.EncodeToString(h.Sum(nil))
}

// WriteProblem writes all numbers of the problem as lines of text, as defined in docs/certificate.md. With this text a
// certificate can be checked without hitoku.
func WriteProblem(out io.Writer, t *table.Table) error {
	w := bufio.NewWriter(out)
	number := func(v int64) string {
		switch v {
		case table.PosInf:
			return "inf"
		case table.NegInf:
			return "-inf"
		}
		return strconv.FormatInt(v, 10)
	}
	strict := 0
	if t.Strict {
		strict = 1
	}
	fmt.Fprintf(w, "hitoku problem 1\ncells %d decimals %d costdecimals %d strict %d\n", t.Len(), t.Decimals, t.CostDecimals, strict)
	if t.Layers > 1 {
		fmt.Fprintf(w, "layers %d\n", t.Layers)
	}
	for i := range t.Len() {
		io.WriteString(w, t.Status[i].String())
		for _, v := range [...]int64{t.Value[i], t.Cost[i], t.Lower[i], t.Upper[i]} {
			w.WriteByte(' ')
			io.WriteString(w, number(v))
		}
		if t.Status[i] == table.Sensitive {
			for _, v := range [...]int64{t.LPL[i], t.UPL[i], t.Width[i]} {
				w.WriteByte(' ')
				io.WriteString(w, number(v))
			}
		}
		w.WriteByte('\n')
	}
	fmt.Fprintf(w, "relations %d\n", t.Rel.Len())
	for j := range t.Rel.Len() {
		io.WriteString(w, number(t.Rel.RHS[j]))
		cell, coef := t.Rel.Row(j)
		for s, i := range cell {
			fmt.Fprintf(w, " %d:%d", i, coef[s])
		}
		w.WriteByte('\n')
	}
	return w.Flush()
}
