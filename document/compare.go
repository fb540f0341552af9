package document

// Comparison is what hitoku risk compare prints of each release.
type Comparison struct {
	Measure       `kind:"risk-compare/1" doc:"a release against the original: attacks on it, and what its users lose"`
	Original      string       `json:"original" text:"original"`
	Release       string       `json:"release" text:"release"`
	Control       Opt[string]  `json:"control,omitzero" text:"control" doc:"records that the release was not made from"`
	QI            []string     `json:"qi" text:"known to the attacker" doc:"columns"`
	Sensitive     []string     `json:"sensitive,omitempty" text:"sensitive" doc:"columns"`
	Numbers       []string     `json:"numbers" doc:"columns whose values are numbers"`
	Seed          uint64       `json:"seed" text:"seed"`
	Confidence    float64      `json:"confidence" doc:"level of the intervals"`
	Records       uint64       `json:"records" text:"records of the original"`
	Released      uint64       `json:"release_records" text:"records of the release"`
	Truth         Opt[string]  `json:"truth" enum:"order,id,mapping" text:"originals known by" doc:"how it is known which record is which; null: it is not"`
	Matched       Opt[uint64]  `json:"matched" text:"records with a known original"`
	LargestRisk   Opt[float64] `json:"largest_risk" text:"largest risk" doc:"of the attacks; null: none could be made"`
	LargestAttack string       `json:"largest_attack" text:"by"`
	Loss          Opt[float64] `json:"loss" text:"loss: propensity score, of 1" doc:"PMSE/(c(1−c)); null: too many parameters"`
	PMSE          Opt[float64] `json:"pmse" doc:"mean squared error of the propensity score"`
	PMSERatio     Opt[float64] `json:"pmse_ratio" text:"by what a right model has" doc:"PMSE by its expectation for records drawn from the right model of the original"`
	IL1s          Opt[float64] `json:"il1s" text:"information loss IL1s"`
	MarginalTV    float64      `json:"marginal_tv" text:"marginals, mean distance" doc:"total variation, mean over columns"`
	PairTV        Opt[float64] `json:"pair_tv" text:"pairs of columns, mean distance" doc:"total variation of two-way tables"`
	Association   Opt[float64] `json:"association" text:"associations, largest change" doc:"of correlations and of Cramér's V"`
	Copies        float64      `json:"copies" text:"records that are copies" doc:"share of records of the release at distance 0 of one of the original"`
	ClosestLow    float64      `json:"closest_low" doc:"distance to the closest record of the original: the 5th percentile"`
	ClosestMedian float64      `json:"closest_median" text:"distance to the closest, median"`
	ClosestMean   float64      `json:"closest_mean"`
	Attacks       []Attacked   `json:"attacks"`
	Links         []Linked     `json:"links" doc:"record linkage, with hits as the PWS Cup counts them"`
	Intervals     []Disclosed  `json:"intervals" doc:"interval disclosure of numbers"`
	Changes       []Changed    `json:"changes" doc:"measures of the quasi-identifiers in both files"`
	Marginals     []Marginal   `json:"marginals"`
	Pairs         []Pair       `json:"pairs"`
	Judged
}

// Attacked is how often an attack succeeds.
type Attacked struct {
	Attack   string       `json:"attack"`
	N        uint64       `json:"n" doc:"attacks"`
	Success  float64      `json:"success" doc:"of them, expected where chance decides"`
	Rate     float64      `json:"rate" doc:"score interval of Wilson: its middle"`
	Low      float64      `json:"rate_low"`
	High     float64      `json:"rate_high"`
	Baseline float64      `json:"baseline" doc:"share of successes of one who does not look at the release"`
	Control  Opt[float64] `json:"control" doc:"share of successes on the control file"`
	Risk     float64      `json:"risk" doc:"what is more than on the control file, or without one than the baseline, of what is left to gain"`
	RiskLow  float64      `json:"risk_low"`
	RiskHigh float64      `json:"risk_high"`
}

// Linked is record linkage.
type Linked struct {
	Attack  string      `json:"attack"`
	N       uint64      `json:"n" doc:"records attacked"`
	Right   float64     `json:"right" doc:"links expected to be right"`
	Certain uint64      `json:"certain" doc:"right links without a tie"`
	Hits    uint64      `json:"hits" doc:"right ones of one guess each"`
	R       Opt[uint64] `json:"r" doc:"hits that refute safety, as the PWS Cup 2018 has it; null: cannot be told"`
	Unsafe  Opt[bool]   `json:"refuted" doc:"hits are r or more"`
}

// Disclosed is interval disclosure of a column.
type Disclosed struct {
	Column  string    `json:"column"`
	Rank    []float64 `json:"rank" doc:"share of originals within 1 to 10 % of the ranks"`
	Average float64   `json:"average" doc:"of these"`
	SD      float64   `json:"sd" doc:"share within a multiple of the standard deviation"`
}

// Changed is a measure in both files.
type Changed struct {
	Measure  string  `json:"measure"`
	Original float64 `json:"original"`
	Released float64 `json:"released"`
}

// Marginal is how a column changed.
type Marginal struct {
	Column       string       `json:"column"`
	TV           float64      `json:"tv" doc:"total variation, of numbers over tenths"`
	KS           Opt[float64] `json:"ks" doc:"of numbers: Kolmogorov-Smirnov"`
	Mean         Opt[float64] `json:"mean"`
	ReleasedMean Opt[float64] `json:"released_mean"`
	SD           Opt[float64] `json:"sd"`
	ReleasedSD   Opt[float64] `json:"released_sd"`
}

// Pair is how two columns go together.
type Pair struct {
	A        string  `json:"a"`
	B        string  `json:"b"`
	Kind     string  `json:"kind" enum:"pearson,cramer"`
	Original float64 `json:"original"`
	Released float64 `json:"released"`
	TV       float64 `json:"tv" doc:"total variation of the table of both"`
}
