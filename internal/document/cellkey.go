package document

// A Perturbation is what hitoku cellkey prints about the noise added by cell keys. It is for the office only,
// since it tells how the noise is distributed.
type Perturbation struct {
	Head     `kind:"cellkey/1" doc:"a table of counts with noise by cell keys: what the noise costs, and what it hides; for the office"`
	Table    string       `json:"table" doc:"name of the table"`
	File     string       `json:"file,omitempty" doc:"that the published table was written to"`
	Records  int64        `json:"records,omitempty" doc:"of the microdata"`
	Response string       `json:"response,omitempty" doc:"whose totals got noise, as far as --magnify says; then noise and ptable are empty; absent: records are counted"`
	Magnify  string       `json:"magnify,omitempty" doc:"what the noise of totals is proportional to"`
	Weight   string       `json:"weight,omitempty" doc:"of the records; of counts, noise and distances are those of their numbers"`
	Cells    int          `json:"cells" doc:"with records, margins included"`
	Changed  int          `json:"changed" doc:"cells that are published as another number"`
	Zeros    int          `json:"false_zeros" doc:"cells with records that are published as 0"`
	Additive bool         `json:"additive" doc:"whether the published numbers add up"`
	PTable   []PTableRow  `json:"ptable" doc:"the perturbation table, by true count; the last row is that of all larger counts, too"`
	Noise    []NoiseCells `json:"noise" doc:"cells by noise"`
	// Distances over the cells that are not published as 0.
	Absolute  Distance `json:"absolute" doc:"|n' − n| over cells not published as 0"`
	Relative  Distance `json:"relative" doc:"|n' − n|/n"`
	Root      Distance `json:"root" doc:"|√n' − √n|"`
	Hellinger float64  `json:"hellinger" doc:"√(½ Σ (√n' − √n)²)"`

	Attack  *NoiseAttack `json:"attack,omitempty" doc:"with --attack"`
	Version string       `json:"version" doc:"of hitoku"`
}

// A PTableRow says what happens to one true count.
type PTableRow struct {
	Count    int64   `json:"count"`
	Mean     float64 `json:"mean" doc:"of the noise"`
	Variance float64 `json:"variance"`
	Stay     float64 `json:"stay" doc:"chance of no noise"`
	Least    int64   `json:"least" doc:"noise"`
	Largest  int64   `json:"largest" doc:"noise"`
}

// NoiseCells is how many cells received noise.
type NoiseCells struct {
	Noise int64 `json:"noise"`
	Cells int   `json:"cells"`
}

// A Distance summarises a distance over cells.
type Distance struct {
	Mean      float64   `json:"mean"`
	Median    float64   `json:"median"`
	Max       float64   `json:"max"`
	Quantiles []float64 `json:"quantiles" doc:"at 10, 20, 30, 40, 60, 70, 80, 90, 95 and 99 %"`
}

// A NoiseAttack is what an intruder can compute from the published table who knows the perturbation table but
// not the keys.
type NoiseAttack struct {
	Verdict     Verdict           `json:"verdict" enum:"protected,unprotected,unsettled" doc:"unprotected where a cell with records is disclosed, as its interval is one number, or sums of keys leave one; unsettled where not all were looked at and none is found"`
	Averaging   NoiseAveraging    `json:"averaging" doc:"each count from all relations together, by least squares"`
	Constraints NoiseConstraints  `json:"constraints" doc:"what noise of at most D, relations and counts ≥ 0 leave possible"`
	Differences NoiseDifferences  `json:"differences" doc:"margins beside the cells below them that have one record less"`
	Keys        *NoiseKeys        `json:"keys,omitempty" doc:"of tables of up to 50,000 cells: what follows from keys of margins being sums of keys"`
	Posterior   *NoisePosterior   `json:"posterior,omitempty" doc:"of tables that leave few possibilities"`
	Cells       []NoiseAttackCell `json:"cells,omitempty" doc:"those that are disclosed, and the narrowest"`
}

// NoiseAveraging is the best linear unbiased estimate of every count.
type NoiseAveraging struct {
	Before  float64 `json:"before" doc:"standard error of a published number"`
	Mean    float64 `json:"mean" doc:"standard error of the estimates, root of the mean square"`
	Least   float64 `json:"least" doc:"smallest standard error of an estimate"`
	Looked  int     `json:"looked" doc:"cells whose standard error was computed"`
	Rounds  int     `json:"right" doc:"cells whose estimate rounds to the true count"`
	Already int     `json:"right_before" doc:"cells that are published without noise"`
	Small   int     `json:"small" doc:"cells of 1 or 2 records"`
	SmallOK int     `json:"small_right" doc:"of them whose estimate rounds to the true count"`
}

// NoiseConstraints are the feasibility intervals of the true counts.
type NoiseConstraints struct {
	Complete  bool    `json:"complete" doc:"whether all cells were looked at"`
	Looked    int     `json:"looked" doc:"cells"`
	Disclosed int     `json:"disclosed" doc:"cells whose interval is one number"`
	Small     int     `json:"small" doc:"disclosed cells of 1 or 2 records"`
	Before    float64 `json:"before" doc:"mean width of what a published number alone leaves possible"`
	Width     float64 `json:"width" doc:"mean width of the intervals"`
	Empty     bool    `json:"empty" doc:"whether cells without records are possible ones for the intruder; else, in large tables, they are taken as known"`
}

// NoiseDifferences are the pairs of cells that differ by one record.
type NoiseDifferences struct {
	Pairs   int     `json:"pairs" doc:"of a margin and a cell below it with one record less"`
	Differ  int     `json:"differ" doc:"pairs published as different numbers, which proves that the record is there"`
	Certain int     `json:"certain" doc:"pairs after which the intruder gives a difference of 1 a chance above 95 %"`
	Chance  float64 `json:"chance" doc:"largest chance that the intruder gives a difference of 1 where it is right"`
	Equal   int     `json:"equal_pairs" doc:"of a margin and a cell below it with the same records, which have the same number"`
}

// A NoiseAttackCell is the result of the attack for one cell.
type NoiseAttackCell struct {
	Cell      string   `json:"cell"`
	Codes     []string `json:"codes"`
	Count     int64    `json:"count" doc:"true"`
	Published int64    `json:"published"`
	Interval  [2]int64 `json:"interval" doc:"of the true count"`
	Estimate  float64  `json:"estimate"`
	Error     *float64 `json:"error" doc:"standard error of the estimate; null where it was not computed"`
	Disclosed bool     `json:"disclosed"`
	Left      int      `json:"left,omitempty" doc:"true counts that sums of keys leave possible"`
}

// NoiseKeys is what sums of keys tell: for each true count, the noise of a cell says in which part of the unit
// interval its key lies.
type NoiseKeys struct {
	Relations int     `json:"relations" doc:"gone through: those of few parts with few possible counts"`
	Looked    int     `json:"looked" doc:"cells"`
	Without   float64 `json:"without" doc:"mean number of true counts that are possible by these relations without keys"`
	With      float64 `json:"with" doc:"the same with keys"`
	Disclosed int     `json:"disclosed" doc:"cells with one count left whose interval has more"`
	Small     int     `json:"small" doc:"of them, of 1 or 2 records"`
}

// NoisePosterior is what an intruder believes who weights every possible table by the probability of what is
// published.
type NoisePosterior struct {
	Tables  Exact   `json:"tables" doc:"of counts of which the published one may come, with a chance above 0"`
	Certain int     `json:"certain" doc:"cells with records to whose true count the intruder gives a chance above 95 %"`
	Best    float64 `json:"best" doc:"largest chance of a true count of a cell with records where several are possible"`
}
