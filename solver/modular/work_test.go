//go:build unix

package modular

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/shared"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

var workFile = flag.String("work.csv", "", "write what a second of work takes on the tables of ../shared/instances to this file")

type method struct {
	name   string
	search func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error)
}

// Under a limit of work the result is the same while the machine has other things to do, with any number of processors and workers.
func TestSameUnderLoad(t *testing.T) {
	load, share, parts, quick := 3, time.Duration(1), "csplib/hier133e", "csplib/hier16"
	if !heavy.On() { // one other thing to do in less work interrupts both workers as well
		const brief = "real/tau_ind1_size_reg" // whose result is another one for each of these limits
		load, share, parts, quick = 1, 3, brief, brief
	}
	for _, c := range []struct {
		method
		file  string
		limit time.Duration
	}{
		{method{"whole", Whole}, "csplib/hier13", 400 * time.Millisecond},
		{method{"modular", Suppress}, parts, 300 * time.Millisecond},
		{method{"quick", Quick}, quick, 300 * time.Millisecond},
		{method{"exact", solver.Suppress}, "real/tau_ind1_size_reg", 300 * time.Millisecond},
	} {
		in, err := formats.Read(shared.Path(t, "instances", c.file+".jj.gz"), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var first string
		for n := 1; n <= 2; n++ {
			was := runtime.GOMAXPROCS(n)
			stop := busy(load * (n - 1))
			s, err := c.search(t.Context(), in.Table, &solver.Options{TimeLimit: c.limit / share, Workers: n})
			stop()
			runtime.GOMAXPROCS(was)
			if err != nil {
				t.Fatal(err)
			}
			s.Seconds, s.FirstSeconds = 0, 0
			text, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			if n == 1 {
				first = string(text)
			} else if string(text) != first {
				t.Errorf("%s by %s: cost %d, bound %d under load; the results differ", c.file, c.name, s.Cost, s.Bound)
			}
		}
	}
}

// A larger limit never gives a dearer pattern, where the first one takes longer than the limit as well.
func TestLargerLimits(t *testing.T) {
	type some struct {
		method
		file   string
		limits []time.Duration
	}
	const ms = time.Millisecond
	whole, quick, parts := method{"whole", Whole}, method{"quick", Quick}, method{"modular", Suppress}
	cases := []some{{whole, "csplib/hier133a", []time.Duration{ms, 100 * ms}}, {whole, "csplib/two5in6", []time.Duration{ms, 100 * ms}},
		{whole, "real/tau_sub1_size_reg", []time.Duration{ms, 30 * ms, 100 * ms}}, {parts, "real/tau_ind2_size_reg", []time.Duration{ms, 30 * ms, 100 * ms}}}
	if heavy.On() {
		cases = append(cases, some{whole, "csplib/hier13", []time.Duration{ms, 100 * ms, 300 * ms, 1000 * ms}},
			some{whole, "csplib/hier16", []time.Duration{ms, 100 * ms, 330 * ms, 500 * ms, 2000 * ms}}, some{whole, "csplib/ninenew", []time.Duration{ms, 100 * ms, 500 * ms}},
			some{whole, "real/tau_ind2_size_reg", []time.Duration{ms, 100 * ms, 330 * ms, 1000 * ms}}, some{parts, "csplib/ninenew", []time.Duration{100 * ms, 200 * ms}},
			some{quick, "csplib/hier16", []time.Duration{400 * ms, 800 * ms}}, some{quick, "csplib/ninenew", []time.Duration{100 * ms, 200 * ms, 400 * ms}})
	}
	for _, c := range cases {
		in, err := formats.Read(shared.Path(t, "instances", c.file+".jj.gz"), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		last := int64(math.MaxInt64)
		for _, limit := range c.limits {
			s, err := c.search(t.Context(), in.Table, &solver.Options{TimeLimit: limit})
			if err != nil {
				t.Fatal(err)
			}
			if s.Cost > last {
				t.Errorf("%s by %s: cost %d within %v, %d within less", c.file, c.name, s.Cost, limit, last)
			}
			last = s.Cost
		}
	}
}

// busy keeps n goroutines busy until stop is called.
func busy(n int) (stop func()) {
	var over atomic.Bool
	for range n {
		go func() {
			for !over.Load() {
			}
		}()
	}
	return func() { over.Store(true) }
}

// TestSecondOfWork measures what a second of work takes: go test ./solver/modular -run TestSecondOfWork -work.csv bench/results/work.csv -timeout 2h.
func TestSecondOfWork(t *testing.T) {
	if *workFile == "" {
		t.Skip("measures only with -work.csv")
	}
	files, err := filepath.Glob(shared.Path(t, "instances") + "/*/*.jj.gz")
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]string{{"table", "cells", "method", "limit", "work", "cpu_seconds", "seconds_per_work"}}
	for _, file := range files {
		in, err := formats.Read(file, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []method{{"auto", Whole}, {"quick", Quick}, {"modular", Suppress}} {
			ctx := work.Metered(t.Context())
			begun, start := work.Now(ctx), cpu(t)
			const limit = time.Second
			if _, err := m.search(ctx, in.Table, &solver.Options{TimeLimit: limit, Workers: 1}); err != nil {
				t.Fatal(err)
			}
			did, took := work.Since(ctx, begun).Seconds(), cpu(t)-start
			if took < 0.05 {
				continue
			}
			rows = append(rows, []string{strings.TrimSuffix(filepath.Base(file), ".jj.gz"), fmt.Sprint(in.Table.Len()), m.name, limit.String(),
				fmt.Sprintf("%.2f", did), fmt.Sprintf("%.2f", took), fmt.Sprintf("%.2f", took/did)})
		}
	}
	f, err := os.Create(*workFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := csv.NewWriter(f).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
}

// cpu is the processor time of this process in seconds.
func cpu(t *testing.T) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
