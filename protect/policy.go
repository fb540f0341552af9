package protect

import (
	"fmt"
	"reflect"
	"strings"
)

// A Policy is everything that an office decides before it protects a table, as data: with the
// table and, for the defence random, the secret, it repeats a run. It holds no secret. The zero value takes the sensitive cells and
// levels of the input, and its costs, else the values, and searches for a cheapest pattern.
//
// Fields are written as the flags of hitoku suppress of the same names. Numbers that must be
// exact are texts.
type Policy struct {
	// Below makes cells with 1 ≤ contributors < Below sensitive, with ZerosSensitive
	// those with none too. 0: no such rule.
	Below          int64 `json:"below,omitempty" toml:"below,omitzero"`
	ZerosSensitive bool  `json:"zeros-sensitive,omitempty" toml:"zeros-sensitive,omitempty"`
	// Rules are primary rules as table.ParseRules reads them. Those of the next fields
	// stand beside them: "n,k", "p" or "p,n", "p,q" or "p,q,n", weights "w1,...,wm", "m" or "m,range" (both),
	// "range", "margin".
	Rules     string   `json:"rules,omitempty" toml:"rules,omitempty"`
	Dominance []string `json:"dominance,omitempty" toml:"dominance,omitempty"`
	PPercent  []string `json:"p-percent,omitempty" toml:"p-percent,omitempty"`
	PQ        []string `json:"pq,omitempty" toml:"pq,omitempty"`
	Measure   []string `json:"measure,omitempty" toml:"measure,omitempty"`
	// Absolute compares contributions with their total in absolute value, where values may be negative.
	Absolute       bool   `json:"absolute,omitempty" toml:"absolute,omitempty"`
	MinFreq        string `json:"min-freq,omitempty" toml:"min-freq,omitempty"`
	MinRespondents string `json:"min-respondents,omitempty" toml:"min-respondents,omitempty"`
	Zero           string `json:"zero,omitempty" toml:"zero,omitempty"`
	Manual         string `json:"manual,omitempty" toml:"manual,omitempty"`

	// Apriori names a τ-ARGUS file that changes single cells, "" for none.
	Apriori          string `json:"apriori,omitempty" toml:"apriori,omitempty"`
	AprioriSeparator string `json:"apriori-separator,omitempty" toml:"apriori-separator,omitempty"`
	AprioriIgnore    bool   `json:"apriori-ignore,omitempty" toml:"apriori-ignore,omitempty"`
	AprioriExpand    bool   `json:"apriori-expand,omitempty" toml:"apriori-expand,omitempty"`

	// Publish and Withhold name cells, by their codes joined with / or as a JSON array of them, that somebody has decided to
	// publish or to withhold, whatever costs and the input say. A sensitive cell cannot be published.
	Publish  []string `json:"publish,omitempty" toml:"publish,omitempty"`
	Withhold []string `json:"withhold,omitempty" toml:"withhold,omitempty"`
	// Prefer names a file with the table as it was published last time: a cell with a value there costs
	// preferPublished times as much, one withheld there preferWithheld times. "" for none.
	Prefer string `json:"prefer,omitempty" toml:"prefer,omitempty"`

	// Published names what is published already: files and folders, PERIOD=FILE for those of another period. Ledger is a file with a ledger.Book, Relations are
	// files of sums (ledger.ReadSums). What they make with the table is one problem. Period and At ("DIM=CODE") say where the
	// table stands in dimensions that it lacks, Change bounds what moves from one period to the next ("30%", "RESPONSE=30%"). With Lost
	// sensitive cells that they tell already are given up; else they are an error.
	Published []string `json:"published,omitempty" toml:"published,omitempty"`
	Ledger    string   `json:"ledger,omitempty" toml:"ledger,omitempty"`
	Relations []string `json:"relations,omitempty" toml:"relations,omitempty"`
	Period    string   `json:"period,omitempty" toml:"period,omitempty"`
	At        []string `json:"at,omitempty" toml:"at,omitempty"`
	Change    []string `json:"change,omitempty" toml:"change,omitempty"`
	Lost      bool     `json:"lost,omitempty" toml:"lost,omitempty"`

	// LPL, UPL and Width are the levels of sensitive cells that have none: "8",
	// "15%"; "" gives none. With Strict widths must be exceeded.
	LPL    string `json:"lpl,omitempty" toml:"lpl,omitempty"`
	UPL    string `json:"upl,omitempty" toml:"upl,omitempty"`
	Width  string `json:"width,omitempty" toml:"width,omitempty"`
	Strict bool   `json:"strict,omitempty" toml:"strict,omitempty"`
	// LevelsAsGiven asks nothing for sensitive cells without any level, as τ-ARGUS does. By
	// default they are guarded against exact disclosure.
	LevelsAsGiven bool `json:"levels-as-given,omitempty" toml:"levels-as-given,omitempty"`
	// Lower and Upper are what everybody knows of all cells: "" leaves the bounds of the input, else [0, ∞).
	Lower string `json:"lower,omitempty" toml:"lower,omitempty"`
	Upper string `json:"upper,omitempty" toml:"upper,omitempty"`

	// Cost is count, value, freq, given, power:λ, distance:1,3,5 or distance:A=1,3;B=2, or
	// the name of a column, which has been read. "": the costs of the table as they are.
	Cost string `json:"cost,omitempty" toml:"cost,omitempty"`
	// Margins is withhold (they may be), publish, or weight:F (they may, at F times the
	// cost for each dimension in which the cell is one). "": publish for cross-tabs, else withhold.
	Margins string `json:"margins,omitempty" toml:"margins,omitempty"`

	// Effort is quick (a good pattern in seconds, see modular.Quick, with what bound there is), normal, which is "", or
	// proof (the exact search of the whole table, of whatever size, until the gap is closed).
	Effort string `json:"effort,omitempty" toml:"effort,omitempty"`
	// Method is exact, modular, or auto, which is "": modular above AutoCells cells.
	Method    string  `json:"method,omitempty" toml:"method,omitempty"`
	Canonical bool    `json:"canonical,omitempty" toml:"canonical,omitempty"` // as in solver.Options
	Gap       float64 `json:"gap,omitempty" toml:"gap,omitzero"`              // as in solver.Options
	// TimeLimit is like 10m; "" for none. How far a run comes until then depends on the machine.
	TimeLimit string `json:"time-limit,omitempty" toml:"time-limit,omitempty"`
	LP        string `json:"lp,omitempty" toml:"lp,omitempty"` // back end; "": simplex

	// Partial publishes intervals in place of marks (package methods/partial). Ends says where they may end, "10" at multiples of it and
	// "2 digits" at numbers with so many; "": at numbers with the decimals of the values; "plain" alone or before these: around the values, not around a table
	// that a secret draw has moved. MaxWidth is the largest width, "40" or "40%"
	// of the value; "" for none. PartialCost is relative, which is "", or absolute: what an interval as wide as its value, or as 1, costs
	// is the cost of the cell.
	Partial     bool   `json:"partial,omitempty" toml:"partial,omitempty"`
	Ends        string `json:"ends,omitempty" toml:"ends,omitempty"`
	MaxWidth    string `json:"max-width,omitempty" toml:"max-width,omitempty"`
	PartialCost string `json:"partial-cost,omitempty" toml:"partial-cost,omitempty"`

	// Base, Kind, Steps and Partition are those of hitoku round, Norm and Most of hitoku adjust, which publish changed values and
	// withhold none: with one of them Run refuses the policy.
	Base      string `json:"base,omitempty" toml:"base,omitempty"`
	Kind      string `json:"kind,omitempty" toml:"kind,omitempty"`
	Steps     int    `json:"steps,omitempty" toml:"steps,omitzero"`
	Partition bool   `json:"partition,omitempty" toml:"partition,omitempty"`
	Norm      string `json:"norm,omitempty" toml:"norm,omitempty"`
	Most      string `json:"most,omitempty" toml:"most,omitempty"`

	// Insiders guards against coalitions of up to Coalition (0: 1) only contributors.
	Insiders  bool `json:"insiders,omitempty" toml:"insiders,omitempty"`
	Coalition int  `json:"coalition,omitempty" toml:"coalition,omitzero"`
	// Unions protects the sensitive unions of up to so many withheld cells of one relation, of all where the sum of these is known, and of cells whose sum follows from several
	// relations, by the rules above; with UnionsPossible those too that are sensitive only if contributors to different cells
	// are the same. 0: none.
	Unions         int  `json:"unions,omitempty" toml:"unions,omitzero"`
	UnionsPossible bool `json:"unions-possible,omitempty" toml:"unions-possible,omitempty"`
	// Groups is k or k,d of a table.GroupRule, "" for none.
	Groups string `json:"groups,omitempty" toml:"groups,omitempty"`
	// Singletons is none, which is "", or the rule tauargus-opt or tauargus-mod, with the m
	// of the rules above. tauargus-mod:single,multiple,minfreq=3 names the tests that are on.
	Singletons string `json:"singletons,omitempty" toml:"singletons,omitempty"`

	// Defence is a defence.Kind, "" for none; the rest are its parameters, as in
	// defence.Options, where 0 and "" mean the default. PublicWeights names a file with an
	// older table. DefenceSeed is that of the orders, which may be public.
	Defence        string  `json:"defence,omitempty" toml:"defence,omitempty"`
	DefenceOver    string  `json:"defence-over,omitempty" toml:"defence-over,omitempty"`
	PublicWeights  string  `json:"public-weights,omitempty" toml:"public-weights,omitempty"`
	DefenceBase    int64   `json:"defence-base,omitempty" toml:"defence-base,omitzero"`
	DefenceStep    int64   `json:"defence-step,omitempty" toml:"defence-step,omitzero"`
	DefenceOrders  int     `json:"defence-orders,omitempty" toml:"defence-orders,omitzero"`
	DefenceEpsilon float64 `json:"defence-epsilon,omitempty" toml:"defence-epsilon,omitzero"`
	DefenceSeed    string  `json:"defence-seed,omitempty" toml:"defence-seed,omitempty"`
}

