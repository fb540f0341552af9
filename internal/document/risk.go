package document

import "math/big"

// The documents of hitoku risk. The tag text is the name of a key in the readable form; textif is the same for
// a key that this form leaves out if it is 0. Beside a rational number there is a float.

// A Measure is the beginning of the document of every measure of risk.
type Measure struct {
	Head
	Metric string `json:"metric" doc:"what is measured"`
	Status string `json:"status" enum:"ok,infeasible,empty" doc:"infeasible: no choice reaches the target; empty: there are no records"`
}

// Base returns what all measures contain.
func (m *Measure) Base() *Measure { return m }

// Judged is the end of the document of a measure, with the limits that were given.
type Judged struct {
	Limits []Limit `json:"limits,omitempty"`
}

// Judge sets the limits.
func (j *Judged) Judge(limits []Limit) { j.Limits = limits }

// Asked returns the limits that were given.
func (j *Judged) Asked() []Limit { return j.Limits }

// Measured is implemented by pointers to documents of measures.
type Measured interface {
	Base() *Measure
	Judge([]Limit)
	Asked() []Limit
}

// A Limit is a limit that was given, and whether it is kept.
type Limit struct {
	Limit  string  `json:"limit" doc:"name of the flag"`
	L      uint64  `json:"l,omitempty" doc:"of recursive diversity, of which want is the c"`
	Want   Exact   `json:"want"`
	Got    Exact   `json:"got" doc:"null: not defined"`
	Met    bool    `json:"met" doc:"false where it is open, too"`
	Open   bool    `json:"open,omitempty" doc:"got is within the limit, but only under a model of which nothing shows that it holds; or it is above, but without under may be of chance"`
	Models *Spread `json:"models,omitempty" doc:"why it is open although the figure is within the limit: what several models of the population tell"`
	Under  string  `json:"under,omitempty" enum:"negative_binomial" doc:"model that got supposes: of negative_binomial F, the people of a class in the population, is spread like 1/F before f is seen; where most combinations are rare there, risks are understated"`
}

// A Spread says why models of the population do not decide a limit.
type Spread struct {
	Why       string       `json:"why" enum:"apart,found,above,few,alone" doc:"apart: estimates differ by more than a factor of three; found: those of the expected re-identifications do; above: an interval reaches beyond the limit; few: a model expects classes with a risk beyond it; alone: there are no two models"`
	Lowest    Opt[float64] `json:"lowest" doc:"estimate, in the unit of the limit"`
	LowestBy  string       `json:"lowest_by" doc:"model"`
	Highest   Opt[float64] `json:"highest"`
	HighestBy string       `json:"highest_by"`
	UpTo      Opt[float64] `json:"up_to" doc:"what reaches beyond the limit; of few, the classes"`
	UpToBy    string       `json:"up_to_by"`
}

// A ModelRisk is what a model of the population tells about a sample.
type ModelRisk struct {
	Model            string       `json:"model" enum:"benedetti_franconi,pitman,zayatz,snb,log_linear"`
	Reidentified     float64      `json:"expected_reidentifications" doc:"Σ E[1/F] over the records, F the people of a class in the population"`
	ReidentifiedFrom float64      `json:"reidentified_from" doc:"three standard deviations below: of chance and of what is fitted, not of whether the model holds"`
	ReidentifiedTo   float64      `json:"reidentified_to"`
	MaxRisk          float64      `json:"max_risk" doc:"largest E[1/F]"`
	Above            Opt[float64] `json:"classes_above_limit,omitzero" doc:"classes expected to have 1/F above --max-risk"`
	Uniques          Opt[float64] `json:"population_uniques" doc:"null: the model is not made for that"`
	UniquesFrom      Opt[float64] `json:"uniques_from"`
	UniquesTo        Opt[float64] `json:"uniques_to"`
	B1               Opt[float64] `json:"b1,omitzero" doc:"of log_linear, the test by Skinner and Shlomo, B1/√v: above 1.96 the model smooths too much, below −1.96 too little"`
	B2               Opt[float64] `json:"b2,omitzero"`
	Pairs            [][2]string  `json:"interactions,omitempty" doc:"of log_linear: pairs of quasi-identifiers"`
}

// Beside is what was found about columns that are not measured.
type Beside struct {
	Dropped     []string `json:"dropped,omitempty" text:"not published" doc:"columns of --drop"`
	Identifiers []string `json:"identifiers,omitempty" text:"identifying columns" doc:"with another value on nearly every record"`
}

// An Unsafe is a truth value in JSON, and a word in a table.
type Unsafe bool

