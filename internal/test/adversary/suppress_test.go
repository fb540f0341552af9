//go:build slow

package adversary

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// searchTime is how long a search may go on. Some of these problems are hard: what is found by then must be
// right, but need not be optimal.
const searchTime = 10 * time.Second

// askSuppress judges status, pattern, cost, bound, witnesses and certificate, and asks for the audit of the pattern.
func askSuppress(ctx context.Context, t *table.Table, q *question, a *answer) {
	find := solver.Suppress
	if q.method == "modular" {
		find = modular.Suppress
	}
	limited, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	opt := &solver.Options{LP: q.backend, Workers: q.workers, Canonical: q.canonical, Certificate: q.proof}
	if q.short {
		opt.TimeLimit = 1
	}
	sol, err := find(limited, t, opt)
	if limited.Err() != nil && errors.Is(err, limited.Err()) && sol != nil && sol.Pattern != nil {
		err = nil // stopped; the pattern there is has to be right
	}
	var u *solver.UnprotectableError
	switch {
	case late(a, ctx.Err()):
		return
	case errors.Is(err, solver.ErrNoSolution) && limited.Err() != nil:
		a.note("searches stopped without a pattern")
		return
	case errors.As(err, &u):
		judgeUnprotectable(ctx, t, q, u, sol, a)
		return
	case err != nil:
		right := "a protected pattern"
		if k := exposed(t, everything(t)); k >= 0 {
			right = fmt.Sprintf("unprotectable: cell %d", k)
		}
		a.failed(q, err, right)
		return
	}
	if sol.Engine == modular.Engine {
		a.note("tables split")
	}
	a.note("status " + string(sol.Status))
	said := fmt.Sprintf("status %s, cost %d, bound %d, pattern %v", sol.Status, sol.Cost, sol.Bound, members(sol.Pattern))
	if sol.Status != solver.Optimal && sol.Status != solver.Feasible || len(sol.Pattern) != t.Len() {
		a.wrong("suppress: status", said, "optimal, feasible or unprotectable, where there is no limit")
		return
	}
	if limited.Err() != nil {
		a.note("searches stopped with a pattern")
	} else if q.short {
		a.note("limits that were up at once")
	} else if sol.Status == solver.Feasible && q.proof {
		a.note("not finished, because a certificate has no numbers as long")
	} else if sol.Status == solver.Feasible && q.method == "exact" {
		a.wrong("suppress: unfinished", said, "optimal, where there is no limit")
	}
	if !judgePattern(t, sol.Pattern, said, a) {
		return
	}
	cost := costOf(t, sol.Pattern)
	switch {
	case !cost.IsInt64() || cost.Int64() != sol.Cost:
		a.wrong("suppress: cost", said, "cost "+cost.String())
	case sol.Bound > sol.Cost || sol.Status == solver.Optimal && sol.Bound != sol.Cost:
		a.wrong("suppress: bound", said, "bound ≤ cost, equal where optimal")
	}
	if err := certificate.Protects(t, sol.Pattern, sol.Witnesses); err != nil {
		a.wrong("suppress: witnesses", said+": "+err.Error(), "witnesses of every level")
	}
	if better, ok := cheaper(t, sol.Bound, nil); !ok {
		a.note("too many patterns to try")
	} else if better != nil {
		a.wrong("suppress: false bound", said, fmt.Sprintf("pattern %v is protected at cost %v", members(better), costOf(t, better)))
	} else if a.note("bounds tried by brute force"); q.canonical && sol.Status == solver.Optimal {
		if before, ok := cheaper(t, sol.Cost, sol.Pattern); ok && before != nil {
			a.wrong("suppress: not canonical", said, fmt.Sprintf("pattern %v comes first", members(before)))
		}
	}
	again(ctx, t, q, sol.Pattern, a)
	judgeRegions(ctx, t, q, sol, a)
	if q.proof {
		if sol.Certificate == nil {
			a.wrong("certificate: none", said, "a certificate")
			return
		}
		judgeCertificate(ctx, t, q, sol, a)
	}
}

