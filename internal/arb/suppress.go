package arb

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// suppress runs METHOD(table, ...). Rules and costs were applied when the table was read, so that the
// policy leaves them as they are; cells without a level need none.
func (b *batch) suppress(ctx context.Context, args string) error {
	method, rest, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(args), ")"), "(")
	if !ok {
		return fmt.Errorf("%q: want a method like OPT(1,5)", args)
	}
	f := fields(rest, ',')
	p := protect.Policy{LP: b.opt.LP, Method: "exact", LevelsAsGiven: true}
	var heard []string
	b.heard = &heard
	defer func() { b.heard = nil }()
	rule, tests := "", singletonTests
	switch method = strings.ToUpper(strings.TrimSpace(method)); method {
	case "OPT":
		if err := minutes(&p, f); err != nil {
			return err
		}
		b.say("Method OPT: exact search")
		rule = "tauargus-opt"
	case "NET":
		b.say("Method NET: exact search, which needs no network")
	case "MOD":
		if err := minutes(&p, f); err != nil {
			return err
		}
		p.Method = "modular"
		b.say("Method MOD: sub-tables along the hierarchies, then the whole table; protection is shown for all relations together")
		rule, tests = "tauargus-mod", modTests(f)
	case "GH":
		p.Method = "modular"
		b.say("Method GH: sub-tables along the hierarchies in place of the hypercube")
	default:
		return fmt.Errorf("method %s is not offered; want OPT, MOD, GH or NET", method)
	}
	start := time.Now()
	jobs := b.jobs
	if strings.TrimSpace(f[0]) != "0" {
		j, err := b.table(f[0])
		if err != nil {
			return err
		}
		jobs = []*job{j}
	}
	for n, j := range jobs {
		if j.t == nil {
			return fmt.Errorf("table %d has not been read", n+1)
		}
	}
	joined, err := pricing(jobs)
	if err != nil {
		return err
	}
	return b.protect(ctx, jobs, p, rule, tests, joined, start)
}

// minutes sets the time limit from the second argument; without one, and for 0, there is none.
func minutes(p *protect.Policy, f []string) error {
	if len(f) < 2 || strings.TrimSpace(f[1]) == "" {
		return nil
	}
	m, err := strconv.ParseFloat(strings.TrimSpace(f[1]), 64)
	if err != nil || !(m >= 0) {
		return fmt.Errorf("minutes %q: want a number", f[1])
	}
	if 0 < m && m < 1e6 {
		p.TimeLimit = time.Duration(m * float64(time.Minute)).String()
	}
	return nil
}

// protect protects the tables of jobs, several as one. Suppressions are counted as τ-ARGUS does, without
// the unsafe cells. A pattern that does not protect is forgotten.
func (b *batch) protect(ctx context.Context, jobs []*job, p protect.Policy, rule string, tests []string, joined func(*table.Table) error, start time.Time) error {
	asked := rule != "" && len(tests) > 0
	if asked && slices.ContainsFunc(jobs, func(j *job) bool { return j.t.Freq == nil }) {
		b.say("Singletons are not looked for: the table has no numbers of contributors")
		asked = false
	}
	if asked {
		p.Singletons = singletons(rule, tests, jobs)
	}
	var inputs []protect.Input
	for _, j := range jobs {
		inputs = append(inputs, protect.Input{Table: j.t})
		defer func(own []table.Status) { j.t.Status = own }(slices.Clone(j.t.Status)) // not those of all tables together
	}
	res, err := protect.Run(ctx, inputs, p, &protect.Options{Workers: b.opt.Workers, Joined: joined})
	if asked && res.Table != nil {
		rows := 0
		if res.Singletons != nil {
			rows = res.Singletons.Sums
		}
		b.say("Singletons: %d rows in which another cell must be withheld; hitoku suppress --insiders guards against insiders by all relations", rows)
	}
	for k, j := range jobs {
		if j.pattern = nil; err == nil && res.Verdict == interval.Protected {
			j.pattern = res.Patterns[k]
		}
		if res.Table != nil && joined != nil {
			for i, c := range res.Cells[k] {
				j.t.Cost[i] = res.Table.Cost[c]
			}
		}
	}
	if err == nil && res.Verdict != interval.Protected {
		err = fmt.Errorf("the pattern found leaves the table %s; please report this", res.Verdict)
	}
	if err != nil {
		return err
	}
	s, t := res.Solution, res.Table
	b.say("Status %s", s.Status)
	// A log may stand beside the table: there the cost would tell what is withheld.
	figures := fmt.Sprintf("Cost %s, bound %s", table.FormatDecimal(s.Cost, t.CostDecimals), table.FormatDecimal(s.Bound, t.CostDecimals))
	n := 0
	for i, x := range s.Pattern {
		if x && t.Status[i] == table.Safe {
			n++
		}
	}
	b.say("Number of suppressions: %d", n)
	b.say("Audit: %s", res.Verdict)
	for _, j := range jobs {
		j.method = append(slices.Clone(*b.heard), figures)
	}
	b.heard = nil // what follows depends on the machine
	b.say("Time used %.0f seconds", time.Since(start).Seconds())
	return nil
}
