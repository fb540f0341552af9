package arb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A request is one <SUPPRESS>.
type request struct {
	policy protect.Policy
	rule   *guard.SingletonRule // τ-ARGUS's rule for singletons, with the tests that are on; nil: none
	guard  bool                 // look for a pattern that leaves less open to only contributors
	limit  time.Duration
	soon   time.Duration // how long to search for any pattern if limit did not suffice; 0: as long as a quick search
	start  time.Time
	joined func(*table.Table) error
}

// share returns how long MOD and GH search when m is given: first for a pattern, then for one that leaves less
// open to only contributors. τ-ARGUS takes m for each sub-table and leaves most of it unused; 20 seconds are
// enough for the tables of offices, and a large m allows a tenth of it.
func share(m time.Duration) time.Duration {
	return max(min(m, 20*time.Second), m/10)
}

// suppress runs METHOD(table, ...). Rules and costs were applied when the table was read, so the policy leaves
// them as they are; cells without a level need none.
func (b *batch) suppress(ctx context.Context, args string) error {
	if rest, ok := asksCellKey(args); ok {
		return b.cellKey(rest)
	}
	method, rest, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(args), ")"), "(")
	if !ok {
		return i18n.Errorf("%q: want a method like OPT(1,5)", args)
	}
	f := fields(rest, ',')
	r := &request{policy: protect.Policy{LP: b.opt.LP, Method: "exact", LevelsAsGiven: true}, start: time.Now()}
	var heard []string
	b.heard = &heard
	defer func() { b.heard = nil }()
	switch method = strings.ToUpper(strings.TrimSpace(method)); method {
	case "OPT":
		if err := r.minutes(f, exactTime, 0); err != nil {
			return err
		}
		b.say("Method OPT: exact search")
		r.rule = &guard.SingletonRule{Single: true, Multiple: true, MinFreq: ofTables}
	case "NET":
		r.limit = exactTime
		b.say("Method NET: exact search, which needs no network")
	case "MOD":
		if err := r.minutes(f, time.Minute, time.Minute); err != nil {
			return err
		}
		r.limit = share(r.limit)
		r.policy.Method = "modular"
		b.say("Method MOD: sub-tables along the hierarchies, then the whole table; protection is shown for all relations together")
		r.rule = modTests(f)
		r.guard = r.rule != nil
	case "GH":
		r.policy.Method, r.policy.Effort = "", "quick"
		b.say("Method GH: a good pattern in seconds, in place of the hypercube; protection is shown for all relations together")
		r.guard = len(f) < 4 || strings.TrimSpace(f[3]) == "1"
	case "RND", "CTA":
		return b.change(ctx, method, f)
	default:
		return i18n.Errorf("method %s is not offered; want OPT, MOD, GH, NET, RND, CTA or CKM", method)
	}
	r.policy.TimeLimit = r.limit
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
			return i18n.Errorf("table %d has not been read", n+1)
		}
	}
	var err error
	if r.joined, err = pricing(jobs); err != nil {
		return err
	}
	return b.protect(ctx, jobs, r)
}

// exactTime is how long OPT searches where no minutes are given, as in τ-ARGUS, and NET, which takes none.
const exactTime = 10 * time.Minute

// minutes sets the time limit from the second argument: to missing where there is none, to none for 0 and for a
// million or more.
func (r *request) minutes(f []string, missing, none time.Duration) error {
	r.limit = missing
	if len(f) < 2 || strings.TrimSpace(f[1]) == "" {
		return nil
	}
	m, err := strconv.ParseFloat(strings.TrimSpace(f[1]), 64)
	if err != nil || !(m >= 0) {
		return i18n.Errorf("minutes %q: want a number", f[1])
	}
	r.limit = none
	if 0 < m && m < 1e6 {
		r.limit = time.Duration(m * float64(time.Minute))
	}
	return nil
}