func (u Unsafe) String() string {
	if u {
		return "unsafe"
	}
	return "safe"
}

// Ratio returns a number and the float nearest to it, both null if x is nil.
func Ratio(x *big.Rat) (Opt[Rational], Opt[float64]) {
	if x == nil {
		return Null[Rational](), Null[float64]()
	}
	f, _ := x.Float64()
	return Some(Rational(x.RatString())), Some(f)
}

// Ratios returns numbers and the floats nearest to them.
func Ratios(list []*big.Rat) (Opt[[]Rational], Opt[[]float64]) {
	rs, fs := []Rational{}, []float64{}
	for _, x := range list {
		f, _ := x.Float64()
		rs, fs = append(rs, Rational(x.RatString())), append(fs, f)
	}
	return Some(rs), Some(fs)
}

// Microdata is the beginning of the document of a measure of records in files.
type Microdata struct {
	Measure
	Files []string `json:"files"`
	QI    []string `json:"qi" doc:"quasi-identifiers"`
	Beside
}

// MissingValues says what is missing, and how that was treated.
type MissingValues struct {
	Missing     string   `json:"missing" enum:"own,drop,suppressed,wildcard,ignore" text:"missing is" doc:"what a missing quasi-identifier is: a value of its own, reason to leave the record out, a value of its own in records that have another, compatible with every value, or equal to none"`
	Markers     []string `json:"missing_markers" null:"true" doc:"values that stand for a missing one"`
	Excluded    uint64   `json:"excluded" textif:"left out" doc:"records"`
	WithMissing uint64   `json:"with_missing" textif:"records with a missing value"`
	AllMissing  uint64   `json:"all_missing" textif:"records with no other"`
}

// A SizeCount is a bar of a histogram of class sizes.
type SizeCount struct {
	Size    uint64 `json:"size"`
	Classes uint64 `json:"classes"`
	Records uint64 `json:"records"`
}

// A Share is a range [Lower, Upper) of probabilities with the number of records or classes in it; the last
// range, [1, 1], is certainty.
type Share struct {
	Lower   float64 `json:"lower"`
	Upper   float64 `json:"upper" doc:"beyond the range, but of the last, where it is lower"`
	Classes uint64  `json:"classes"`
	Records uint64  `json:"records"`
}

// A ClassFrequency is a class with its number of records.
type ClassFrequency struct {
	Tuple     []string `json:"tuple" doc:"values of the quasi-identifiers"`
	Records   uint64   `json:"records"`
	Frequency uint64   `json:"frequency" doc:"records compatible with it"`
}

// KAnonymity is what hitoku risk k-anonymity prints.
type KAnonymity struct {
	Microdata `kind:"risk-k-anonymity/1" doc:"k-anonymity: the size of the smallest class of records alike"`
	K         Opt[uint64] `json:"k" text:"k"`
	Records   uint64      `json:"records" text:"records"`
	Classes   Opt[uint64] `json:"classes" text:"classes" doc:"null where missing values are compatible with all"`
	MaxClass  Opt[uint64] `json:"max_class" text:"largest class"`
	Uniques   uint64      `json:"sample_uniques" text:"records alone"`
	MissingValues
	MaxRisk      Opt[float64]          `json:"prosecutor_max_risk" text:"largest risk 1/k"`
	AverageRisk  Opt[float64]          `json:"average_risk" text:"average risk"`
	Reidentified float64               `json:"expected_reidentifications" text:"expected re-identifications"`
	Histogram    []SizeCount           `json:"histogram" doc:"of class sizes"`
	Subsets      []SubsetAnonymity     `json:"subsets,omitempty" doc:"with --subsets: the most exposed set of columns of each size first"`
	PerRecord    string                `json:"per_record,omitempty" text:"a line for each record in" doc:"file of --per-record"`
	Worst        Opt[[]ClassFrequency] `json:"worst,omitzero" doc:"with --worst"`
	Judged
}

// A SubsetAnonymity is k-anonymity by some of the quasi-identifiers.
type SubsetAnonymity struct {
	Columns []string    `json:"columns"`
	K       Opt[uint64] `json:"k"`
	Classes Opt[uint64] `json:"classes" doc:"null where missing values are compatible with all"`
	Uniques uint64      `json:"sample_uniques" doc:"records alone"`
}

