// Package work is the clock of searches. It counts what they do, in units that correspond to time on the
// machine of bench/results/work.csv. So a search under a limit does the same on a slow machine or a busy one,
// and with any number of workers.
//
// A context carries the meter of the goroutine that computes under it. Code that computes calls Spend after
// each linear program, flow, or pass over cells. Without a meter, which Metered makes, nothing is counted and
// the wall clock is used.
package work

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
)

// errLimit is the cause of a context that was ended by a limit of work. It is also a context.DeadlineExceeded.
var errLimit error = limitError{i18n.New("solver: time limit")}

type limitError struct{ error }

func (limitError) Is(e error) bool { return e == context.DeadlineExceeded }

// A meter counts the work of one goroutine.
type meter struct {
	spent  time.Duration
	alarms []*alarm
	next   time.Duration // the least time of the alarms
	of     *Pot          // if set, what the meter counts is also taken from it
	turn   time.Duration // when the turn of the current goroutine ends
	pass   func()        // passes the turn on and waits for the next; nil: there are no turns
}

// An alarm calls ring when the meter reaches at.
type alarm struct {
	at   time.Duration
	ring func()
}

// A scope is what a context carries: the meter, and the least of the limits on it.
type scope struct {
	m  *meter
	at time.Duration
}

type key struct{}

const never = time.Duration(math.MaxInt64)

// epoch is the time on a meter that has counted nothing. It is not the zero time, which stands for no deadline.
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

// On returns ctx with the meter and limits of by, for the part of a goroutine in work whose context was made
// for several.
func On(ctx, by context.Context) context.Context {
	if s, ok := of(by); ok {
		return context.WithValue(ctx, key{}, s)
	}
	return ctx
}

// Spend counts work that took about d on one processor. Contexts whose limits this reaches have ended when it
// returns.
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

// set sets an alarm; stop cancels it.
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

// Now returns the time on the meter of ctx or, without one, on the wall clock.
func Now(ctx context.Context) time.Time {
	if s, ok := of(ctx); ok {
		return epoch.Add(s.m.spent)
	}
	return time.Now()
}

// Since returns how much has been spent since t, a time returned by Now.
func Since(ctx context.Context, t time.Time) time.Duration { return Now(ctx).Sub(t) }

// Until returns how much may be spent until t.
func Until(ctx context.Context, t time.Time) time.Duration { return t.Sub(Now(ctx)) }

// Deadline returns the end of ctx on its meter, which is the least of the limits on it; ok is false if there is
// none.
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

// WithDeadline returns ctx with an end when its meter, or without one the wall clock, reaches t, and a function
// that ends it.
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

// Grace is the work beyond a limit that the search for a first pattern, of a whole table or by sub-tables, may
// take before everything that may be withheld is. It is a judgement.
const Grace = time.Second

// Limited is WithDeadline at start + limit, where start is a time returned by Now; for a limit of 0 there is no
// end.
func Limited(ctx context.Context, start time.Time, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}
	return WithDeadline(ctx, start.Add(limit))
}

// A Pot is what branches that run at the same time may spend together.
type Pot struct {
	left  atomic.Int64
	empty func()
}

// NewPot returns a pot with that much left; empty is called when it is used up, perhaps more than once.
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

// A Branch is work that runs at the same time as other work, with a meter of its own. Its methods may be called
// on nil.
type Branch struct {
	from, at time.Duration
	m        *meter
	end      context.CancelFunc
}

// Fork returns a context for work in another goroutine, with a meter of its own that starts ahead of that of
// ctx by the given amount and has the same limits. What it spends is also taken from pot, if that is not nil.
// If ctx has no meter, it returns ctx and nil.
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

// Join ends the branch, whose goroutine must be done, and returns what it has spent, so that Spend can charge
// it to the context from which it was forked.
func (l *Branch) Join() time.Duration {
	if l == nil {
		return 0
	}
	l.end()
	return l.m.spent - l.from
}

// Reached reports whether the branch has reached its limit.
func (l *Branch) Reached() bool { return l != nil && l.m.spent >= l.at }
