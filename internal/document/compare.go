package document

// Comparison is what hitoku risk compare prints about each release.
type Comparison struct {
	Measure       `kind:"risk-compare/1" doc:"a release against the original: attacks on it, and what its users lose"`
	Original      string       `json:"original" text:"original"`
	Release       string       `json:"release" text:"release"`
	Control       Opt[string]  `json:"control,omitzero" text:"control" doc:"records that the release was not made from"`
	QI            []string     `json:"qi" text:"known to the attacker" doc:"columns"`
	Sensitive     []string     `json:"sensitive,omitempty" text:"sensitive" doc:"columns"`
	Perturbed     []string     `json:"perturbed,omitempty" text:"taken for perturbed, not coarser" doc:"columns: a value that the original does not have is another value"`
	Numbers       []string     `json:"numbers" doc:"columns whose values are numbers"`
	Seed          uint64       `json:"seed" text:"seed"`
	Confidence    float64      `json:"confidence" doc:"level of the intervals"`
	Records       uint64       `json:"records" text:"records of the original"`
	Released      uint64       `json:"release_records" text:"records of the release"`
	Truth         Opt[string]  `json:"truth" enum:"order,id,mapping" text:"originals known by" doc:"how it is known which record is which; null: it is not"`
	Matched       Opt[uint64]  `json:"matched" text:"records with a known original"`
	InOrder       bool         `json:"in_order" doc:"the records of the release are in the order of the original, as is said or as more places agree than by chance: the number of a line tells who it is"`
	Recombined    bool         `json:"recombined,omitempty" doc:"whether columns have the numbers of the original, each as often, in combinations that none of its records has"`
	SortedBy      []string     `json:"sorted_by,omitempty" text:"the number of a line tells of" doc:"columns by which a release in the order of the original is sorted, more or less: rank correlation of 0.9 or more, or −0.9 or less; of one in another order, columns of which the place of a record tells more than its released value does"`
	Columns       []Meaning    `json:"columns" doc:"what the released values of each column stand for"`
	Sets          []BySets     `json:"sets" doc:"record linkage by what the released values stand for, once; none where all of --qi is perturbed"`
	LargestRisk   Opt[float64] `json:"largest_risk" text:"largest risk" doc:"of the attacks, or, where the release is read as made of the original by replacing values by sets of them, of a person; null: none could be made"`
	LargestAttack string       `json:"largest_attack" text:"by"`
	AtLeast       Opt[float64] `json:"at_least" text:"of that for certain" doc:"the largest risk that does not presume that records of the release are those of the original; a limit between it and the largest risk is open"`
	Loss          Opt[float64] `json:"loss" text:"loss: propensity score, of 1" doc:"PMSE/(c(1−c)), of the original coded as the release is; null: too many parameters"`
	Detail        float64      `json:"detail_loss" textif:"detail lost by sets, of 1" doc:"(s−1)/(v−1), s how many of the v values of the original a released value stands for: mean over records and columns"`
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

// A Meaning is what the released values of a column stand for.
type Meaning struct {
	Column string   `json:"column"`
	Kind   string   `json:"kind" enum:"values,sets,perturbed" doc:"values: for themselves; sets: for sets of values of the original; perturbed: they are other values of the same kind"`
	Forms  []string `json:"forms" doc:"of these values and sets, in words"`
	From   string   `json:"from,omitempty" enum:"said,read" doc:"said: by the flags; read: from the values of both files"`
}

// BySets is the result of an attacker who knows --qi of all persons and, for each person, picks one of the
// released records whose values stand for that person's, each with the same probability.
type BySets struct {
	Persons  uint64    `json:"persons" doc:"who are attacked: records of the original, or those that are known to be in the release"`
	Found    uint64    `json:"found"`
	Alone    uint64    `json:"alone"`
	Outside  uint64    `json:"outside" doc:"where it is known which it is"`
	Expected float64   `json:"expected_reidentifications"`
	Mean     float64   `json:"mean_risk"`
	Largest  float64   `json:"largest_risk"`
	Origin   string    `json:"origin" enum:"known,fits,unknown" doc:"known: it is known which record is which, and all are among the candidates; fits: the numbers of records agree as they would not by chance; unknown: what is expected is what there would be if it were"`
	Matching *Matching `json:"matching,omitempty" doc:"the same by one who uses that each record is another person's; none where a record can be no person's, there are more records than persons, or too many of both fit each other"`
	// Unmatched says that this attack was not made.
	Unmatched bool `json:"unmatched,omitempty" doc:"too many fit each other, so that attack was not made"`
}

// A Matching is the result of an attacker who takes all ways of assigning records to different persons to be
// equally likely, and picks for each person the likeliest record.
type Matching struct {
	Exact    uint64       `json:"exact" doc:"persons whose chances are exact, not approximated by messages"`
	Expected float64      `json:"expected_reidentifications" doc:"the sum of the chances"`
	Right    Opt[float64] `json:"right" doc:"guesses that are, of several likeliest records the mean; null: it is not known which record is which"`
	Mean     float64      `json:"mean_risk" doc:"by the larger of both"`
	Largest  float64      `json:"largest_risk" doc:"at most one by the number of records that are alike in the release"`
}

// Attacked says how often an attack succeeds.
type Attacked struct {
	Attack   string       `json:"attack"`
	N        uint64       `json:"n" doc:"attacks"`
	Success  float64      `json:"success" doc:"of them, expected where chance decides"`
	Rate     float64      `json:"rate" doc:"middle of the score interval of Wilson; the ends are those of Clopper and Pearson"`
	Low      float64      `json:"rate_low"`
	High     float64      `json:"rate_high"`
	Baseline float64      `json:"baseline" doc:"share of successes of one who does not look at the release: by chance, or in inference by the best guess of one value for all"`
	Control  Opt[float64] `json:"control" doc:"share of successes on the control file"`
	Risk     float64      `json:"risk" doc:"what is more than on the control file, or without one than the baseline, of what is left to gain"`
	RiskLow  float64      `json:"risk_low"`
	RiskHigh float64      `json:"risk_high"`
	AtLeast  float64      `json:"at_least" doc:"what of the risk does not presume that records of the release are those of the original, as a release that was drawn without them would have it by chance or by what holds for everybody"`
}

// Linked is the result of record linkage.
type Linked struct {
	Attack  string      `json:"attack"`
	N       uint64      `json:"n" doc:"records attacked"`
	Right   float64     `json:"right" doc:"links expected to be right"`
	Certain uint64      `json:"certain" doc:"right links without a tie"`
	Hits    uint64      `json:"hits" doc:"right ones of one guess each"`
	R       Opt[uint64] `json:"r" doc:"hits that refute safety, as the PWS Cup 2018 has it; null: cannot be told"`
	Unsafe  Opt[bool]   `json:"refuted" doc:"hits are r or more"`
}

// Disclosed is the result of interval disclosure for a column.
type Disclosed struct {
	Column  string    `json:"column"`
	Rank    []float64 `json:"rank" doc:"share of originals within 1 to 10 % of the ranks"`
	Average float64   `json:"average" doc:"of these"`
	SD      float64   `json:"sd" doc:"share within a multiple of the standard deviation"`
}

// Changed is a measure of both files.
type Changed struct {
	Measure  string  `json:"measure"`
	Original float64 `json:"original"`
	Released float64 `json:"released"`
}

// Marginal says how the distribution of a column changed.
type Marginal struct {
	Column       string       `json:"column"`
	TV           float64      `json:"tv" doc:"total variation, of numbers over tenths"`
	KS           Opt[float64] `json:"ks" doc:"of numbers: Kolmogorov-Smirnov"`
	Mean         Opt[float64] `json:"mean"`
	ReleasedMean Opt[float64] `json:"released_mean"`
	SD           Opt[float64] `json:"sd"`
	ReleasedSD   Opt[float64] `json:"released_sd"`
}

// Pair says how the association of two columns changed.
type Pair struct {
	A        string  `json:"a"`
	B        string  `json:"b"`
	Kind     string  `json:"kind" enum:"pearson,cramer"`
	Original float64 `json:"original"`
	Released float64 `json:"released"`
	TV       float64 `json:"tv" doc:"total variation of the table of both"`
}

// Mixture is what hitoku risk mix prints.
type Mixture struct {
	Release `kind:"risk-mix/1" doc:"a file with columns randomised and with noise in one pass"`
	M       Opt[int64]    `json:"m" text:"published m"`
	Share   Opt[Rational] `json:"share,omitzero" text:"each record with chance" doc:"with --share"`
	Target
	Written
	Group       int64         `json:"group,omitempty" text:"fewest that lack the same numbers" doc:"records; the guarantee is that of so many"`
	Columns     []MixedColumn `json:"columns"`
	Rho         Opt[Rational] `json:"rho" text:"retention rho, for all" doc:"that --k found; null: none was looked for, or there is none"`
	Sigma       Opt[float64]  `json:"sigma" text:"scale sigma, for ranges of 1" doc:"as rho"`
	K           Opt[float64]  `json:"k" text:"k"`
	KWithout    Opt[float64]  `json:"k_without_sampling,omitzero" text:"k without sampling"`
	KOfThisSize Opt[float64]  `json:"k_of_this_size,omitzero" text:"k of a sample of this size" doc:"with --share"`
	OrderKnown
	Explained
	Untouched
	Judged
}

// A MixedColumn is a column that was changed.
type MixedColumn struct {
	Column    string        `json:"column"`
	Mechanism string        `json:"mechanism" enum:"retention,proportional,matrix,invariant matrix,bits,laplace"`
	Values    Opt[int64]    `json:"values" doc:"number of values, or of bits"`
	From      string        `json:"from" enum:"file,declared" doc:"the values or the range"`
	Rho       Opt[Rational] `json:"rho" doc:"chance that a value or a bit is kept"`
	Range     Opt[Rational] `json:"range"`
	Sigma     Opt[float64]  `json:"sigma"`
	Digits    Opt[int64]    `json:"digits" doc:"decimals of results"`
	Alpha     float64       `json:"alpha"`
	Beta      float64       `json:"beta"`
}

// Posterior is what hitoku risk posterior prints.
type Posterior struct {
	Measure    `kind:"risk-posterior/1" doc:"risk of a sample that is there, against who knows a file of its records"`
	Known      string       `json:"known" text:"known"`
	Release    string       `json:"release" text:"release"`
	QI         []string     `json:"qi" text:"compared"`
	N          int64        `json:"n" text:"records n"`
	N0         int64        `json:"n0" text:"known n0"`
	M          int64        `json:"m" text:"published m"`
	New        Rational     `json:"new" text:"an unknown one is new with chance"`
	Others     int64        `json:"published_new" text:"published ones that no known one is like"`
	Risk       Opt[float64] `json:"risk" text:"largest risk" doc:"null: no known record is like a published one"`
	K          Opt[float64] `json:"k" text:"k"`
	Expected   float64      `json:"expected_reidentifications" text:"expected re-identifications" doc:"of known records, each by a published one like it"`
	Bound      Opt[float64] `json:"bound" text:"bound by n0 and m alone"`
	BoundExact Rational     `json:"bound_exact"`
	Worst      []Linkable   `json:"worst" doc:"classes by risk, as many as --worst"`
	Explained
	Judged
}

// Linkable is a class of known records.
type Linkable struct {
	Tuple     []string `json:"tuple"`
	Known     int64    `json:"known"`
	Published int64    `json:"published"`
	Risk      float64  `json:"risk"`
}

// Reconstruction is what hitoku risk reconstruct prints.
type Reconstruction struct {
	Measure   `kind:"risk-reconstruct/1" doc:"the distribution of a column before it was randomised"`
	File      string       `json:"file" text:"release"`
	Attribute string       `json:"attribute" text:"column"`
	Records   int64        `json:"records" text:"records"`
	Mechanism string       `json:"mechanism" enum:"retention,matrix,bits,laplace" text:"randomised by"`
	Steps     int          `json:"steps" text:"steps"`
	Settled   bool         `json:"settled" doc:"false: the steps were still changing something"`
	Values    []Restored   `json:"values"`
	Mean      Opt[float64] `json:"mean,omitzero" text:"mean" doc:"of numbers, by the middles of intervals"`
	Source    string       `json:"source,omitempty"`
	Judged
}

// Restored is the estimated number of records with a value.
type Restored struct {
	Value    string       `json:"value" doc:"or interval"`
	Released Opt[float64] `json:"released" doc:"records of the release"`
	Count    float64      `json:"count" doc:"most likely number before"`
	Unbiased Opt[float64] `json:"unbiased" doc:"unbiased estimate, which may be negative; null: there is none"`
	Error    Opt[float64] `json:"error" doc:"standard error of the unbiased estimate"`
}

// Hitlist is what hitoku risk pws --guess prints.
type Hitlist struct {
	Measure `kind:"risk-pws-hits/1" doc:"hits of a mapping of pseudonyms to persons, by the safety test of the PWS Cup 2018"`
	Truth   string      `json:"truth" text:"truth F"`
	Guess   string      `json:"guess" text:"guess F′"`
	RFile   string      `json:"r_file,omitempty" text:"r of"`
	N       int64       `json:"n" text:"persons n′"`
	S       int64       `json:"s" text:"hits s"`
	Absent  int64       `json:"absent" textif:"pseudonyms that the truth has not"`
	R       int64       `json:"r" text:"r(n′), hits that refute safety"`
	Unsafe  Opt[Unsafe] `json:"unsafe" text:"verdict"`
	Judged
}

// Summary is what hitoku risk all prints.
type Summary struct {
	Microdata `kind:"risk-all/1" doc:"every measure of records in one pass, with a verdict and what to do next"`
	Sensitive []string `json:"sensitive,omitempty" text:"sensitive" doc:"columns"`
	Entity    string   `json:"entity,omitempty" text:"of persons, by" doc:"k is of persons, and their records"`
	Date      string   `json:"date,omitempty" text:"date" doc:"with --date"`
	Author    string   `json:"author,omitempty" text:"author" doc:"with --author"`
	Records   uint64   `json:"records" text:"records"`
	MissingValues
	Verdict  string       `json:"verdict" enum:"kept,broken,empty,open" text:"verdict" doc:"of the limits, and of identifiers that were left in; open: what is kept is kept under a model only"`
	Figures  []Figure     `json:"figures"`
	Models   []ModelRisk  `json:"models,omitempty" doc:"of the population, side by side; with --population-size or --weight"`
	SortedBy []string     `json:"sorted_by,omitempty" text:"the number of a line tells of" doc:"columns by which the lines of a file, or 100,000 of them, are sorted or grouped, more or less; not of Parquet files"`
	OrderOf  uint64       `json:"order_of,omitempty" textif:"order looked at in the first records" doc:"of earlier versions, which looked at these only"`
	Without  []WithoutOne `json:"without" doc:"k without one of the quasi-identifiers; for up to 8 of them"`
	Next     []NextStep   `json:"next" doc:"what to do"`
	Judged
}

// A Figure is a measure with its value.
type Figure struct {
	Measure string       `json:"measure"`
	Of      string       `json:"of" doc:"sensitive attribute, or empty"`
	Value   Opt[float64] `json:"value" doc:"null: not defined"`
	Limit   Opt[float64] `json:"limit" doc:"null: none"`
	Verdict string       `json:"verdict" enum:"kept,broken,none,open" doc:"none: no limit; open: kept under a model only"`
}

// WithoutOne is k-anonymity without a column.
type WithoutOne struct {
	Column  string `json:"column"`
	K       uint64 `json:"k"`
	Classes uint64 `json:"classes"`
	Alone   uint64 `json:"sample_uniques"`
}

// A NextStep is a recommended next step.
type NextStep struct {
	Step string `json:"step" enum:"drop,generalise,suppress,shuffle,sensitive,population,page"`
	Of   string `json:"of" doc:"columns or attributes that it is about"`
	Text string `json:"text"`
}

// ColumnStatistics is what hitoku risk columns prints.
type ColumnStatistics struct {
	Measure `kind:"risk-columns/1" doc:"statistics of columns: values, numbers, the most frequent values"`
	File    string       `json:"file" text:"file"`
	Records int64        `json:"records" text:"records"`
	Columns []Statistics `json:"columns"`
	Judged
}

// Statistics are the statistics of one column.
type Statistics struct {
	Column    string       `json:"column"`
	Kind      string       `json:"kind" enum:"number,category"`
	Distinct  int64        `json:"distinct" doc:"different values; an empty field is none"`
	Alone     int64        `json:"alone" doc:"records with a value that no other record has"`
	Missing   int64        `json:"missing" doc:"empty fields"`
	Min       Opt[float64] `json:"min"`
	Max       Opt[float64] `json:"max"`
	Mean      Opt[float64] `json:"mean"`
	SD        Opt[float64] `json:"sd"`
	Quantiles []float64    `json:"quantiles,omitempty" doc:"of numbers: at 1, 5, 10, 25, 50, 75, 90, 95 and 99 %"`
	Top       []TopValue   `json:"top,omitempty" doc:"most frequent values, with --top"`
}

// A TopValue is a value and how often it occurs.
type TopValue struct {
	Value   string `json:"value"`
	Records int64  `json:"records"`
}

// History is what hitoku risk history prints.
type History struct {
	Measure   `kind:"risk-history/1" doc:"measures of several documents, in their order"`
	Documents []string  `json:"documents" doc:"date and file of each"`
	Figures   []Changes `json:"figures"`
	Judged
}

// Changes are the values of a figure on several dates.
type Changes struct {
	Figure string         `json:"figure"`
	Values []Opt[float64] `json:"values" doc:"null: the document has none"`
	Change Opt[float64]   `json:"change" doc:"of the last from the first that have one"`
}