// SpecialUniques is what hitoku risk special-uniques prints.
type SpecialUniques struct {
	Microdata `kind:"risk-special-uniques/1" doc:"special uniques: which sets of columns single records out, SUDA and DIS scores"`
	Records   uint64  `json:"records" text:"records"`
	Uniques   uint64  `json:"sample_uniques" text:"records alone"`
	Paired    uint64  `json:"records_in_pairs" text:"records in pairs" doc:"that share their values with exactly one other"`
	Special   uint64  `json:"special_uniques" text:"records singled out" doc:"with a minimal sample unique"`
	MSUs      uint64  `json:"minimal_sample_uniques" text:"minimal sample uniques"`
	MaxSize   int     `json:"max_size" doc:"minimal sample uniques of at most so many columns were looked for"`
	Fraction  float64 `json:"sampling_fraction" text:"sampling fraction"`
	MissingValues
	Match        Opt[float64]         `json:"match_is_right" text:"a match with a record alone is right" doc:"data intrusion score of the file; null where no record is alone"`
	MaxScore     Opt[float64]         `json:"max_suda" text:"largest SUDA score"`
	MaxDIS       Opt[float64]         `json:"max_dis" text:"largest DIS-SUDA score"`
	AverageDIS   Opt[float64]         `json:"average_dis" text:"average DIS-SUDA score" doc:"over all records"`
	Sizes        []SpecialSize        `json:"msu_sizes"`
	Columns      []SpecialAttribute   `json:"contributions" doc:"of columns to the scores"`
	Combinations []SpecialCombination `json:"combinations" doc:"sets of columns that single records out, of the largest share of the scores first; at most 100"`
	Histogram    []Share              `json:"histogram" doc:"of DIS-SUDA scores"`
	PerRecord    string               `json:"per_record,omitempty" text:"a line for each record in" doc:"file of --per-record"`
	Worst        Opt[[]SpecialRecord] `json:"worst,omitzero" doc:"with --worst"`
	Judged
}

// A SpecialSize counts minimal sample uniques by size.
type SpecialSize struct {
	Size    int    `json:"size" doc:"columns"`
	MSUs    uint64 `json:"msus"`
	Records uint64 `json:"records" doc:"whose smallest it is"`
}

// A SpecialAttribute is the contribution of a column.
type SpecialAttribute struct {
	Column  string  `json:"column"`
	MSUs    uint64  `json:"msus" doc:"with it"`
	Records uint64  `json:"records" doc:"with one of them"`
	Share   float64 `json:"share" doc:"of the scores"`
}

// A SpecialCombination is a set of columns.
type SpecialCombination struct {
	Columns []string `json:"columns"`
	Records uint64   `json:"records" doc:"that it singles out, and no part of it does"`
	Share   float64  `json:"share" doc:"of the scores"`
}

// A SpecialRecord is a record that is singled out.
type SpecialRecord struct {
	Tuple []string   `json:"tuple"`
	Score float64    `json:"suda"`
	DIS   float64    `json:"dis"`
	MSUs  [][]string `json:"msus" doc:"sets of columns"`
}

// An EntityCount is a bar of a histogram of class sizes in entities.
type EntityCount struct {
	Size     uint64 `json:"size"`
	Classes  uint64 `json:"classes"`
	Entities uint64 `json:"entities"`
}

// An EntityClass is a class of entities with their tuples.
type EntityClass struct {
	Tuples   [][]string `json:"tuples"`
	Times    []uint64   `json:"times" doc:"each tuple"`
	Entities uint64     `json:"entities"`
}

// EntityAnonymity is what hitoku risk k-anonymity --entity prints.
type EntityAnonymity struct {
	Microdata `kind:"risk-k-anonymity-entity/1" doc:"k-anonymity of persons with several records"`
	Entity    string      `json:"entity" doc:"column that tells them"`
	K         Opt[uint64] `json:"k" text:"k, in entities"`
	Entities  uint64      `json:"entities" text:"entities"`
	Rows      uint64      `json:"rows" text:"records"`
	Classes   uint64      `json:"classes" text:"classes" doc:"of entities with the same records"`
	MaxClass  Opt[uint64] `json:"max_class" text:"largest class"`
	Uniques   uint64      `json:"uniques" text:"entities alone"`
	WithoutID uint64      `json:"without_id" textif:"records without id, each taken as an entity"`
	MissingValues
	RowK          Opt[uint64]        `json:"row_level_k" text:"k of the records alone"`
	LeastPerTuple Opt[uint64]        `json:"distinct_entities_per_tuple_min" text:"fewest entities that share a record"`
	Histogram     []EntityCount      `json:"histogram"`
	Worst         Opt[[]EntityClass] `json:"worst,omitzero" doc:"with --worst"`
	Judged
}

