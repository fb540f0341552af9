package protect

import (
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// Reasons that several fields share.
const (
	byHand    = "a decision by hand may depend on the values"
	noProof   = "a defence neither searches nor proves costs"
	noSearch  = "a defence does not search"
	distances = "a defence can promise the width of an interval, but no distance from a value that no decision may depend on"
	oneByOne  = "responses are looked for in other tables one at a time; protect one after another, each {at} response=NAME"
	oneTable  = "intervals in place of marks are chosen for one table; leave {partial} out"
	ownWay    = "intervals are searched for in a way of their own"
)

// Fields returns the option records of the fields of p, which read and set them, in the order of policy files. All
// checks of single fields and of their combinations are in these records, except those of Check that compare several
// values.
func (p *Policy) Fields() []option.Option {
	kinds := words(defence.Kinds())
	rules, levels, costs, before, people, robust, search := "Rules", "Levels and bounds", "Costs and margins", "Published before", "Contributors", "Defence", "Search"
	joined := []string{"published", "ledger", "relations"}
	onlyRandom, onlyQuantised := []string{"defence=random", "defence-over=random"}, []string{"defence=quantised", "defence-over=quantised"}
	response := []option.Clash{{With: "response", Why: oneByOne}}
	return []option.Option{
		{Name: "below", To: &p.Below, Title: rules, Range: "[1, ∞)", Want: "a number of contributors ≥ 1", Text: "a cell is sensitive if 1 ≤ contributors < `N`, beside those that the input marks"},
		{Name: "zeros-sensitive", To: &p.ZerosSensitive, Title: rules, Needs: []string{"below"}, Text: "if 0 ≤ contributors < N"},
		{Name: "rules", To: rulesField(&p.Rules), Title: rules, Rare: true, Text: "the rules as τ-ARGUS writes them, like `P(10,1)|FREQ(3,30)`, beside those of the other flags"},
		{Name: "dominance", To: dominanceField(&p.Dominance), Title: rules, Text: "`n,k`: a cell is sensitive if its n largest contributions are more than k % of it"},
		{Name: "p-percent", To: pField(&p.PPercent), Title: rules, Text: "`p` or p,n: if n contributors together can estimate the largest more closely than p %"},
		{Name: "pq", To: pqField(&p.PQ), Title: rules, Text: "`p,q` or p,q,n: the same with p/q in place of p %"},
		{Name: "measure", To: measureField(&p.Measure), Title: rules, Rare: true, Text: "`w1,...,wm`: if w1 x1 + w2 x2 + ... > 0 over its contributions from the largest down, wm for all from the m-th on: a linear sensitivity measure; p % is p/100,0,-1"},
		{Name: "absolute", To: &p.Absolute, Title: rules, Rare: true, Text: "where contributions may be negative, compare them with their total in absolute value instead of the net total", More: "A finished table needs a column absolute, as tabulate writes it"},
		{Name: "min-freq", To: freqField(&p.MinFreq, "FREQ"), Title: rules, Text: "`m` or m,range: if 0 < contributors < m, protected by range % of the value"},
		{Name: "min-respondents", To: freqField(&p.MinRespondents, "RESP"), Title: rules, Text: "`m` or m,range: the same with contributors counted once each, whatever their weights"},
		{Name: "zero", To: ruleNumber(&p.Zero, "ZERO"), Title: rules, Text: "`range`: if its value is 0 although it has contributors, protected by range"},
		{Name: "manual", To: ruleNumber(&p.Manual, "MAN"), Title: rules, Rare: true, Text: "`margin`: protect the sensitive cells of the input that have no level by margin % of the value"},

		{Name: "apriori", To: &p.Apriori, Title: rules, Files: []string{"hst"}, Text: "change cells by this τ-ARGUS a-priori `file` (.hst), after the rules"},
		{Name: "apriori-separator", To: &p.AprioriSeparator, Title: rules, Rare: true, Needs: []string{"apriori"}, Text: "`text` between its fields", Else: "semicolon, comma or tab, as its first line has"},
		{Name: "apriori-ignore", To: &p.AprioriIgnore, Title: rules, Rare: true, Needs: []string{"apriori"}, Text: "skip its lines that cannot be followed, and tell them"},
		{Name: "apriori-expand", To: &p.AprioriExpand, Title: rules, Rare: true, Needs: []string{"apriori"}, Text: "repeat its changes along chains of codes with one child each"},

		{Name: "publish", To: &p.Publish, Title: costs, Excludes: []string{"defence"}, Why: byHand, Text: "publish this `CELL`, named by its codes joined with / or as a JSON array of them; one that is sensitive cannot be"},
		{Name: "withhold", To: &p.Withhold, Title: costs, Excludes: []string{"defence"}, Why: byHand, Text: "withhold this `CELL`, at no price"},
		{Name: "prefer", To: &p.Prefer, Title: costs, Files: []string{"csv", "xlsx", "px"}, Excludes: []string{"defence"}, Why: byHand, Text: "`FILE` with the table as it was published last time: cells published there cost twice as much, those withheld there half"},

		{Name: "published", To: &p.Published, Title: before, Clashes: response, Text: "`PATH` of a table that is published already, or of a folder of them: cells with the same codes are the same cell; PERIOD=PATH for tables of another period", More: "See [ledger.md](ledger.md). A file is read with the flags of the input, a folder file by file, without its folders, hierarchies and metadata"},
		{Name: "ledger", To: &p.Ledger, Title: before, Files: []string{"toml", "json"}, Clashes: response, Text: "the ledger of the office, a `FILE` that lists its releases with their periods, codes and checksums"},
		{Name: "relations", To: &p.Relations, Title: before, Files: []string{"txt"}, Clashes: response, Text: "`FILE` of sums between codes, as in activity: salads = batavia + mache, or between cells"},
		{Name: "period", To: &p.Period, Title: before, One: joined, Text: "`PERIOD` of the input, where other tables are of others"},
		{Name: "at", To: atField(&p.At), Title: before, Rare: true, One: joined, Text: "`DIM=CODE` at which the input stands in a dimension that it lacks"},
		{Name: "change", To: changeField(&p.Change), Title: before, One: joined, Text: "what everybody knows of changes: a value moves by at most this `SHARE`, like 30% or RESPONSE=30%, from one period to the next"},
		{Name: "lost", To: &p.Lost, Title: before, Rare: true, One: joined, Text: "give up sensitive cells that what is published tells already, which is an error otherwise"},

		{Name: "lpl", To: levelField(&p.LPL), Title: levels, Excludes: []string{"defence"}, Why: distances, Text: "distance its interval must reach below the value: number, or percentage of it, which asks for at least one unit but no more than the value", Else: "the input's lpl"},
		{Name: "upl", To: levelField(&p.UPL), Title: levels, Excludes: []string{"defence"}, Why: distances, Text: "distance its interval must reach above the value: number, or percentage of it, which asks for at least one unit", Else: "the input's upl"},
		{Name: "width", To: levelField(&p.Width), Title: levels, Text: "interval width each sensitive cell needs: a number, or a percentage of its value, which asks for at least one unit of the last decimal", Else: "the input's spl"},
		{Name: "strict", To: &p.Strict, Title: levels, Text: "widths must be exceeded, not only reached"},
		{Name: "levels-as-given", To: &p.LevelsAsGiven, Title: rules, Hidden: true, Text: "ask nothing for sensitive cells without any level, as τ-ARGUS does"},
		{Name: "lower", To: numberField(&p.Lower), Title: levels, Text: "what the intruder knows beforehand: no cell is below this", Else: "the input's bounds, else 0"},
		{Name: "upper", To: numberField(&p.Upper), Title: levels, Text: "and no cell is above this", Else: "the input's bounds, else none"},

		{Name: "cost", To: costField(&p.Cost), Title: costs, Offer: []string{"count", "value", "freq", "power:", "distance:"}, Text: "price of a withheld cell: count, value, freq, power:λ, distance:1,3,5 from the nearest sensitive cell, or the `column` that holds it", Else: "the input's costs, else value"},
		{Name: "margins", To: marginsField(&p.Margins), Title: costs, Offer: []string{"withhold", "publish", "weight:"}, Text: "withhold: margins may be withheld; publish: they may not; weight:F: they may, at F times the price for each dimension in which the cell is one", Else: "publish for cross-tabs, withhold otherwise"},

		{Name: "effort", To: &p.Effort, Title: search, From: []string{"quick", "normal", "proof"}, Default: "normal", Clashes: []option.Clash{
			{With: "defence", Why: noSearch}, {If: "quick", With: "method", Why: "quick patterns are searched for in a way of their own"}, {If: "proof", With: "method=modular", Why: "sub-tables do not prove the cheapest pattern of the whole"},
			{If: "quick", With: "insiders", Why: "{insiders} searches the whole table"}, {If: "quick", With: "canonical", Why: "only what is proved is canonical"},
		}, Text: "quick: a good pattern in seconds with what bound there is; proof: the whole table at once, of whatever size, until the gap is closed", More: "quick takes 5 seconds and 10 more for every 100,000 cells at most, or --time-limit, and exits with 0 whatever the gap; see [modular.md](modular.md#quick)"},
		{Name: "method", To: &p.Method, Title: search, From: []string{"auto", "exact", "modular"}, Default: "auto", Clashes: []option.Clash{
			{With: "defence", Why: noSearch}, {With: "insiders", Why: "{insiders} searches the whole table"}, {If: "modular", With: "canonical", Why: "sub-tables do not find the canonical pattern of the whole"},
		}, Text: "exact: the whole table at once; modular: sub-table by sub-table, for large tables; auto: modular above " + strconv.Itoa(autoCells) + " cells", More: "A modular pattern is protected all the same, with a bound for the whole table ([modular.md](modular.md)); auto keeps to exact with --canonical, --response and --insiders"},
		{Name: "canonical", To: &p.Canonical, Title: search, Rare: true, Excludes: []string{"defence"}, Why: noProof, Text: "of all cheapest patterns the one that publishes the first cell where two differ", More: "It is the same for every back end; a run stopped before that is settled is `feasible`"},
		{Name: "gap", To: &p.Gap, Title: search, Range: "[0, 1)", Excludes: []string{"defence"}, Why: noProof, Text: "stop once (cost − bound)/cost is at most `G`; 0 proves optimality"},
		{Name: "time-limit", To: timeField(&p.TimeLimit), Title: search, Range: "[0, ∞)", Excludes: []string{"defence"}, Why: noProof, Text: "stop after work worth this `time` with the best pattern found, like 30s or 10m", Else: "none", More: "Work of the search is counted, not timed: one processor does about a second's in a second, and the result is the same on any machine under any load. Where there is no pattern by then, one is found beyond it, whatever it costs"},
		{Name: "lp", To: &p.LP, Title: search, Rare: true, Default: "simplex", Offer: lp.Backends(), Text: "LP back end `NAME`: simplex, gonum, and clp, clpdl, lpsolve where built in", More: "The latter by tags of the build: make full"},

		{Name: "partial", To: &p.Partial, Title: search, Clashes: []option.Clash{
			{With: "certificate", Why: "a certificate is of a pattern of marks"}, {With: "insiders"}, {With: "singletons"}, {With: "linked"},
			{With: "published", Why: oneTable}, {With: "ledger", Why: oneTable}, {With: "relations", Why: oneTable},
			{With: "unions", Why: "intervals are chosen for cells; protect sums by marks, or look at them in the intervals by hitoku audit {unions}"},
			{With: "groups", Why: "intervals are chosen for cells; protect groups by marks, or look at them in the intervals by hitoku audit {groups}"},
			{With: "response"}, {With: "canonical", Why: "a linear program has no order of patterns"}, {With: "method", Why: ownWay}, {With: "effort", Why: ownWay},
		}, Text: "publish an interval in place of a mark: of intervals that protect those with the least weighted width", Else: "marks", More: "See [partial.md](partial.md)"},
		{Name: "ends", To: endsField(&p.Ends), Title: search, Rare: true, Needs: []string{"partial"}, Text: "round intervals outward to ends that are multiples of `E`, or like \"2 digits\" have so many; plain alone or before these: lay them around the values, not around a table moved by a secret draw: half as wide, but who knows how they were chosen can mostly tell the value, as their middle with equal levels", Else: "the decimals of the values"},
		{Name: "max-width", To: levelField(&p.MaxWidth), Title: search, Rare: true, Needs: []string{"partial"}, Clashes: []option.Clash{{With: "defence", Why: "the intervals are then those that everybody can compute"}}, Text: "no interval is wider than `W`, a number or a share of the value like 40%"},
		{Name: "partial-cost", To: &p.PartialCost, Title: search, Rare: true, From: []string{"relative", "absolute"}, Default: "relative", Needs: []string{"partial"}, Text: "relative: an interval as wide as the value costs what the cell costs; absolute: one as wide as 1 does"},

		{Name: "insiders", To: &p.Insiders, Title: people, Clashes: []option.Clash{{With: "certificate", Why: "a certificate knows nothing of insiders"}, {With: "defence"}}, Text: "also: no only contributor of a withheld cell computes another sensitive cell from the relations", More: "See [insiders.md](insiders.md)"},
		{Name: "coalition", To: &p.Coalition, Title: people, Range: "[1, ∞)", Default: 1, Needs: []string{"insiders"}, Text: "nor do up to `M` of them together"},
		{Name: "unions", To: &p.Unions, Title: people, Range: "[2, 6]", Want: "a number of cells from 2 to 6", Clashes: []option.Clash{
			{With: "defence", Why: "which sums are sensitive depends on the values; hitoku audit {unions} looks at those of its pattern"}, {With: "response", Why: "sums of several responses under one mask are not looked at; protect them one by one"},
		}, Text: "also protect the sensitive unions: sums of up to `N` withheld cells of one relation, of all of them where that is known, and of any whose sum several relations tell, that the rules call sensitive", More: "See [unions.md](unions.md)"},
		{Name: "unions-possible", To: &p.UnionsPossible, Title: people, Rare: true, Needs: []string{"unions"}, Text: "also those sums that are sensitive only if contributors to different cells are the same, where the table does not tell who they are"},
		{Name: "groups", To: groupsField(&p.Groups), Title: people, Clashes: []option.Clash{
			{With: "defence", Why: "which groups there are depends on the values; hitoku audit {groups} looks at those of its pattern"}, {With: "response", Why: "groups of several responses under one mask are not looked at; protect them one by one"},
		}, Text: "`k` or k,d: in tables of counts, protect that all units of a margin but at most k are in one of its cells: the others must be able to be d more, 1 unless it is said", More: "See [unions.md](unions.md#groups)"},
		{Name: "singletons", To: singletonsField(&p.Singletons), Title: people, Rare: true, Offer: []string{"none", "tauargus-opt", "tauargus-mod"}, Else: "none", Clashes: []option.Clash{
			{With: "insiders", Why: "{insiders} asks for what a contributor learns from all relations"}, {With: "certificate", Why: "a certificate knows nothing of contributors"}, {With: "defence"},
		}, Text: "τ-ARGUS's row-wise rule for cells with one contributor, as its method OPT or MOD has it; --insiders solves for all relations together", More: "It needs numbers of contributors; see [insiders.md](insiders.md)"},

		{Name: "defence", To: (*string)(&p.Defence), Title: robust, From: kinds, Clashes: []option.Clash{{With: "linked"}}, Text: "withstand an intruder who knows how patterns are chosen: decide by public data instead of cost", Else: "the cheapest pattern", More: "See [defence.md](defence.md)"},
		{Name: "defence-over", To: (*string)(&p.DefenceOver), Title: robust, Rare: true, From: kinds[:2], One: onlyRandom[:1], Text: "what is public for random", Else: "simulatable"},
		{Name: "public-weights", To: &p.PublicWeights, Title: robust, Rare: true, Files: []string{"csv", "jj", "jj.gz"}, Needs: []string{"defence"}, Text: "a `file` with an older, public table of the same cells; its large ones are released first", Else: "an order by what is left of the totals"},
		{Name: "defence-base", To: &p.DefenceBase, Title: robust, Rare: true, Range: "[1, ∞)", One: onlyQuantised, Text: "quantised: cells below `B` are withheld and protected", Else: "the larger of --below and --width + 2"},
		{Name: "defence-step", To: &p.DefenceStep, Title: robust, Rare: true, Range: "[1, ∞)", One: onlyQuantised, Text: "quantised: size `C` of the classes of the others", Else: "2B"},
		{Name: "defence-orders", To: &p.DefenceOrders, Title: robust, Rare: true, Range: "[1, ∞)", Default: 16, One: onlyRandom[:1], Text: "random: draw from `M` orders"},
		{Name: "defence-epsilon", To: &p.DefenceEpsilon, Title: robust, Rare: true, Range: "(0, ∞)", Default: 1.0, One: onlyRandom[:1], Text: "random: how much patterns with fewer cells are preferred, `E`"},
		{Name: "defence-seed", To: seedField(&p.DefenceSeed), Title: robust, Rare: true, One: onlyRandom[:1], Text: "random: seed `N` of the orders, which may be public"},
	}
}

// Clashes lists what in a policy conflicts with another property of a run, called name: a certificate, linked tables,
// or responses under one mask.
func Clashes(name string) []option.Clash {
	return slices.Clone(map[string][]option.Clash{
		"certificate": {{With: "defence", Why: noProof}, {With: "linked", Why: "a certificate is about one table"}},
		"response":    {{With: "insiders"}, {With: "singletons"}, {With: "defence"}, {With: "method=modular", Why: "a common mask is found for the whole table at once"}},
	}[name])
}

// fieldNames returns the names of fields.
func fieldNames(fields []option.Option) []string {
	return sets.Each(fields, func(f option.Option) string { return f.Name })
}

// words returns kinds as strings.
func words[T ~string](kinds []T) []string {
	return sets.Each(kinds, func(k T) string { return string(k) })
}

// A Change says how values are changed instead of being withheld. A file may hold it beside a policy, but Run does not
// apply it: Base, Kind, Steps and Partition belong to hitoku round, Norm and Most to hitoku adjust.
type Change struct {
	Base      *table.Decimal
	Kind      string
	Steps     int
	Partition bool
	Norm      string
	Most      *table.Decimal
}

// Fields returns the option records of the fields, like Policy.Fields.
func (c *Change) Fields() []option.Option {
	return []option.Option{
		{Name: "base", To: numberField(&c.Base), Title: "Search", Text: "round to multiples of this"},
		{Name: "kind", To: &c.Kind, Title: "Search", From: []string{"controlled", "small", "conventional", "random"}, Default: "controlled", Text: "controlled: to one of the two nearest multiples, with all sums; small: only inner counts below the base; conventional, random: cell by cell, without sums"},
		{Name: "steps", To: &c.Steps, Title: "Search", Range: "[0, ∞)", Text: "where there is no rounding to the two nearest multiples, allow up to `K` more"},
		{Name: "partition", To: &c.Partition, Title: "Search", Text: "round slab by slab, for large tables: no search for the best, but a bound"},
		{Name: "norm", To: &c.Norm, Title: "Search", From: []string{"l1", "l2"}, Text: "l1: the sum of changes is smallest; l2: that of their squares, in the directions of l1"},
		{Name: "most", To: numberField(&c.Most), Title: "Search", Text: "no cell changes by more than this", Else: "the sum of the levels of all sensitive cells"},
	}
}
