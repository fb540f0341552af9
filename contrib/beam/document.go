package beam

import (
	"bytes"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/riskdoc"
	"github.com/hitoku/hitoku/risk"
)

// Document returns the JSON document of a result without a fault, on one line. It is the same as that of hitoku
// risk … --json, as a test checks byte by byte.
func (j *Job) Document(r Result) ([]byte, error) {
	metric := strings.ReplaceAll(string(j.Metric), "-", "_")
	if r.Entities != nil {
		metric = "k_anonymity_entity"
	}
	data := document.Microdata{Files: j.Files, QI: j.QI}
	data.Metric, data.Status = metric, "ok"
	if r.Empty() {
		data.Status = "empty"
	}
	var b bytes.Buffer
	err := document.Write(&b, j.fill(data, r))
	return b.Bytes(), err
}

// fill fills in the document, which begins with data.
func (j *Job) fill(data document.Microdata, r Result) document.Measured {
	switch {
	case r.Entities != nil:
		return j.entityDocument(data, r.Entities)
	case j.Metric == KAnonymity:
		d := &document.KAnonymity{Microdata: data}
		riskdoc.KAnonymity(d, r.KAnonymity, j.Missing, j.Worst)
		return d
	case r.KMap != nil:
		return j.populationDocument(data, r.KMap)
	}
	classes := riskdoc.Classes(r.KAnonymity, j.Missing, j.OwnSensitive)
	if j.Metric == TCloseness {
		d := &document.TCloseness{Microdata: data, Classes: classes}
		riskdoc.Closeness(d, r.TCloseness)
		return d
	}
	d := &document.LDiversity{Microdata: data, Classes: classes}
	riskdoc.Diversity(d, r.LDiversity, r.KAnonymity.Records > 0)
	return d
}

func (j *Job) entityDocument(data document.Microdata, e *Entities) document.Measured {
	k, rows := e.Sets, e.Rows
	return &document.EntityAnonymity{
		Microdata: data, Entity: j.Entity, K: riskdoc.Defined(k.K), Entities: k.Records, Rows: rows.Records, Classes: k.Classes,
		MaxClass: riskdoc.Defined(k.MaxClass), Uniques: k.Uniques, WithoutID: e.WithoutID,
		MissingValues: riskdoc.Missing(j.Missing, rows.Excluded, rows.WithMissing, rows.AllMissing),
		RowK:          riskdoc.Defined(rows.K), LeastPerTuple: riskdoc.Defined(e.Shared.K), Histogram: riskdoc.Entities(k.Histogram),
	}
}

func (j *Job) populationDocument(data document.Microdata, r *risk.KMap) document.Measured {
	register := document.Register{Model: document.Model{Model: "attack_table"}, Population: j.Population, Wildcards: []string{}}
	smallest, presence := document.Smallest{K: document.SomeIf(r.Records > 0, r.K)}, riskdoc.Presence(r.Presence)
	matched, worst := riskdoc.Matched(r), riskdoc.Populations(j.Worst, r.Worst)
	if j.Metric == DeltaPresence {
		return &document.DeltaPresence{Microdata: data, Register: register, Presence: presence, Smallest: smallest, Matched: matched,
			Shares: riskdoc.PresenceShares(r.Presence), Worst: worst}
	}
	return &document.KMap{Microdata: data, Register: register, Smallest: smallest, Presence: presence, Matched: matched, Worst: worst}
}
