// Package work is the clock of searches: it counts what they do, in units that take about as long on the machine of bench/results/work.csv, so that a search
// under a limit does the same on a slow machine or a busy one, and with any number of workers.
//
// A context carries the meter of the goroutine that computes under it. What computes says so by Spend: after a linear program, a flow, a pass over cells.
// Without a meter (Metered makes one) nothing is counted and the clock on the wall serves.
package work

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
)

// errLimit is the cause of a context that a limit of work has ended. It is context.DeadlineExceeded as well.
var errLimit error = limitError{i18n.New("solver: time limit")}

type limitError struct{ error }

func (limitError) Is(e error) bool { return e == context.DeadlineExceeded }

// A meter counts the work of one goroutine.
type meter struct {
	spent  time.Duration
	alarms []*alarm
	next   time.Duration // the least of theirs
	of     *Pot          // what it spends goes off this, too; nil: there is none
	turn   time.Duration // when the turn ends of the goroutine at work
	pass   func()        // what then waits for the next; nil: there are no turns
}

// An alarm calls ring once so much has been spent.
type alarm struct {
	at   time.Duration
	ring func()
}

// A scope is what a context says of work: the meter, and the least of the limits that it is under.
type scope struct {
	m  *meter
	at time.Duration
}

type key struct{}

const never = time.Duration(math.MaxInt64)

// epoch is the time on a meter that has counted nothing. It is not the zero time, which says that there is no deadline.
var epoch = time.Unix(0, 0)

func of(ctx context.Context) (scope, bool) {
	s, ok := ctx.Value(key{}).(scope)
	return s, ok
}

// Metered returns ctx with a meter, its own if it has one.
func Metered(ctx context.Context) context.Context {
	if _, ok := of(ctx); ok {
		return ctx
	}
	return context.WithValue(ctx, key{}, scope{&meter{next: never}, never})
}

// On returns ctx with the meter and the limits of by, for what a goroutine does under a context that was made for all.
func On(ctx, by context.Context) context.Context {
	if s, ok := of(by); ok {
		return context.WithValue(ctx, key{}, s)
	}
	return ctx
}

// Spend counts what took about d of one processor. Limits that are reached end their contexts before it returns.
func Spend(ctx context.Context, d time.Duration) {
	if s, ok := of(ctx); ok {
		s.m.spend(d)
	}
}

func (m *meter) spend(d time.Duration) {
	if m.of != nil {
		m.of.take(d)
	}
	if m.spent += d; m.spent >= m.next {
		m.ring()
	}
	if m.pass != nil && m.spent >= m.turn {
		m.pass()
	}
}

// ring calls the alarms that are due.
func (m *meter) ring() {
	due := m.alarms
	m.alarms, m.next = nil, never
	for _, a := range due {
		if m.spent < a.at {
			m.alarms, m.next = append(m.alarms, a), min(m.next, a.at)
		}
	}
	for _, a := range due {
		if m.spent >= a.at {
			a.ring()
		}
	}
}

// set sets an alarm; stop takes it back.
func (m *meter) set(at time.Duration, ring func()) (stop func()) {
	if at <= m.spent {
		ring()
		return func() {}
	}
	a := &alarm{at, ring}
	m.alarms, m.next = append(m.alarms, a), min(m.next, at)
	return func() {
		m.alarms = slices.DeleteFunc(m.alarms, func(b *alarm) bool { return a == b })
	}
}

// Now is the time on the meter of ctx, or on the wall.
func Now(ctx context.Context) time.Time {
	if s, ok := of(ctx); ok {
		return epoch.Add(s.m.spent)
	}
	return time.Now()
}

// Since is how much has been spent since t, a time of Now.
func Since(ctx context.Context, t time.Time) time.Duration { return Now(ctx).Sub(t) }

// Until is how much may be spent until t.
func Until(ctx context.Context, t time.Time) time.Duration { return t.Sub(Now(ctx)) }

// Deadline is the end of ctx on its meter, the least of the limits that it is under; ok is false if there is none.
func Deadline(ctx context.Context) (end time.Time, ok bool) {
	if s, has := of(ctx); has {
		return epoch.Add(s.at), s.at != never
	}
	return ctx.Deadline()
}

// Bounded reports whether ctx has a meter and is under a limit.
func Bounded(ctx context.Context) bool {
	s, ok := of(ctx)
	return ok && s.at != never
}

// WithDeadline returns ctx with an end once its meter is at t, or at that time where it has no meter, and what ends it.
func WithDeadline(ctx context.Context, t time.Time) (context.Context, context.CancelFunc) {
	s, ok := of(ctx)
	if !ok {
		return context.WithDeadline(ctx, t)
	}
	at := max(0, t.Sub(epoch))
	return s.m.until(ctx, at, min(at, s.at))
}

func (m *meter) until(ctx context.Context, at, least time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := m.set(at, func() { cancel(errLimit) })
	return context.WithValue(ctx, key{}, scope{m, least}), func() {
		stop()
		cancel(context.Canceled)
	}
}

// Grace is the work beyond a limit that the search for a first pattern, of a whole table or by sub-tables, may take before all that may be
// withheld is. By judgement.
const Grace = time.Second

// Limited is WithDeadline so long after start, a time of Now; for a limit of 0 there is none.
func Limited(ctx context.Context, start time.Time, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}
	return WithDeadline(ctx, start.Add(limit))
}

// A Pot is what branches that run side by side may spend together.
type Pot struct {
	left  atomic.Int64
	empty func()
}

// NewPot makes one of so much; what takes the last of it calls empty, perhaps more than once.
func NewPot(left time.Duration, empty context.CancelCauseFunc) *Pot {
	p := &Pot{empty: func() { empty(errLimit) }}
	p.left.Store(int64(left))
	return p
}

func (p *Pot) take(d time.Duration) {
	if p.left.Add(-int64(d)) <= 0 {
		p.empty()
	}
}

// Empty reports whether all of it has been spent.
func (p *Pot) Empty() bool { return p != nil && p.left.Load() <= 0 }

// A Branch is a piece of work that runs beside others, with a meter of its own. Its methods may be called with nil.
type Branch struct {
	from, at time.Duration
	m        *meter
	end      context.CancelFunc
}

// Fork returns a context for work that another goroutine does beside the one of ctx, with a meter that starts ahead of that of ctx by so much and is under the same limits.
// What it spends goes off pot, if that is not nil. Without a meter it is ctx, and the branch is nil.
func Fork(ctx context.Context, ahead time.Duration, pot *Pot) (context.Context, *Branch) {
	s, ok := of(ctx)
	if !ok {
		return ctx, nil
	}
	l := &Branch{from: s.m.spent + ahead, at: s.at, m: &meter{spent: s.m.spent + ahead, next: never, of: pot}}
	ctx, l.end = context.WithCancel(ctx)
	ctx, _ = l.m.until(ctx, s.at, s.at)
	return ctx, l
}

// End ends the context of the branch, from any goroutine.
func (l *Branch) End() {
	if l != nil {
		l.end()
	}
}

// Join ends the branch, whose goroutine is done, and returns what it has spent, for Spend of the context that it was forked from.
func (l *Branch) Join() time.Duration {
	if l == nil {
		return 0
	}
	l.end()
	return l.m.spent - l.from
}

// Reached reports whether the branch has reached its limit.
func (l *Branch) Reached() bool { return l != nil && l.m.spent >= l.at }
