package work

import (
	"context"
	"time"
)

// Turns runs f(0) … f(n−1), each on a goroutine of its own but one at a time: each in turn until it has spent
// slice, then each for twice as long, and so on. So at a limit all have come about equally far, and how far each
// comes by a given time does not depend on the limit. f must compute under ctx or contexts made from it, and ctx
// must have a meter.
func Turns(ctx context.Context, n int, slice time.Duration, f func(i int)) {
	s, _ := of(ctx)
	m := s.m
	outer, end := m.pass, m.turn
	type piece struct {
		on   chan struct{} // its turn begins
		done bool
	}
	back := make(chan struct{}) // the turn is over
	pieces := make([]piece, n)
	for i := range pieces {
		p := &pieces[i]
		p.on = make(chan struct{})
		go func() {
			<-p.on
			f(i)
			p.done = true
			back <- struct{}{}
		}()
	}
	for left := n; left > 0; slice *= 2 {
		for i := range pieces {
			p := &pieces[i]
			if p.done {
				continue
			}
			m.turn = m.spent + slice
			m.pass = func() {
				back <- struct{}{}
				<-p.on
			}
			p.on <- struct{}{}
			<-back
			if p.done {
				left--
			}
		}
	}
	m.pass, m.turn = outer, end
}