// Classes is the beginning of the documents about sensitive attributes.
type Classes struct {
	Records uint64      `json:"records" text:"records"`
	Classes uint64      `json:"classes" text:"classes"`
	K       Opt[uint64] `json:"k" text:"k"`
	MissingValues
	MissingSensitive string `json:"missing_sensitive" enum:"ignore,own"`
}

// LDiversity is what hitoku risk l-diversity prints.
type LDiversity struct {
	Microdata `kind:"risk-l-diversity/1" doc:"l-diversity: how many sensitive values each class has"`
	Classes
	Distinct   Opt[uint64]   `json:"distinct_l" text:"distinct l"`
	Entropy    Opt[float64]  `json:"entropy_l" text:"entropy l"`
	Alpha      Opt[Rational] `json:"alpha" text:"α" doc:"largest share of one value in a class"`
	AlphaFloat Opt[float64]  `json:"alpha_float,omitzero"`
	Attributes []Diversity   `json:"attributes"`
	Judged
}

// Diversity is the diversity of one attribute.
type Diversity struct {
	Attribute     string            `json:"attribute"`
	Distinct      Opt[uint64]       `json:"distinct_l"`
	Entropy       Opt[float64]      `json:"entropy_l"`
	Alpha         Opt[Rational]     `json:"alpha"`
	AlphaFloat    Opt[float64]      `json:"alpha_float"`
	Recursive     []Recursive       `json:"recursive"`
	Histogram     map[string]uint64 `json:"distinct_l_histogram" doc:"classes by distinct l"`
	MissingValues uint64            `json:"missing_values"`
	Worst         []ClassDiversity  `json:"worst,omitempty" doc:"with --worst"`
}

// Recursive says for which c an attribute is recursively (c,l)-diverse: for all above the infimum.
type Recursive struct {
	L       uint64        `json:"l"`
	Infimum Opt[Rational] `json:"c_infimum" doc:"null: for none"`
}

// A ClassDiversity is a class with the diversity of an attribute in it.
type ClassDiversity struct {
	Tuple    []string `json:"tuple"`
	Records  uint64   `json:"records"`
	Distinct uint64   `json:"distinct_l"`
	Entropy  float64  `json:"entropy_l"`
	Top      uint64   `json:"top" doc:"records with the most frequent value"`
}

// Likeness is what hitoku risk beta-likeness prints.
type Likeness struct {
	Microdata `kind:"risk-beta-likeness/1" doc:"β-likeness and δ-disclosure: how much likelier a class makes a sensitive value"`
	Classes
	Beta       Opt[Rational]       `json:"beta" text:"β"`
	BetaFloat  Opt[float64]        `json:"beta_float"`
	Capped     Opt[bool]           `json:"enhanced" text:"enhanced" doc:"whether no gain is above −ln p, so that enhanced β-likeness holds with β"`
	Bounded    Opt[float64]        `json:"beta_bounded" doc:"the smaller of β and −ln of the share of the rarest value, which pyCANON calls enhanced"`
	Delta      Opt[float64]        `json:"delta" text:"δ" doc:"largest |ln(q/p)| of values that occur in a class"`
	Absent     uint64              `json:"absent" text:"pairs of class and value that do not occur" doc:"for them no δ holds"`
	Attributes []AttributeLikeness `json:"attributes"`
	Judged
}

// AttributeLikeness is the likeness of one attribute.
type AttributeLikeness struct {
	Attribute     string          `json:"attribute"`
	Beta          Opt[Rational]   `json:"beta"`
	BetaFloat     Opt[float64]    `json:"beta_float"`
	Capped        bool            `json:"enhanced"`
	Bounded       Opt[float64]    `json:"beta_bounded"`
	Delta         Opt[float64]    `json:"delta"`
	Absent        uint64          `json:"absent"`
	Values        uint64          `json:"distinct_values"`
	MissingValues uint64          `json:"missing_values"`
	Worst         []ClassDistance `json:"worst,omitempty" doc:"with --worst; distance is the largest gain"`
}

// Generalise is what hitoku risk generalise prints.
type Generalise struct {
	Microdata `kind:"risk-generalise/1" doc:"coarser quasi-identifiers: k, l and t step by step, and the minimal generalisations that reach a goal"`
	Records   uint64   `json:"records" text:"records"`
	Sensitive []string `json:"sensitive,omitempty" text:"sensitive"`
	MissingValues
	Hierarchies []Ladder         `json:"hierarchies" doc:"of the quasi-identifiers"`
	Nodes       int              `json:"nodes" text:"combinations of steps"`
	Measured    int              `json:"measured" textif:"of them measured" doc:"by the search; the others follow"`
	Steps       []Generalised    `json:"steps,omitempty" doc:"each step of each column by itself"`
	Minimal     []Generalisation `json:"minimal,omitempty" doc:"all generalisations that reach the goal and of which no finer one does, that of least loss first"`
	Chosen      *Generalised     `json:"chosen,omitempty" doc:"that of --steps, or the first minimal one"`
	Output      string           `json:"output,omitempty"`
	Written
	Judged
}

