package arb

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// readMicrodata makes all tables specified for the microdata.
func (b *batch) readMicrodata(ctx context.Context) error {
	switch {
	case len(b.micro) == 0 || len(b.meta) == 0:
		return i18n.New("want <OPENMICRODATA> and <OPENMETADATA> before it")
	case len(b.jobs) == 0:
		return i18n.New("want <SPECIFYTABLE> before it")
	}
	from := &microdata{slices.Clone(b.micro), b.meta[len(b.meta)-1]}
	for _, j := range b.jobs {
		if j.t == nil {
			j.from = from
		}
	}
	if err := b.tabulate(ctx, from); err != nil {
		return err
	}
	b.say("Tables have been read")
	b.count()
	return nil
}

// tabulate makes the tables of from that have not been made yet.
func (b *batch) tabulate(ctx context.Context, from *microdata) error {
	m, err := argus.ReadMetadata(from.meta, argus.Microdata, b.encoding())
	if err != nil {
		return err
	}
	b.keep(m)
	m.AllowRepeated()
	source, err := tabulate.FromMetadata(b.needed(m, from), b.encoding())
	if err != nil {
		return err
	}
	b.repeated(m)
	for k, v := range m.Variables {
		if v.Numeric && !b.spans(v.Name, from) {
			source.Variables[k].Missing = append(slices.Clone(v.Missing), ".") // SAS writes a missing value so
		}
	}
	var specs []tabulate.Spec
	var jobs []*job
	for n, j := range b.jobs {
		if j.t != nil || j.from != from {
			continue
		}
		s := tabulate.Spec{Name: fmt.Sprintf("table%d", n+1), Dims: j.dims, Response: j.response, Shadow: j.shadow, Cost: j.cost, Rules: j.rules, Top: 2, Recode: j.recode}
		if s.Cost == "-3" {
			s.Cost = ""
		}
		if r := j.rules; j.response == "" && r != nil && len(r.Dominance)+len(r.PQ)+len(r.Request) > 0 {
			s.Rules = &table.Rules{MinFreq: r.MinFreq, Zero: r.Zero, Manual: r.Manual, MissingSafe: r.MissingSafe, Weighted: r.Weighted}
			b.say("Table %d counts records, of which none is larger than another: P, NK and REQ say nothing about it", n+1)
		}
		if j.response == "" {
			s.Shadow = ""
		}
		for _, v := range source.Variables {
			switch {
			case v.Weight && j.rules != nil && j.rules.Weighted:
				s.Weight = v.Name
			case v.Holding:
				s.Holding = v.Name
			case v.Request != [2]string{}:
				s.Request = v.Name
			}
		}
		if k := recordKeyOf(m); b.keyed && k != nil && s.Holding == "" {
			s.Key, s.Top, s.Least = k.Name, max(s.Top, contributions(m, j)), spread(m, j)
		}
		specs, jobs = append(specs, s), append(jobs, j)
	}
	tab, err := tabulate.New(source, specs, b.opt.Workers)
	if err != nil {
		return err
	}
	for _, path := range from.files {
		if err := tab.ReadFile(ctx, path); err != nil {
			return err
		}
	}
	_, missing, _ := tab.Seen()
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		b.say("Variable %s: %d amounts are missing and count as 0", name, missing[name])
	}
	results, err := tab.Tables()
	if err != nil {
		return err
	}
	for n, r := range results {
		if jobs[n].t, err = r.Table(); err != nil {
			return err
		}
		if jobs[n].cells, err = keyedCells(r); err != nil {
			return err
		}
		jobs[n].write.DecimalComma = r.Comma
		jobs[n].write.Spelling = sets.Each(specs[n].Dims, func(d string) map[string]string { return m.Find(d).Labels })
		jobs[n].write.Response, jobs[n].write.Holdings, jobs[n].write.Trees = jobs[n].response, specs[n].Holding != "", r.Trees
		if v := m.Find(jobs[n].response); v != nil {
			jobs[n].write.Decimals = v.Decimals
		}
		if err := jobs[n].price(m, jobs[n].cost != ""); err != nil {
			return err
		}
	}
	return nil
}

// needed returns the metadata without the hierarchies that no table of from uses: those may have faults that
// have never mattered to anybody.
func (b *batch) needed(m *argus.Metadata, from *microdata) *argus.Metadata {
	some := *m
	some.Variables = slices.Clone(m.Variables)
	for k := range some.Variables {
		v := &some.Variables[k]
		if !b.spans(v.Name, from) {
			v.Hierarchical, v.HierCodelist, v.HierLevels = false, "", nil
		}
	}
	return &some
}

// spans reports whether a variable spans some table made of these records.
func (b *batch) spans(name string, from *microdata) bool {
	return slices.ContainsFunc(b.jobs, func(j *job) bool {
		return j.from == from && slices.ContainsFunc(j.dims, func(d string) bool { return strings.EqualFold(d, name) })
	})
}
