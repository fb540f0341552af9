package document

// Target says which k was asked for and whether it is reached.
type Target struct {
	K      Opt[Rational] `json:"target_k,omitzero" doc:"with --k"`
	KFloat Opt[float64]  `json:"target_k_float,omitzero"`
}

// Sampling is what hitoku risk sampling prints.
type Sampling struct {
	Measure `kind:"risk-sampling/1" doc:"risk of a sample whose attacker knows some records"`
	Design  string `json:"design" enum:"fixed,bernoulli"`
	N       int64  `json:"n" text:"records n"`
	N0      int64  `json:"n0" text:"known n0"`
	Target
	M         Opt[int64]    `json:"m" text:"published m"`
	Unknown   Opt[int64]    `json:"unknown_unsampled,omitzero" text:"unknown and not published u"`
	Risk      Opt[Rational] `json:"risk" text:"risk"`
	RiskFloat Opt[float64]  `json:"risk_float,omitzero"`
	K         Opt[Rational] `json:"k" text:"k"`
	KFloat    Opt[float64]  `json:"k_float,omitzero"`
	Printed   Opt[float64]  `json:"risk_printed_bounds,omitzero" text:"risk with the bounds as printed" doc:"with --printed-bounds"`
	Reference
	Judged
}

// Reference names the source of a result; both keys are absent if there is none.
type Reference struct {
	Formula string `json:"formula,omitempty" text:"formula of the risk"`
	Source  string `json:"source,omitempty"`
}

// Replaced is the guarantee of retention–replacement and of PRAM; it is null if the target is not reached.
type Replaced struct {
	Alpha         Opt[Rational] `json:"alpha" text:"alpha"`
	AlphaFloat    Opt[float64]  `json:"alpha_float,omitzero"`
	Beta          Opt[Rational] `json:"beta" text:"beta"`
	BetaFloat     Opt[float64]  `json:"beta_float,omitzero"`
	K             Opt[Rational] `json:"k" text:"k"`
	KFloat        Opt[float64]  `json:"k_float,omitzero"`
	KPRAMOnly     Opt[Rational] `json:"k_pram_only,omitzero" text:"k without sampling"`
	KPRAMOnlyReal Opt[float64]  `json:"k_pram_only_float,omitzero"`
}

// Explained says how a k was obtained; both keys are absent if the target is not reached.
type Explained struct {
	Formula string `json:"formula,omitempty" text:"formula of k"`
	Source  string `json:"source,omitempty"`
}

// Retention is what hitoku risk retention prints.
type Retention struct {
	Measure   `kind:"risk-retention/1" doc:"guarantee of retention–replacement"`
	N         int64   `json:"n" text:"records n"`
	Values    []int64 `json:"values" doc:"number of values of each attribute"`
	Different bool    `json:"different,omitempty" doc:"with --different"`
	Target
	M        Opt[int64]      `json:"m" text:"published m"`
	Rho      Opt[[]Rational] `json:"rho,omitzero" text:"retention rho"`
	RhoFloat Opt[[]float64]  `json:"rho_float,omitzero"`
	Replaced
	Explained
	Judged
}

// Matrix is what hitoku risk matrix prints.
type Matrix struct {
	Measure `kind:"risk-matrix/1" doc:"guarantee of PRAM with a matrix of chances"`
	File    string `json:"file"`
	Before  int    `json:"values_before" text:"values before"`
	After   int    `json:"values_after" text:"values after"`
	N       int64  `json:"n" text:"records n"`
	Target
	M Opt[int64] `json:"m" text:"published m"`
	Replaced
	Sharper      Opt[Rational] `json:"k_sharper,omitzero" text:"sharper k" doc:"with --sharper"`
	SharperFloat Opt[float64]  `json:"k_sharper_float,omitzero"`
	Explained
	Judged
}