// A Ladder is the generalisation steps of a column.
type Ladder struct {
	Column string   `json:"column"`
	Kind   string   `json:"kind" enum:"none,file,band,prefix"`
	Steps  []string `json:"steps" doc:"that of the values themselves first"`
	Values []int    `json:"values" doc:"different ones at each step"`
}

// A Generalisation describes the records at a given choice of steps.
type Generalisation struct {
	Generalised
	Below []Generalised `json:"below,omitempty" doc:"one step finer; none reaches the goal, which proves that this one is minimal"`
}

// Generalised is a Generalisation without those one step finer.
type Generalised struct {
	Steps          []int       `json:"steps" doc:"of the quasi-identifiers, 0: as they are"`
	K              Opt[uint64] `json:"k"`
	L              []uint64    `json:"l,omitempty" doc:"distinct l, by sensitive attribute"`
	E              []float64   `json:"entropy_l,omitempty" doc:"by sensitive attribute"`
	T              []Rational  `json:"t,omitempty" doc:"by sensitive attribute"`
	Classes        uint64      `json:"classes"`
	Left           uint64      `json:"left_out" doc:"records"`
	Loss           float64     `json:"loss" doc:"mean share of the other values that a value cannot be told from"`
	Discernibility Exact       `json:"discernibility" doc:"Σ f² over classes, n for each record left out"`
	Met            bool        `json:"met" doc:"the goal is reached"`
	Records        [][]uint64  `json:"records_by_step,omitempty" doc:"with --local: of each quasi-identifier the records at each step; steps are those it began with"`
}

// Withhold is what hitoku risk withhold prints.
type Withhold struct {
	Microdata `kind:"risk-withhold/1" doc:"values withheld so that each record agrees with k−1 others"`
	Sensitive []string    `json:"sensitive,omitempty" textif:"sensitive"`
	Entity    string      `json:"entity,omitempty" textif:"of persons, by"`
	Untouched []string    `json:"untouched,omitempty" textif:"columns not touched"`
	Records   uint64      `json:"records" text:"records"`
	Before    Opt[uint64] `json:"k_before" text:"k before"`
	MissingValues
	Cells     Opt[uint64]      `json:"cells" text:"values withheld"`
	Share     Opt[float64]     `json:"share" text:"share of all values"`
	Bound     Opt[uint64]      `json:"bound" text:"no choice withholds fewer than"`
	Optimal   Opt[bool]        `json:"optimal" text:"fewest" doc:"whether it is proved that no choice withholds fewer values"`
	Cost      Opt[uint64]      `json:"cost,omitzero" text:"what they cost by weights"`
	CostBound Opt[uint64]      `json:"cost_bound,omitzero" text:"no choice costs less than"`
	Cheapest  Opt[bool]        `json:"cheapest,omitzero" text:"cheapest" doc:"whether it is proved that no choice costs less"`
	Touched   Opt[uint64]      `json:"records_touched" text:"records with a value withheld"`
	Columns   []WithheldColumn `json:"by_column"`
	Output    string           `json:"output,omitempty"`
	Written
	Judged
}

// A WithheldColumn is a quasi-identifier.
type WithheldColumn struct {
	Column string `json:"column"`
	Cells  uint64 `json:"cells"`
}

// TCloseness is what hitoku risk t-closeness prints.
type TCloseness struct {
	Microdata `kind:"risk-t-closeness/1" doc:"t-closeness: how far the sensitive values of a class are from those of all"`
	Classes
	T          Opt[Rational] `json:"t" text:"t"`
	TFloat     Opt[float64]  `json:"t_float,omitzero"`
	Attributes []Closeness   `json:"attributes"`
	Judged
}

// Closeness is the closeness of one attribute.
type Closeness struct {
	Attribute     string          `json:"attribute"`
	Distance      string          `json:"distance" enum:"equal,ordered"`
	T             Opt[Rational]   `json:"t"`
	TFloat        Opt[float64]    `json:"t_float"`
	Values        uint64          `json:"distinct_values"`
	MissingValues uint64          `json:"missing_values"`
	Worst         []ClassDistance `json:"worst,omitempty" doc:"with --worst"`
}