// Fields returns the names of the fields, as they are written.
func Fields() []string {
	t := reflect.TypeFor[Policy]()
	names := make([]string, t.NumField())
	for k := range names {
		names[k], _, _ = strings.Cut(t.Field(k).Tag.Get("json"), ",")
	}
	return names
}

// Changing returns the field by which p asks for changed values in place of withheld ones, "" for none.
func (p *Policy) Changing() string {
	switch {
	case p.Base != "":
		return "base"
	case p.Norm != "":
		return "norm"
	}
	return ""
}

// given returns whether a field says more than its zero value.
func (p *Policy) given() func(field string) bool {
	set := map[string]bool{}
	v := reflect.ValueOf(p.Brief())
	for k, name := range Fields() {
		set[name] = !v.Field(k).IsZero()
	}
	return func(field string) bool { return set[field] }
}

// Brief returns p without the fields that say no more than their zero values do.
func (p Policy) Brief() Policy {
	zero := func(s *string, words ...string) {
		for _, w := range words {
			if *s == w {
				*s = ""
			}
		}
	}
	zero(&p.Effort, "normal")
	zero(&p.Method, "auto")
	zero(&p.Singletons, "none")
	zero(&p.LP, "simplex")
	zero(&p.PartialCost, "relative")
	zero(&p.TimeLimit, "0s", "0")
	zero(&p.DefenceSeed, "0")
	zero(&p.Kind, "controlled")
	if p.Coalition == 1 {
		p.Coalition = 0
	}
	if p.DefenceOrders == 16 {
		p.DefenceOrders = 0
	}
	if p.DefenceEpsilon == 1 {
		p.DefenceEpsilon = 0
	}
	return p
}

// Texts returns the fields of p.Brief as the texts of flags: a list has one for each element.
func (p Policy) Texts() map[string][]string {
	texts := map[string][]string{}
	v := reflect.ValueOf(p.Brief())
	for k, name := range Fields() {
		switch f := v.Field(k); {
		case f.IsZero():
		case f.Kind() == reflect.Slice:
			for n := range f.Len() {
				texts[name] = append(texts[name], f.Index(n).String())
			}
		default:
			texts[name] = []string{fmt.Sprint(f.Interface())}
		}
	}
	return texts
}
