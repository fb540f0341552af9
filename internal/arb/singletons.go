package arb

import (
	"fmt"
	"strings"

	"github.com/hitoku/hitoku/protect/guard"
)

// singletonTests are the tests of the rule for singletons. OPT has no options for it in batches; in
// τ-ARGUS all are on then.
var singletonTests = []string{"single", "multiple", "minfreq"}

// modTests reads the options of MOD(table,minutes,single,multiple,minfreq,...), of which those left
// out are on. minfreq is only on or off as yet: 1 or 0.
func modTests(f []string) []string {
	var on []string
	for k, test := range singletonTests {
		if k+2 >= len(f) || strings.TrimSpace(f[k+2]) == "1" {
			on = append(on, test)
		}
	}
	return on
}

// singletons puts tests of a rule into the words of a policy, with the m of the first of jobs that has a
// rule of minimum frequency; "" if none is left.
func singletons(rule string, tests []string, jobs []*job) string {
	m := int64(0)
	for _, j := range jobs {
		if j.rules == nil || m > 0 {
			continue
		}
		for _, r := range j.rules.MinFreq {
			if !r.Holding {
				m = r.M
				break
			}
		}
	}
	var on []string
	for _, test := range tests {
		switch {
		case test != "minfreq":
			on = append(on, test)
		case m > 0:
			on = append(on, fmt.Sprintf("minfreq=%d", m))
		}
	}
	if len(on) == 0 {
		return ""
	}
	return rule + ":" + strings.Join(on, ",")
}

// singletonRule is the rule of r's policy; nil without one.
func (r *request) singletonRule() *guard.SingletonRule {
	x, err := r.policy.Parse()
	if err != nil {
		return nil
	}
	return x.Singletons()
}