// A ClassDistance is a class with the distance of an attribute in it.
type ClassDistance struct {
	Tuple    []string `json:"tuple"`
	Records  uint64   `json:"records"`
	Distance float64  `json:"distance"`
}

// Model says what stands for the population.
type Model struct {
	Model string `json:"model" text:"F"`
}

// Register describes the population in files.
type Register struct {
	Model
	Population []string `json:"population_files"`
	Wildcards  []string `json:"wildcards" doc:"values of the data set that match anything"`
	Tags       []string `json:"tags,omitempty" text:"taken to the categories of the population" doc:"COLUMN=TAG, with --tag"`
}

// Presence is δ, the largest f/F.
type Presence struct {
	Max      Opt[Rational] `json:"delta_max" text:"δ"`
	MaxFloat Opt[float64]  `json:"delta_max_float,omitzero"`
	Min      Opt[Rational] `json:"delta_min" text:"smallest f/F in the population"`
	MinFloat Opt[float64]  `json:"delta_min_float,omitzero"`
}

// Smallest is k, the smallest F.
type Smallest struct {
	K Opt[uint64] `json:"k_map" text:"k"`
}

// Matched is what a population file tells about the records.
type Matched struct {
	Records    uint64        `json:"records" text:"records"`
	Tuples     uint64        `json:"tuples" text:"different records"`
	Population uint64        `json:"population" text:"people in the population"`
	Unmatched  uint64        `json:"population_unmatched" text:"that no record matches"`
	Suppressed uint64        `json:"suppressed" textif:"records with nothing but wildcards"`
	Absent     uint64        `json:"tuples_absent_from_population" textif:"different records without a match"`
	Below      uint64        `json:"tuples_with_population_below_sample" textif:"different records with fewer people than records"`
	MaxRisk    Opt[Rational] `json:"journalist_max_risk" text:"largest risk, journalist"`
	MaxFloat   Opt[float64]  `json:"journalist_max_risk_float,omitzero"`
	Average    Opt[float64]  `json:"journalist_avg_risk" text:"average risk, journalist"`
	Marketer   Opt[float64]  `json:"marketer_risk" text:"share re-identified, marketer"`
	Histogram  []SizeCount   `json:"histogram" doc:"of F"`
}

// A ClassPopulation is a tuple of the data set with its frequencies.
type ClassPopulation struct {
	Tuple      []string `json:"tuple"`
	Sample     uint64   `json:"sample"`
	Population uint64   `json:"population"`
	Delta      *float64 `json:"delta" doc:"null: nobody matches"`
}

// KMap is what hitoku risk k-map prints with a population file.
type KMap struct {
	Microdata `kind:"risk-k-map/1" doc:"k-map: the smallest number of people in a population file who match a record"`
	Register
	Smallest
	Presence
	Matched
	Worst Opt[[]ClassPopulation] `json:"worst,omitzero" doc:"with --worst"`
	Judged
}

// DeltaPresence is what hitoku risk delta-presence prints with a population file.
type DeltaPresence struct {
	Microdata `kind:"risk-delta-presence/1" doc:"δ-presence: how sure one can be that somebody in a population file is in the data set"`
	Register
	Presence
	Smallest
	Matched
	Shares Opt[[]Share]           `json:"delta_histogram" doc:"of f/F"`
	Worst  Opt[[]ClassPopulation] `json:"worst,omitzero" doc:"with --worst"`
	Judged
}

// SmallestEstimate is k if F is estimated.
type SmallestEstimate struct {
	K      Opt[Rational] `json:"k_map_estimate" text:"k, estimated"`
	KFloat Opt[float64]  `json:"k_map_estimate_float"`
}

// PresenceEstimate is δ if F is estimated.
type PresenceEstimate struct {
	Delta      Opt[Rational] `json:"delta_estimate" text:"δ, estimated"`
	DeltaFloat Opt[float64]  `json:"delta_estimate_float"`
}

// Auxiliary names tables of relative frequencies.
type Auxiliary struct {
	Model
	Files []string `json:"aux_files"`
}

// Estimated is what these tables tell.
type Estimated struct {
	Records    uint64               `json:"records" text:"records"`
	Tuples     uint64               `json:"tuples" text:"different records"`
	Population uint64               `json:"population_size" text:"people in the population"`
	Absent     uint64               `json:"tuples_absent_from_population" textif:"different records of frequency 0"`
	Below      uint64               `json:"tuples_with_population_below_sample" textif:"different records with fewer people than records"`
	Shares     []Share              `json:"delta_histogram" doc:"of f/F"`
	Worst      Opt[[]ClassEstimate] `json:"worst,omitzero" doc:"with --worst"`
}