// protect protects the tables of jobs, several as one. Suppressions are counted as τ-ARGUS does, without the
// unsafe cells. A pattern that does not protect is discarded. If ctx ends the search, the best pattern found so
// far counts.
func (b *batch) protect(ctx context.Context, jobs []*job, r *request) error {
	counted := !slices.ContainsFunc(jobs, func(j *job) bool { return j.t.Freq == nil && !j.t.Counts })
	if (r.rule != nil || r.guard) && !counted {
		b.say("Singletons are not looked for: the table has no numbers of contributors")
	}
	if counted && r.rule != nil {
		r.policy.Singletons = singletons(*r.rule, jobs)
	}
	var inputs []protect.Input
	for _, j := range jobs {
		inputs = append(inputs, protect.Input{Table: j.t})
		// Undo the statuses that the joined table gives j.t.
		defer func(own []table.Status) { j.t.Status = own }(slices.Clone(j.t.Status))
	}
	res, err := b.search(ctx, inputs, r)
	if r.policy.Singletons != nil && res.Table != nil {
		rows := 0
		if res.Singletons != nil {
			rows = res.Singletons.Sums
		}
		if r.guard {
			b.say("Singletons: %d rows in which another cell must be withheld", rows)
		} else {
			b.say("Singletons: %d rows in which another cell must be withheld; MOD, or hitoku suppress --insiders, guards against insiders by all relations", rows)
		}
	}
	if err == nil && counted && r.guard {
		err = b.guard(ctx, res, r)
	}
	for k, j := range jobs {
		if j.pattern, j.changed = nil, nil; err == nil && res.Verdict == interval.Protected {
			j.pattern = res.Patterns[k]
		}
		if res.Table != nil && r.joined != nil {
			for i, c := range res.Cells[k] {
				j.t.Cost[i] = res.Table.Cost[c]
			}
		}
	}
	if err == nil && res.Verdict != interval.Protected {
		err = i18n.Errorf("the pattern found leaves the table %s; please report this", res.Verdict)
	}
	if err != nil {
		return err
	}
	b.found(jobs, res)
	b.heard = nil // what is said from here on depends on the machine
	seconds := time.Since(r.start).Seconds()
	b.say("Time used %.0f seconds", seconds)
	all := &whole{jobs, res.Table, res.Cells}
	for _, j := range jobs {
		j.whole, j.seconds = all, seconds
	}
	return nil
}

// search finds a first pattern. If the minutes end before there is one, it goes on for some seconds to find any
// pattern, and then, without limit, up to the first one. If ctx ends, it returns the best so far.
func (b *batch) search(ctx context.Context, inputs []protect.Input, r *request) (*protect.Result, error) {
	first := true
	o := &protect.Options{Workers: b.opt.Workers, Joined: r.joined, NoSuperfluous: true, Punctual: true, Progress: func(p protect.Progress) {
		if first && p.Stage == protect.Searching && !p.Begin && p.Search.Nodes > 0 && !math.IsInf(p.Search.Upper, 0) {
			first = false
			b.tell("A first pattern has been found; the search for a cheaper one goes on")
		}
	}}
	res, err := protect.Run(ctx, inputs, r.policy, o)
	if errors.Is(err, solver.ErrNoSolution) && ctx.Err() == nil {
		rule := ""
		if r.policy.Singletons != nil {
			rule = ", without τ-ARGUS's rule for singletons"
		}
		b.tell("The time ended before there was a pattern; the search goes on for any%s", rule)
		r.policy.Method, r.policy.Effort, r.policy.TimeLimit, r.policy.Singletons = "", "quick", r.soon, nil
		o.Punctual = false
		res, err = protect.Run(ctx, inputs, r.policy, o)
	}
	if err != nil && ctx.Err() != nil && res.Patterns != nil && res.Verdict == interval.Protected {
		b.say("Stopped; this is the best pattern until then")
		return res, nil
	}
	return res, err
}

// found writes the result to the log and the report.
func (b *batch) found(jobs []*job, res *protect.Result) {
	s, t := res.Solution, res.Table
	b.say("Status %s", s.Status)
	// The log may be published beside the table, where the cost would tell what is withheld.
	figures := fmt.Sprintf("Cost %s, bound %s", table.FormatDecimal(s.Cost, t.CostDecimals), table.FormatDecimal(s.Bound, t.CostDecimals))
	n := 0
	for i, x := range s.Pattern {
		if x && t.Status[i] == table.Safe {
			n++
		}
	}
	b.say("Number of suppressions: %d", n)
	for k, j := range jobs {
		if len(jobs) == 1 {
			break
		}
		n := 0
		for i, c := range res.Cells[k] {
			if res.Patterns[k][i] && t.Status[c] == table.Safe {
				n++
			}
		}
		b.say("Table %d: %d cells have been suppressed", slices.Index(b.jobs, j)+1, n)
	}
	b.say("Audit: %s", res.Verdict)
	for _, j := range jobs {
		j.method = append(slices.Clone(*b.heard), figures)
	}
}