// judgeRegions judges the bound by regions, and its certificate, where sol has a pattern that is right.
func judgeRegions(ctx context.Context, t *table.Table, q *question, sol *solver.Solution, a *answer) {
	if t.Layers > 1 {
		return
	}
	bound, proof, err := solver.RegionBound(ctx, t, &solver.Options{LP: q.backend, Workers: q.workers, Certificate: q.proof}, nil)
	said := fmt.Sprintf("bound %d by regions", bound)
	switch {
	case late(a, ctx.Err()):
		return
	case err != nil:
		a.wrong("regions: error", err.Error(), "a bound")
		return
	case bound > sol.Cost:
		a.wrong("regions: false bound", said, fmt.Sprintf("pattern %v is protected at cost %d", members(sol.Pattern), sol.Cost))
		return
	case bound > 0:
		a.note("bounds by regions above 0")
	}
	if proof == nil {
		return
	}
	var b bytes.Buffer
	if err := proof.Write(&b); err != nil {
		a.wrong("regions: certificate", err.Error(), "a certificate")
		return
	}
	if rep, err := certificate.Verify(ctx, bytes.NewReader(b.Bytes()), t); err != nil || rep.Bound != bound {
		a.wrong("regions: certificate", fmt.Sprintf("%v, %+v", err, rep), said)
	}
}

// judgePattern says whether a pattern keeps to the statuses and is protected.
func judgePattern(t *table.Table, x []bool, said string, a *answer) bool {
	always, may := given(t), everything(t)
	n := t.Len() / max(1, t.Layers)
	for i := range x {
		if always[i] && !x[i] || x[i] && !may[i] || x[i] != x[i%n] {
			a.wrong("suppress: statuses", said, fmt.Sprintf("cell %d has status %s", i, t.Status[i]))
			return false
		}
	}
	if k := exposed(t, x); k >= 0 {
		lo, hi := newRoom(t, x).span(k).ends(t.Value[k])
		a.wrong("suppress: not protected", said, fmt.Sprintf("cell %d is in [%s, %s]", k, end(lo), end(hi)))
		return false
	}
	return true
}

// judgeUnprotectable asks for the cell that is named to be exposed while everything that may be withheld is.
func judgeUnprotectable(ctx context.Context, t *table.Table, q *question, u *solver.UnprotectableError, sol *solver.Solution, a *answer) {
	a.note("status unprotectable")
	k := -1
	for i := range t.Len() {
		if t.CellName(i) == u.Cell {
			k = i
		}
	}
	if k < 0 || t.Status[k] != table.Sensitive {
		a.wrong("unprotectable: cell", u.Error(), "a sensitive cell")
		return
	}
	s := newRoom(t, everything(t)).span(k)
	lo, hi := s.ends(t.Value[k])
	right := fmt.Sprintf("cell %d has the widest interval [%s, %s]", k, end(lo), end(hi))
	switch {
	case s.meets(t, k):
		a.wrong("unprotectable: false", u.Error(), right+", which meets its levels")
	case !same(u.Lo, lo) || !same(u.Hi, hi):
		a.wrong("unprotectable: interval", u.Error(), right)
	}
	if !q.proof {
		return
	}
	if sol.Certificate == nil {
		a.note("unprotectable without certificate")
		return
	}
	judgeCertificate(ctx, t, q, sol, a)
}

// again audits a pattern that suppress calls protected.
func again(ctx context.Context, t *table.Table, q *question, x []bool, a *answer) {
	rep, err := interval.Audit(ctx, t, x, &interval.Options{LP: q.backend, Workers: q.workers})
	switch {
	case late(a, ctx.Err()):
	case err != nil:
		a.wrong("suppress: audit", fmt.Sprintf("error in the audit of pattern %v: %v", members(x), err), "protected")
	case !rep.Protected:
		for _, c := range rep.Cells {
			if t.Status[c.Index] == table.Sensitive && !c.Protected {
				a.wrong("suppress: audit", fmt.Sprintf("pattern %v is protected, its audit says cell %d is not, in [%s, %s], inexact %v",
					members(x), c.Index, end(c.Lo), end(c.Hi), c.Inexact), "one verdict")
			}
		}
	}
}

// opinion asks the other checker about a certificate.
var opinion = func(t *table.Table, file []byte, err error) {}

