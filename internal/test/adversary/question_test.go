//go:build slow

package adversary

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"time"

	"github.com/hitoku/hitoku/table"
)

// A question is what hitoku is asked about a table, and how.
type question struct {
	verb    string // a key of verbs
	engine  string // of audits: "", "network", "simplex"
	method  string // of suppress: "exact", "modular"
	backend string
	// Of suppress.
	canonical, proof bool
	short            bool // a limit that is up at once
	workers          int
	seed             uint64 // of what else is drawn for it
}

// An answer is judged by its verb. notes count what is no fault but worth knowing.
type answer struct {
	*fault
	notes []string
}

func (a *answer) note(s string) { a.notes = append(a.notes, s) }

// wrong sets the fault, if there is none yet.
func (a *answer) wrong(kind, was, right string) {
	if a.fault == nil {
		a.fault = &fault{kind, was, right}
	}
}

var verbs = map[string]func(ctx context.Context, t *table.Table, q *question, a *answer){
	"audit":           askAudit,
	"audit published": askPublished,
	"audit integer":   askInteger,
	"suppress":        askSuppress,
	"insiders":        askInsiders,
	"attack":          askAttack,
	"partial":         askPartial,
	"round":           askRound,
}

// answerTime is how long one answer may take; tables are small.
const answerTime = 60 * time.Second

// ask puts q to hitoku and judges the answer. A panic is one, too.
func (q *question) ask(t *table.Table) (a *answer) {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	done := make(chan *answer, 1)
	go func() {
		a := &answer{}
		defer func() {
			if p := recover(); p != nil {
				stack := string(debug.Stack())
				a.wrong("panic in "+site(stack), fmt.Sprintf("panic: %v\n%s", p, stack), "an answer")
			}
			done <- a
		}()
		verbs[q.verb](ctx, t.Clone(), q, a)
	}()
	select {
	case a = <-done:
	case <-time.After(answerTime + 60*time.Second):
		return &answer{fault: &fault{"hangs", "no answer long after its time", "an answer"}}
	}
	return a
}

// site is the function of hitoku that panicked.
func site(stack string) string {
	for _, line := range strings.Split(stack, "\n") {
		if name, ok := strings.CutPrefix(line, "github.com/hitoku/hitoku/"); ok && !strings.Contains(line, "ask.func") {
			return name[:strings.LastIndex(name, "(")]
		}
	}
	return "parts unknown"
}

// late says whether an error is that of the time allowed. It is a fault of its own kind.
func late(a *answer, err error) bool {
	if errors.Is(err, context.DeadlineExceeded) {
		a.wrong("late", fmt.Sprintf("no answer in %v", answerTime), "an answer")
		return true
	}
	return false
}

// failed sets the fault of an error where there should be none, unless time is up. Errors that differ in more than
// their numbers are of different kinds.
func (a *answer) failed(q *question, err error, right string) {
	if late(a, err) {
		return
	}
	last := err.Error()
	last = last[strings.LastIndex(last, ": ")+1:]
	last = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || strings.ContainsRune("+-.", r) {
			return -1
		}
		return r
	}, last)
	a.wrong(q.verb+": error:"+last, "error: "+err.Error(), right)
}

// pick draws a question for a table. The first of a table is an audit, the second asks to suppress, others are rarer.
func pick(rng *rand.Rand, verb string, t *table.Table, backends []string) *question {
	q := &question{verb: verb, method: "exact", backend: backends[rng.IntN(len(backends))], workers: 1, seed: rng.Uint64()}
	if q.backend == "gonum" && t.Len() > 20 {
		q.backend = "simplex" // gonum is for small programs (docs/lp_backends.md): more takes it minutes
	}
	if rng.IntN(10) == 0 {
		q.workers = 2
	}
	switch verb {
	case "audit", "audit published", "audit integer":
		q.engine = []string{"", "simplex"}[rng.IntN(2)]
	case "suppress":
		switch k := rng.IntN(6); {
		case k < 2 && t.Layers <= 1:
			q.method = "modular"
		case k == 2:
			q.canonical = true
		case k == 3:
			q.proof = true
		case k == 4:
			q.canonical, q.proof = true, true
		}
		q.short = rng.IntN(8) == 0
	case "partial":
		q.short = rng.IntN(8) == 0
	}
	return q
}

// name is the method by which the summary counts a question.
func (q *question) name() string {
	s := q.verb
	if q.engine != "" {
		s += " " + q.engine
	}
	if q.verb == "suppress" {
		s += " " + q.method
		if q.canonical {
			s += " canonical"
		}
		if q.proof {
			s += " certificate"
		}
	}
	if q.short {
		s += " short"
	}
	return s
}

// command is what someone would type to see the same, "" where no file can say it.
func (q *question) command(t *table.Table, file string) string {
	flags := ""
	if q.backend != "simplex" {
		flags += " --lp " + q.backend
	}
	if t.Strict {
		flags += " --strict"
	}
	switch q.verb {
	case "audit integer":
		return "hitoku audit --integer" + flags + " " + file
	case "audit":
		return "hitoku audit" + flags + " " + file
	case "suppress":
		flags += " --method " + q.method
		if q.canonical {
			flags += " --canonical"
		}
		if q.proof {
			flags += " --certificate c.jsonl"
		}
		if q.short {
			flags += " --time-limit 1ns"
		}
		return "hitoku suppress" + flags + " " + file
	}
	return ""
}