// A ClassEstimate is a tuple of the data set with its estimated frequency.
type ClassEstimate struct {
	Tuple      []string `json:"tuple"`
	Sample     uint64   `json:"sample"`
	Population float64  `json:"population_estimate"`
	Delta      *float64 `json:"delta_estimate" doc:"null: nobody matches"`
}

// KMapRelative is what hitoku risk k-map --aux prints.
type KMapRelative struct {
	Microdata `kind:"risk-k-map-relative/1" doc:"k-map, with F estimated by relative frequencies"`
	Auxiliary
	SmallestEstimate
	PresenceEstimate
	Estimated
	Judged
}

// DeltaRelative is what hitoku risk delta-presence --aux prints.
type DeltaRelative struct {
	Microdata `kind:"risk-delta-presence-relative/1" doc:"δ-presence, with F estimated by relative frequencies"`
	Auxiliary
	PresenceEstimate
	SmallestEstimate
	Estimated
	Judged
}

// Thinned is what a simple random sample tells about its population.
type Thinned struct {
	Records       uint64                `json:"records" text:"records"`
	Tuples        uint64                `json:"tuples" text:"different records"`
	Population    uint64                `json:"population_size" text:"people in the population"`
	Fraction      Opt[Rational]         `json:"sampling_fraction" text:"sampling fraction p"`
	FractionFloat Opt[float64]          `json:"sampling_fraction_float"`
	MaxRisk       float64               `json:"max_risk" text:"largest risk E[1/F|f]"`
	Reidentified  float64               `json:"expected_reidentifications" text:"expected re-identifications"`
	Sizes         []ThinnedSize         `json:"sizes"`
	Worst         Opt[[]ClassFrequency] `json:"worst,omitzero" doc:"with --worst"`
}

// A ThinnedSize is what it tells about classes of one size.
type ThinnedSize struct {
	Size     uint64             `json:"size"`
	Classes  uint64             `json:"classes"`
	Estimate float64            `json:"population_estimate"`
	Risk     float64            `json:"risk_exact"`
	Approx   float64            `json:"risk_approx"`
	AtLeast  map[string]float64 `json:"prob_F_at_least" doc:"chance that F is at least the key"`
}

// KThinned and DeltaThinned are absent from documents without records.
type KThinned struct {
	SmallestEstimate
	PresenceEstimate
	Thinned
}

// DeltaThinned has δ first.
type DeltaThinned struct {
	PresenceEstimate
	SmallestEstimate
	Thinned
}

// KMapThinning is what hitoku risk k-map --model thinning prints.
type KMapThinning struct {
	Microdata `kind:"risk-k-map-thinning/1" doc:"k-map, with F estimated as the data are a simple random sample"`
	Model
	*KThinned
	Judged
}

// DeltaThinning is what hitoku risk delta-presence --model thinning prints.
type DeltaThinning struct {
	Microdata `kind:"risk-delta-presence-thinning/1" doc:"δ-presence, with F estimated as the data are a simple random sample"`
	Model
	*DeltaThinned
	Judged
}

// KMapPoisson is what hitoku risk k-map --model poisson prints.
type KMapPoisson struct {
	Microdata `kind:"risk-k-map-poisson/1" doc:"k-map by a Poisson test of the class sizes"`
	Model
	*Tested
	Judged
}

// Tested is the result of the test; it is absent if there are no records.
type Tested struct {
	K          uint64                `json:"k" text:"k to test"`
	Level      float64               `json:"level" text:"error level"`
	Lambda     float64               `json:"lambda" text:"λ = k n/N"`
	Threshold  uint64                `json:"threshold" text:"threshold" doc:"classes of at least this size are accepted"`
	Uncapped   uint64                `json:"uncapped" doc:"threshold if it could be above k"`
	Records    uint64                `json:"records" text:"records"`
	Tuples     uint64                `json:"tuples" text:"different records"`
	Population uint64                `json:"population_size" text:"people in the population"`
	MinClass   uint64                `json:"min_class" text:"smallest class"`
	Below      uint64                `json:"records_below_threshold" text:"records below the threshold"`
	Worst      Opt[[]ClassFrequency] `json:"worst,omitzero" doc:"with --worst"`
}

