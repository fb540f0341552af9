package arb

import (
	"strings"

	"github.com/hitoku/hitoku/protect/guard"
)

// ofTables is a MinFreq that is on, with the m of the tables.
const ofTables = -1

// modTests reads the options of MOD(table,minutes,single,multiple,minfreq,...), of which those left
// out are on; nil if none is. minfreq is only on or off as yet: 1 or 0. OPT has no options for them in batches; in
// τ-ARGUS all are on then.
func modTests(f []string) *guard.SingletonRule {
	on := func(k int) bool { return k >= len(f) || strings.TrimSpace(f[k]) == "1" }
	r := &guard.SingletonRule{Modular: true, Single: on(2), Multiple: on(3)}
	if on(4) {
		r.MinFreq = ofTables
	}
	if !r.Single && !r.Multiple && r.MinFreq == 0 {
		return nil
	}
	return r
}

// singletons gives a rule the m of the first of jobs that has a rule of minimum frequency; nil if no test is left.
func singletons(r guard.SingletonRule, jobs []*job) *guard.SingletonRule {
	if r.MinFreq == ofTables {
		r.MinFreq = minFreq(jobs)
	}
	if !r.Single && !r.Multiple && r.MinFreq == 0 {
		return nil
	}
	return &r
}

func minFreq(jobs []*job) int64 {
	for _, j := range jobs {
		if j.rules == nil {
			continue
		}
		for _, r := range j.rules.MinFreq {
			if !r.Holding && r.M > 0 {
				return r.M
			}
		}
	}
	return 0
}