// judgeCertificate verifies the certificate, and then others made of it by small changes, none of which
// may confirm what is not so.
func judgeCertificate(ctx context.Context, t *table.Table, q *question, sol *solver.Solution, a *answer) {
	var b bytes.Buffer
	if err := sol.Certificate.Write(&b); err != nil {
		a.wrong("certificate: write", err.Error(), "a certificate")
		return
	}
	rep, err := certificate.Verify(ctx, bytes.NewReader(b.Bytes()), t)
	if late(a, ctx.Err()) {
		return
	}
	opinion(t, b.Bytes(), err)
	if err != nil {
		a.wrong("certificate: refused", err.Error(), "confirmed")
		return
	}
	a.note("certificates")
	judgeConfirmed(t, sol, rep, a)
	if a.fault != nil {
		return
	}
	switch {
	case rep.Unprotectable != (sol.Status == solver.Unprotectable):
		a.wrong("certificate: verdict", fmt.Sprintf("unprotectable %v", rep.Unprotectable), string(sol.Status))
	case !rep.Unprotectable && rep.Bound < sol.Bound:
		a.wrong("certificate: less", fmt.Sprintf("bound %d", rep.Bound), fmt.Sprintf("%d, as the search says", sol.Bound))
	case !rep.Unprotectable && (rep.Pattern == nil || rep.Cost != sol.Cost):
		a.wrong("certificate: less", fmt.Sprintf("cost %d", rep.Cost), fmt.Sprintf("%d, as the search says", sol.Cost))
	}
	if a.fault != nil {
		return
	}
	rng := rand.New(rand.NewPCG(q.seed, 2))
	for range 8 {
		changed := b.Bytes()
		for range 1 + rng.IntN(2) {
			changed = mutate(rng, changed)
		}
		rep, err := certificate.Verify(ctx, bytes.NewReader(changed), t)
		var m *certificate.Malformed
		var r *certificate.Refuted
		if late(a, ctx.Err()) {
			return
		}
		opinion(t, changed, err)
		switch {
		case err == nil:
			a.note("changed certificates that hold")
			judgeConfirmed(t, sol, rep, a)
			if a.fault != nil {
				a.fault.was += "\n" + string(changed)
				return
			}
		case errors.As(err, &m), errors.As(err, &r):
			a.note("changed certificates refused")
		default:
			a.wrong("certificate: error", err.Error()+"\n"+string(changed), "a *Malformed or a *Refuted")
		}
	}
}

// judgeConfirmed judges what Verify says of t. The solution is known to be right.
func judgeConfirmed(t *table.Table, sol *solver.Solution, rep *certificate.Report, a *answer) {
	said := fmt.Sprintf("confirmed: unprotectable %v, bound %d, cost %d, pattern %v", rep.Unprotectable, rep.Bound, rep.Cost, members(rep.Pattern))
	if rep.Unprotectable {
		if exposed(t, everything(t)) < 0 {
			a.wrong("certificate: false unprotectable", said, "there is a protected pattern")
		}
		return
	}
	if rep.Pattern != nil {
		if !judgePattern(t, rep.Pattern, said, a) {
			return
		}
		if cost := costOf(t, rep.Pattern); !cost.IsInt64() || cost.Int64() != rep.Cost {
			a.wrong("certificate: false cost", said, cost.String())
		}
	}
	if sol.Pattern != nil && rep.Bound > sol.Cost {
		a.wrong("certificate: false bound", said, fmt.Sprintf("pattern %v is protected at cost %d", members(sol.Pattern), sol.Cost))
	}
}

// mutate changes a number or a line.
func mutate(rng *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	if rng.IntN(4) == 0 {
		lines := bytes.SplitAfter(b, []byte("\n"))
		i, j := rng.IntN(len(lines)), rng.IntN(len(lines))
		switch rng.IntN(3) {
		case 0:
			lines[i] = nil
		case 1:
			lines[i], lines[j] = lines[j], lines[i]
		case 2:
			lines[i] = append(bytes.Clone(lines[i]), lines[j]...)
		}
		return bytes.Join(lines, nil)
	}
	// A number: the run of digits around some digit.
	i := rng.IntN(len(b))
	for tries := 0; b[i] < '0' || b[i] > '9'; tries++ {
		if tries == 200 {
			return b
		}
		i = rng.IntN(len(b))
	}
	from, to := i, i+1
	for from > 0 && b[from-1] >= '0' && b[from-1] <= '9' {
		from--
	}
	for to < len(b) && b[to] >= '0' && b[to] <= '9' {
		to++
	}
	other := []string{"0", "1", "2", "-1", "63", "4611686018427387904", "9223372036854775807", "9223372036854775808", ""}[rng.IntN(9)]
	if other == "" || rng.IntN(2) == 0 {
		other = fmt.Sprint(rng.IntN(12))
	}
	return append(append(append([]byte(nil), b[:from]...), other...), b[to:]...)
}

// members lists the cells of a pattern.
func members(x []bool) []int {
	var m []int
	for i, in := range x {
		if in {
			m = append(m, i)
		}
	}
	return m
}
