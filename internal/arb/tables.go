package arb

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

func (b *batch) readTables(args string) error {
	mode, err := argus.ParseMode(strings.TrimSpace(args))
	if err != nil {
		return err
	}
	if b.cover {
		mode = argus.Accept
	}
	if len(b.jobs) == 0 {
		return i18n.New("want <SPECIFYTABLE> before it")
	}
	for n, j := range b.jobs {
		if j.t != nil {
			continue
		}
		if j.data == "" {
			return i18n.New("want <OPENTABLEDATA> and <OPENMETADATA> before <SPECIFYTABLE>")
		}
		if err := b.readTable(n+1, j, mode); err != nil {
			return err
		}
	}
	b.say("Tables have been read")
	b.count()
	return nil
}

// repeated logs the codes that hierarchies list more than once, and what the repeated ones are called here.
func (b *batch) repeated(m *argus.Metadata) {
	for k := range m.Variables {
		v := &m.Variables[k]
		again := slices.Sorted(maps.Keys(v.Labels))
		several(b.say, len(again), func(i int) string {
			return fmt.Sprintf("%s lists %s again; that place is called %s in messages", filepath.Base(v.HierCodelist), v.Labels[again[i]], again[i])
		})
	}
}

// readTable reads the table of job n and applies its rules.
func (b *batch) readTable(n int, j *job, mode argus.Mode) error {
	o := argus.Options{Metadata: j.meta, Mode: mode, Dims: j.dims, Response: j.response, Shadow: j.shadow, Encoding: b.encoding(), Repeated: true}
	if !strings.HasPrefix(j.cost, "-") {
		o.Cost = j.cost
	}
	if j.freq {
		m, err := argus.ReadMetadata(j.meta, argus.Tabular, b.encoding())
		if err != nil {
			return err
		}
		names := m.Names(func(v *argus.Variable) bool { return v.Frequency })
		if len(names) == 0 {
			return i18n.Errorf("%s: <freq>, but no variable with <FREQUENCY>", j.meta)
		}
		o.Response = names[0]
	}
	in, err := argus.ReadTable(j.data, o)
	if err != nil {
		return err
	}
	b.keep(in.Meta)
	b.repeated(in.Meta)
	several(b.say, len(in.Changed), func(i int) string {
		c := &in.Changed[i]
		return fmt.Sprintf("%s: given %s, its parts add up to %s", c.Cell, c.Given, c.Computed)
	})
	j.t, j.write, j.computed = in.Table, in.WriteOptions(), len(in.Changed)
	if j.write.Trees, err = in.Trees(); err != nil { // outputs list all codes,
		return err
	}
	j.write.Fixed = in.Fixed
	// The blanks with which rtauargus pads codes are left out.
	j.write.Spelling = sets.Each(in.Vars, func(v *argus.Variable) map[string]string { return v.Labels })
	if !j.rules.Empty() && in.HasStatus {
		j.forget()
		b.say("Table %d: the rules take the place of the statuses of the input, as in τ-ARGUS; those stay where <SAFETYRULE> has none, or MAN alone", n)
	}
	if cut := j.cutLevels(); cut > 0 {
		b.say("Table %d: the lower level of %d cells is cut at their value", n, cut)
	}
	rules := table.Rules{}
	if j.rules != nil {
		rules = *j.rules
	}
	margin := j.margin()
	rules.Manual = &margin
	if _, err := j.t.ApplyRules(&rules); err != nil {
		return err
	}
	return j.price(in.Meta, in.HasCosts)
}

// forget makes all cells safe that the input calls unsafe, protected or withheld; empty cells stay empty.
func (j *job) forget() {
	t := j.t
	for i, st := range t.Status {
		zero := st == table.Published && t.Value[i] == 0 && (j.write.Fixed == nil || !j.write.Fixed[i])
		if st != table.Safe && !zero {
			t.Status[i] = table.Safe
			t.LPL[i], t.UPL[i] = 0, 0
		}
	}
	j.write.Fixed = nil
}

// cutLevels cuts each lower protection level to the value of its cell, and returns how many it cut.
func (j *job) cutLevels() int {
	n := 0
	for i, l := range j.t.LPL {
		if v := max(j.t.Value[i], -j.t.Value[i]); l > v {
			j.t.LPL[i] = v
			n++
		}
	}
	return n
}
