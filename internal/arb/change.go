package arb

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/methods/adjust"
	"github.com/hitoku/hitoku/methods/rounding"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// change runs RND(table,base,steps,minutes,partition,stop rule,unit cost) or CTA(table). Both publish changed
// values and withhold none.
func (b *batch) change(ctx context.Context, method string, f []string) error {
	j, err := b.table(f[0])
	switch {
	case err != nil:
		return err
	case j.t == nil:
		return i18n.Errorf("table %s has not been read", strings.TrimSpace(f[0]))
	}
	j.pattern, j.noise, j.changed = nil, nil, nil
	start := time.Now()
	if method == "RND" {
		err = b.round(ctx, j, f)
	} else {
		err = b.adjust(ctx, j)
	}
	if err != nil {
		return err
	}
	j.method = slices.Clone(*b.heard)
	b.heard = nil
	b.say("Time used %.0f seconds", time.Since(start).Seconds())
	return nil
}

// round rounds the table of a job.
func (b *batch) round(ctx context.Context, j *job, f []string) error {
	at := func(k int, missing string) string {
		if k < len(f) && strings.TrimSpace(f[k]) != "" {
			return strings.TrimSpace(f[k])
		}
		return missing
	}
	t := j.t
	base, err := table.ParseDecimal(at(1, ""))
	if err != nil {
		return i18n.Errorf("base %q: want a number", at(1, ""))
	}
	o := &rounding.Options{Protect: true, Unit: t.Unit(), LP: b.opt.LP}
	var ok bool
	if o.Base, ok = base.At(t.Decimals); !ok {
		return i18n.Errorf("base %s: want at most %d decimals", base, t.Decimals)
	}
	if o.Steps, err = strconv.Atoi(at(2, "0")); err != nil || o.Steps < 0 {
		return i18n.Errorf("steps %q: want a whole number from 0 on", at(2, ""))
	}
	r := &request{}
	if err := r.minutes([]string{"", at(3, "")}, exactTime, 0); err != nil {
		return err
	}
	o.TimeLimit = r.limit
	for k, words := range map[int][]string{4: {"0", "1"}, 5: {"1", "2", "3"}, 6: {"0", "1"}} {
		if v := at(k, words[0]); !slices.Contains(words, v) {
			return i18n.Errorf("argument %d of RND, %q: want %s", k+1, v, strings.Join(words, " or "))
		}
	}
	o.Partitioned = at(4, "0") == "1"
	if at(6, "1") == "0" {
		o.Weights = t.Cost
	}
	soon := !o.Partitioned && at(5, "3") != "3"
	if soon {
		o.Partitioned = true
	}
	b.say("Method RND: controlled rounding to base %s", base)
	res, err := rounding.Round(ctx, t, o)
	if err == nil && soon && (res.Value == nil || len(res.Open) > 0) && ctx.Err() == nil {
		o.Partitioned = false
		res, err = rounding.Round(ctx, t, o)
	}
	switch {
	case err != nil:
		return err
	case res.Value == nil && res.Status == solver.Infeasible:
		return i18n.Errorf("no rounding to base %s within %d steps adds up and keeps the levels of unsafe cells; allow more steps, or a larger base", base, o.Steps)
	case res.Value == nil:
		return i18n.Errorf("no rounding to base %s was found before a limit; allow more time, or partition the table", base)
	case len(res.Open) > 0:
		return i18n.Errorf("the rounding found leaves %d unsafe cells without their levels; search without partition", len(res.Open))
	}
	b.say("Status %s", res.Status)
	if res.Allowed > 0 {
		b.say("Cells lie up to %d steps beyond the nearest multiples", res.Steps)
	}
	j.changed = res.Value
	b.changes(j)
	return nil
}

// adjust adjusts the table of a job.
func (b *batch) adjust(ctx context.Context, j *job) error {
	b.say("Method CTA: controlled tabular adjustment, the sum of changes smallest")
	res, err := adjust.Adjust(ctx, j.t, &adjust.Options{Unit: j.t.Unit(), LP: b.opt.LP, TimeLimit: exactTime})
	switch {
	case err != nil:
		return err
	case res.Value == nil && res.Status == solver.Infeasible:
		return i18n.Errorf("no table keeps all sums and moves every unsafe cell by its levels")
	case res.Value == nil:
		return i18n.Errorf("no adjustment was found in %s", exactTime)
	}
	b.say("Status %s", res.Status)
	j.changed = res.Value
	b.changes(j)
	return nil
}

// changes tells the log how many cells have another value, but not by how much.
func (b *batch) changes(j *job) {
	n := 0
	for i, v := range j.changed {
		if v != j.t.Value[i] {
			n++
		}
	}
	b.say("%d of %d cells have been changed; all sums hold", n, j.t.Len())
}

// writeChanged writes the published values of a table that RND or CTA changed, and nothing else: no cell counts
// as unsafe any more, and contributors are not told. done is false where the table was not changed.
func (j *job) writeChanged(path string, out argus.Output, o argus.WriteOptions) (done bool, err error) {
	switch {
	case j.changed == nil:
		return false, nil
	case out.Type > argus.CodeValue:
		return true, i18n.Errorf("output type %d tells more of a table than the values that RND or CTA publish; want 1, 2 or 3", out.Type)
	}
	t := j.t.Clone()
	copy(t.Value, j.changed)
	for i, v := range t.Value {
		t.Status[i] = table.Safe
		if t.Freq != nil {
			t.Freq[i] = 1
		}
		if v == 0 && j.t.Value[i] == 0 {
			t.Status[i] = table.Published
			if t.Freq != nil {
				t.Freq[i] = 0
			}
		}
	}
	o.Behind = j.t
	return true, argus.WriteOutput(path, t, nil, out, o)
}