// Noisy is the beginning of the documents about noise.
type Noisy struct {
	Kind        string          `json:"kind" enum:"laplace,normal,uniform,triangular,truncated" text:"noise" doc:"its law"`
	N           int64           `json:"n" text:"records n"`
	Ranges      Opt[[]Rational] `json:"ranges" text:"ranges" doc:"of the attributes; null: not bounded"`
	RangesFloat Opt[[]float64]  `json:"ranges_float,omitzero"`
}

// Noise is what hitoku risk noise prints about given noise.
type Noise struct {
	Measure `kind:"risk-noise/1" doc:"guarantee of noise"`
	Noisy
	Sigma []float64 `json:"sigma,omitempty" text:"scale sigma"`
	SD    []float64 `json:"sd,omitempty" text:"standard deviation"`
	K     float64   `json:"k" text:"k"`
	Why   string    `json:"why" text:"because of"`
	Judged
}

// NoiseTarget is what hitoku risk noise --k prints: the noise that reaches a k.
type NoiseTarget struct {
	Measure `kind:"risk-noise-target/1" doc:"noise that reaches a k"`
	Noisy
	Target
	Why        string         `json:"why,omitempty" doc:"where no scale matters"`
	Sigma      Opt[float64]   `json:"sigma,omitzero" text:"scale sigma, the same for all"`
	Normalised Opt[float64]   `json:"sigma_normalised,omitzero" text:"scale for ranges of 1"`
	Scales     Opt[[]float64] `json:"scales,omitzero" text:"that in the attributes' units"`
	K          Opt[float64]   `json:"k" text:"k"`
	Formula    string         `json:"formula,omitempty" text:"formula of sigma"`
	Source     string         `json:"source,omitempty"`
	Judged
}

// Mixed is what hitoku risk mixed prints.
type Mixed struct {
	Measure     `kind:"risk-mixed/1" doc:"guarantee of retention–replacement and noise together"`
	N           int64   `json:"n" text:"records n"`
	Categorical []int64 `json:"categorical_values" doc:"number of values of each attribute"`
	Numeric     int     `json:"numeric_attributes"`
	Weight      string  `json:"weight" enum:"pi/4,pi/2"`
	KMax        float64 `json:"k_max" text:"largest k"`
	Target
	Rho     Opt[float64] `json:"rho" text:"retention rho"`
	Sigma   Opt[float64] `json:"sigma" text:"scale sigma, for ranges of 1"`
	K       Opt[float64] `json:"k" text:"k"`
	Formula string       `json:"formula,omitempty"`
	Source  string       `json:"source,omitempty"`
	Judged
}

// Allowed is the probability of a right link that a test of hits allows.
type Allowed struct {
	P      Opt[Rational] `json:"p" text:"p"`
	PFloat Opt[float64]  `json:"p_float"`
}

// Level is the level of that test.
type Level struct {
	Alpha      Opt[Rational] `json:"alpha" text:"alpha"`
	AlphaFloat Opt[float64]  `json:"alpha_float"`
}

// Hits is what hitoku risk pws --n prints.
type Hits struct {
	Measure `kind:"risk-pws/1" doc:"safety test on the hits of an attack"`
	Allowed
	Level
	N       int64         `json:"n" text:"persons n"`
	S       Opt[int64]    `json:"s,omitzero" text:"hits s" doc:"with --s"`
	U       Opt[Rational] `json:"u,omitzero" text:"u(n,s)"`
	LogU    Opt[float64]  `json:"ln_u,omitzero" text:"ln u(n,s)" doc:"instead of u where that is too long"`
	UFloat  Opt[float64]  `json:"u_float,omitzero" text:"u(n,s)"`
	R       int64         `json:"r" text:"r(n), hits that refute safety"`
	Sharp   int64         `json:"r_sharp" text:"by the first term of u"`
	Formula string        `json:"formula"`
	Unsafe  Opt[Unsafe]   `json:"unsafe,omitzero" text:"verdict" doc:"with --s"`
	Judged
}

