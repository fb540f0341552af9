package arb

import (
	"strings"

	"github.com/hitoku/hitoku/protect/guard"
)

// ofTables is a MinFreq that is on; its m is that of the tables.
const ofTables = -1

// modTests reads the singleton tests of MOD(table,minutes,single,multiple,minfreq,...). Tests left out are on;
// it returns nil if none is on. minfreq is 1 or 0 and only says whether that test is on. OPT has no such
// arguments in batches; τ-ARGUS then makes all tests.
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

// singletons gives a rule the m of the first job with a rule of minimum frequency; it returns nil if no test is
// left.
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