// Survey is what hitoku risk survey prints.
type Survey struct {
	Microdata  `kind:"risk-survey/1" doc:"individual risk in a survey with weights"`
	Model      string      `json:"model" text:"model"`
	Records    uint64      `json:"records" text:"records"`
	Classes    uint64      `json:"classes" text:"different records"`
	Population Exact       `json:"population_estimate" text:"people, by the weights"`
	K          Opt[uint64] `json:"k" text:"k in the sample"`
	Uniques    uint64      `json:"sample_uniques" text:"records alone in the sample"`
	MissingValues
	IndividualRisks
	Above Opt[uint64] `json:"records_above_limit,omitzero" text:"records above the limit" doc:"with --max-risk"`
	*HouseholdRisk
	Light     uint64           `json:"light_classes,omitempty" textif:"classes with weights below their records" doc:"whose weights sum to less than their records; as F ≥ f their risk is 1/f"`
	PerRecord string           `json:"per_record,omitempty" text:"a line for each record in" doc:"file of --per-record"`
	Models    []ModelRisk      `json:"models,omitempty" doc:"side by side"`
	Histogram []Share          `json:"histogram" doc:"of risks"`
	Worst     Opt[[]ClassRisk] `json:"worst,omitzero" doc:"with --worst"`
	Judged
}

// IndividualRisks are figures of individual risks, each also by the approximation that is in use elsewhere.
type IndividualRisks struct {
	MaxRisk            Opt[float64] `json:"max_risk" text:"largest risk"`
	MaxApprox          Opt[float64] `json:"max_risk_approx"`
	AverageRisk        Opt[float64] `json:"average_risk" text:"average risk"`
	AverageApprox      Opt[float64] `json:"average_risk_approx"`
	Reidentified       Opt[float64] `json:"expected_reidentifications" text:"expected re-identifications"`
	ReidentifiedApprox Opt[float64] `json:"expected_reidentifications_approx" text:"approximated"`
}

// HouseholdRisk is present with --household.
type HouseholdRisk struct {
	Household    string       `json:"household" doc:"column with the id"`
	Households   uint64       `json:"households" text:"households"`
	WithoutID    uint64       `json:"without_household" textif:"records without a household" doc:"each taken as one"`
	MaxRisk      Opt[float64] `json:"household_max_risk" text:"largest risk of a household" doc:"1 − Π(1−r) over its records"`
	AverageRisk  Opt[float64] `json:"household_average_risk" text:"average, over records"`
	Reidentified Opt[float64] `json:"household_expected_reidentifications" text:"records in households found"`
}

// A ClassRisk is a class with the individual risk of its records.
type ClassRisk struct {
	Tuple     []string `json:"tuple"`
	Records   uint64   `json:"records"`
	Frequency uint64   `json:"frequency"`
	Weights   string   `json:"weights" doc:"their sum, digit for digit"`
	Risk      float64  `json:"risk"`
	Approx    float64  `json:"risk_approx"`
}

// Uniques is what hitoku risk uniques prints.
type Uniques struct {
	Microdata  `kind:"risk-uniques/1" doc:"people unique in the population, estimated from a sample"`
	Population uint64 `json:"population_size" text:"population"`
	Records    uint64 `json:"records" text:"records"`
	Classes    uint64 `json:"classes" text:"classes"`
	Alone      uint64 `json:"sample_uniques" text:"records alone"`
	MissingValues
	Fraction      Opt[float64]          `json:"sampling_fraction" text:"sampling fraction"`
	ZayatzProb    Opt[float64]          `json:"zayatz_prob" text:"a record alone is unique, Zayatz"`
	ZayatzUniques Opt[float64]          `json:"zayatz_uniques" text:"population uniques, Zayatz"`
	PitmanTheta   Opt[float64]          `json:"pitman_theta" doc:"null where the Pitman model does not fit"`
	PitmanAlpha   Opt[float64]          `json:"pitman_alpha"`
	PitmanUniques Opt[float64]          `json:"pitman_uniques" text:"population uniques, Pitman"`
	SNBClasses    Opt[float64]          `json:"snb_classes" doc:"of the population, null where the sliding negative binomial does not fit"`
	SNBAlpha      Opt[float64]          `json:"snb_alpha"`
	SNBBeta       Opt[float64]          `json:"snb_beta"`
	SNBUniques    Opt[float64]          `json:"snb_uniques" text:"population uniques, sliding negative binomial"`
	Chosen        Opt[string]           `json:"chosen" text:"chosen"`
	Reason        Opt[string]           `json:"reason" text:"because"`
	Uniques       Opt[float64]          `json:"population_uniques" text:"population uniques"`
	Share         Opt[float64]          `json:"share" text:"share of the population"`
	Histogram     []SizeCount           `json:"histogram" doc:"of class sizes"`
	Worst         Opt[[]ClassFrequency] `json:"worst,omitzero" doc:"with --worst"`
	Judged
}