// HitsTable is what hitoku risk pws --to prints.
type HitsTable struct {
	Measure `kind:"risk-pws-table/1" doc:"hits that refute safety, by the number of persons"`
	Allowed
	Level
	From  int64   `json:"from" text:"from n"`
	To    int64   `json:"to" text:"to n"`
	R     []int64 `json:"r" text:"r(n)"`
	Sharp []int64 `json:"r_sharp" text:"by the first term"`
	Judged
}

// HitsClass is what hitoku risk pws --class prints.
type HitsClass struct {
	Measure `kind:"risk-pws-class/1" doc:"whether a class of records alike is safe in the sense of the test"`
	Allowed
	Class         int64         `json:"class" text:"class of"`
	AllRight      Opt[Rational] `json:"all_correct" text:"chance that all links are right"`
	AllRightFloat Opt[float64]  `json:"all_correct_float"`
	Most          Opt[Rational] `json:"p_pow_k" text:"allowed"`
	MostFloat     Opt[float64]  `json:"p_pow_k_float"`
	Unsafe        Unsafe        `json:"unsafe" text:"verdict"`
	Judged
}

// CellRules is what hitoku risk cell prints. Keys of rules that were not given are absent.
type CellRules struct {
	Measure       `kind:"risk-cell/1" doc:"rules for one cell"`
	Count         Opt[int64]    `json:"count,omitzero" text:"contributors"`
	MinFreq       Opt[int64]    `json:"min_freq,omitzero" text:"least number of them"`
	Colluders     Opt[int64]    `json:"colluders_needed,omitzero" text:"colluders needed at that number"`
	MinFreqUnsafe Opt[Unsafe]   `json:"min_freq_unsafe,omitzero" text:"by minimum frequency"`
	Coalition     Opt[int64]    `json:"coalition,omitzero" text:"coalition of"`
	Unknown       Opt[int64]    `json:"unknown_contributors,omitzero" text:"contributors it does not know"`
	Disclosure    Opt[Unsafe]   `json:"exact_disclosure,omitzero" text:"by collusion"`
	Share         Opt[Rational] `json:"share,omitzero" text:"share of the largest"`
	ShareFloat    Opt[float64]  `json:"share_float,omitzero"`
	Dominance     Opt[Unsafe]   `json:"dominance_unsafe,omitzero" text:"by dominance"`
	Width         Opt[Rational] `json:"interval_width,omitzero" text:"width of the interval"`
	WidthFloat    Opt[float64]  `json:"interval_width_float,omitzero"`
	WidthUnsafe   Opt[Unsafe]   `json:"width_unsafe,omitzero" text:"by width"`
	Unsafe        Unsafe        `json:"unsafe" text:"verdict"`
	Judged
}

// Release is the beginning of the documents about a file of records that was changed and written.
type Release struct {
	Measure
	File     string `json:"file"`
	Output   string `json:"output"`
	Shuffled bool   `json:"shuffled"`
	N        int64  `json:"n" text:"records n"`
	Beside
}

// Of returns what all documents about releases contain.
func (r *Release) Of() *Release { return r }

// Written says whether a release was written; it is absent if the target is not reached.
type Written struct {
	Written Opt[bool] `json:"written,omitzero"`
}

// SetWritten sets that.
func (w *Written) SetWritten(yes bool) { w.Written = Some(yes) }

// OrderKnown is the k against an attacker who knows the order of the records, if that was kept.
type OrderKnown struct {
	K int `json:"k_order_known,omitempty" text:"k if the order is known"`
}

// Untouched lists the columns that are published unchanged.
type Untouched struct {
	Untouched Opt[[]string] `json:"untouched,omitzero"`
}

// PRAM is what hitoku risk pram prints.
type PRAM struct {
	Release `kind:"risk-pram/1" doc:"a file with columns randomised"`
	M       int64 `json:"m" text:"published m"`
	Target
	Written
	Attributes []string        `json:"attributes,omitempty" text:"randomised"`
	Values     []int64         `json:"values,omitempty" text:"numbers of values"`
	From       []string        `json:"values_from,omitempty" doc:"file or declared, of each attribute"`
	Rho        Opt[[]Rational] `json:"rho" text:"retention rho"`
	RhoFloat   Opt[[]float64]  `json:"rho_float,omitzero"`
	Replaced
	OrderKnown
	Explained
	Untouched
	Judged
}

// Laplace is what hitoku risk laplace prints.
type Laplace struct {
	Release `kind:"risk-laplace/1" doc:"a file with noise on columns"`
	Target
	Written
	Group       int64           `json:"group,omitempty" text:"fewest that lack the same numbers" doc:"records; the guarantee is that of so many"`
	Attributes  []string        `json:"attributes,omitempty" text:"with noise"`
	Ranges      Opt[[]Rational] `json:"ranges,omitzero" text:"ranges"`
	RangesFloat Opt[[]float64]  `json:"ranges_float,omitzero"`
	From        []string        `json:"ranges_from,omitempty" doc:"file or declared, of each attribute"`
	Scales      Opt[[]float64]  `json:"scales" text:"scales sigma"`
	Grids       []float64       `json:"grids,omitempty" text:"on multiples of"`
	Digits      []int64         `json:"digits,omitempty" text:"decimals"`
	K           Opt[float64]    `json:"k" text:"k"`
	OrderKnown
	Explained
	Untouched
	Judged
}

// Microaggregation is what hitoku risk microaggregate prints.
type Microaggregation struct {
	Release `kind:"risk-microaggregate/1" doc:"a file with numbers averaged over groups of records"`
	Least   int64      `json:"k_asked" text:"records of a group, at least"`
	K       uint64     `json:"k" text:"k by all these columns"`
	Groups  []Averaged `json:"groups" doc:"columns that are averaged together"`
	Written
	Untouched
	Judged
}

// Averaged is a group of columns that are averaged together.
type Averaged struct {
	Columns  []string `json:"columns"`
	Groups   int64    `json:"groups"`
	Smallest int64    `json:"smallest" doc:"records of a group"`
	Largest  int64    `json:"largest" doc:"records of a group"`
	Loss     float64  `json:"loss" doc:"Σ (x−x′)² of Σ (x−mean)², averaged over the columns"`
}

// RankSwap is what hitoku risk rank-swap prints.
type RankSwap struct {
	Release    `kind:"risk-rank-swap/1" doc:"a file with numbers exchanged with others of near rank"`
	Attributes []string  `json:"attributes" text:"exchanged"`
	Window     int64     `json:"window" text:"largest difference of ranks"`
	Changed    []float64 `json:"changed" text:"share of values changed" doc:"of each attribute; empty where nothing is written"`
	Written
	Untouched
	Judged
}

// Drawn describes the sample and its risk from an attacker who knows n0 records.
type Drawn struct {
	M      Opt[int64]    `json:"m" text:"published m"`
	P      Opt[Rational] `json:"p,omitzero" text:"share m/n"`
	PFloat Opt[float64]  `json:"p_float,omitzero"`
}

// Hit is the probability of a right link.
type Hit struct {
	Risk      Opt[Rational] `json:"risk,omitzero" text:"risk"`
	RiskFloat Opt[float64]  `json:"risk_float,omitzero"`
	K         Opt[Rational] `json:"k,omitzero" text:"k"`
	KFloat    Opt[float64]  `json:"k_float,omitzero"`
	OrderKnown
	Reference
}

// Known says how many records the attacker knows.
type Known struct {
	N0 int64 `json:"n0,omitempty" text:"known n0"`
}

// Sample is what hitoku risk sample prints about a sample of a given size.
type Sample struct {
	Release `kind:"risk-sample/1" doc:"a sample of the records of a file"`
	Written
	Drawn
	Known
	Hit
	Judged
}

// SampleTarget is what hitoku risk sample --k prints.
type SampleTarget struct {
	Release `kind:"risk-sample-target/1" doc:"the largest sample of the records of a file that keeps a k"`
	Known
	Target
	Written
	Drawn
	Hit
	Judged
}
