package document

// A Bench is what hitoku bench csp measured on one instance. Times are in seconds of wall-clock time unless
// stated otherwise; numbers that were not measured are null.
type Bench struct {
	Head      `kind:"bench-csp/1" doc:"the search for a cheapest pattern, measured on one instance"`
	Table     string `json:"table"`
	Cells     int    `json:"cells"`
	Relations int    `json:"relations"`
	Sensitive int    `json:"sensitive" doc:"primary cells"`

	Status       string   `json:"status" enum:"optimal,feasible,unprotectable,none"`
	Cost         Exact    `json:"cost" doc:"of the secondary cells"`
	WithheldCost Exact    `json:"withheld_cost" doc:"of all withheld cells: the figure of programs that price sensitive cells, too"`
	Bound        Exact    `json:"bound" doc:"of cost; null for an unprotectable table"`
	Gap          *float64 `json:"gap" doc:"(cost − bound)/cost"`
	Suppressed   int      `json:"suppressed" doc:"withheld cells"`

	Nodes  int            `json:"nodes"`
	Rounds int            `json:"rounds"`
	Cuts   map[string]int `json:"cuts" doc:"by family"`

	FirstSeconds *float64  `json:"first_seconds" doc:"to the first protected pattern"`
	ProofSeconds *float64  `json:"proof_seconds" doc:"to the proof; null if stopped before it"`
	Seconds      float64   `json:"seconds" doc:"median of runs"`
	CPUSeconds   *float64  `json:"cpu_seconds" doc:"of the process, median of the runs"`
	Runs         []float64 `json:"runs"`

	Audit              string  `json:"audit" enum:"protected,unprotected,none" doc:"none: there is no pattern"`
	AuditSeconds       float64 `json:"audit_seconds"`
	Certificate        string  `json:"certificate" enum:",confirmed,refuted,none" doc:"none: unprotectable for reasons too long to write; empty: none was asked for"`
	CertificateSeconds float64 `json:"certificate_seconds" doc:"to write and verify it"`

	HeapPeak int64  `json:"heap_peak" doc:"most bytes of Go objects seen during the runs"`
	RSSPeak  *int64 `json:"rss_peak" doc:"most bytes of resident memory of the process"`
	RSSScope string `json:"rss_scope" doc:"since when: instance, since its runs began; process, since that started"`

	Batch *BenchBatch `json:"batch" doc:"of an instance of many tables"`

	LP        string  `json:"lp" doc:"LP back end"`
	Engine    string  `json:"engine" doc:"of the feasibility intervals"`
	Workers   int     `json:"workers"`
	Canonical bool    `json:"canonical"`
	GapLimit  float64 `json:"gap_limit"`
	TimeLimit float64 `json:"time_limit" doc:"seconds; 0: none"`
	Rules     string  `json:"rules" doc:"what was changed in the tables before"`
	Version   string  `json:"version" doc:"of hitoku"`
	Machine   string  `json:"machine"`
}

// Stopped reports whether the search ended before the proof.
func (b *Bench) Stopped() bool { return b.Status == "feasible" || b.Status == "none" }

// TotalCuts returns the number of cuts of all families.
func (b *Bench) TotalCuts() int {
	n := 0
	for _, k := range b.Cuts {
		n += k
	}
	return n
}

// A BenchBatch sums up many tables solved one after another on one processor. The other numbers of its document
// are sums over the tables; cells and relations are those of each table.
type BenchBatch struct {
	Tables        int     `json:"tables"`
	Protected     int     `json:"protected" doc:"with a pattern that passed its audit"`
	Unprotectable int     `json:"unprotectable" doc:"proved to have no protected pattern"`
	Unprotected   int     `json:"unprotected" doc:"with a pattern that failed its audit"`
	Stopped       int     `json:"stopped" doc:"without a pattern when stopped"`
	MedianMS      float64 `json:"median_ms" doc:"milliseconds a table"`
	MeanMS        float64 `json:"mean_ms"`
	MaxMS         float64 `json:"max_ms"`
}

// A BenchComparison is what hitoku bench csp --compare prints: two files of results side by side.
type BenchComparison struct {
	Head    `kind:"bench-compare/1" doc:"two files of results of hitoku bench csp side by side"`
	Old     string               `json:"old" doc:"name of the file"`
	New     string               `json:"new" doc:"name of the file"`
	Differs []string             `json:"differs" doc:"conditions that are not the same, in words"`
	Tables  []BenchPair          `json:"tables" doc:"instances in both, in the order of the old file"`
	Means   map[string]BenchMean `json:"means" doc:"by metric"`
	Metrics []string             `json:"-"` // in the order of printing
	OnlyOld []string             `json:"only_old"`
	OnlyNew []string             `json:"only_new"`
}

// A BenchPair is one instance in both files.
type BenchPair struct {
	Table  string              `json:"table"`
	Old    string              `json:"old_status" enum:"optimal,feasible,unprotectable,none"`
	New    string              `json:"new_status" enum:"optimal,feasible,unprotectable,none"`
	Ratios map[string]*float64 `json:"ratios" doc:"new/old by metric; null where one side is 0 or was not measured"`
}

// A BenchMean is the geometric mean of the ratios that exist.
type BenchMean struct {
	Ratio  *float64 `json:"ratio" doc:"null of none"`
	Tables int      `json:"tables"`
}

// A BenchLP is what hitoku bench lp measured: several LP back ends on the same problems.
type BenchLP struct {
	Head     `kind:"bench-lp/1" doc:"LP back ends at the same work"`
	Base     string         `json:"base" doc:"the back end that ratios are to"`
	Repeat   int            `json:"repeat" doc:"repetitions asked for"`
	Done     int            `json:"done" doc:"and done by all; fewer after an interrupt"`
	Limit    float64        `json:"limit" doc:"of a pass, seconds"`
	Version  string         `json:"version" doc:"of hitoku"`
	Machine  string         `json:"machine"`
	Backends []BenchBackend `json:"backends" doc:"asked for" null:"true"`
	Means    []BenchLPMean  `json:"means"`
	Results  []*BenchLPCase `json:"results" doc:"case by case"`
}

// A BenchBackend is a back end that was asked for.
type BenchBackend struct {
	Name    string `json:"name"`
	Version string `json:"version" doc:"of the library behind it, if known"`
	Missing string `json:"missing" doc:"why it was not measured and how it is added; empty for those measured"`
}

// A BenchLPCase is one back end on one problem.
type BenchLPCase struct {
	Case      string `json:"case"`
	Kind      string `json:"kind"`
	Table     string `json:"table"`
	Cells     int    `json:"cells"`
	Relations int    `json:"relations"`
	Cols      int    `json:"cols" doc:"columns of the largest program; of kind suppress those of the table's relations"`
	Rows      int    `json:"rows"`
	Entries   int    `json:"entries" doc:"nonzero coefficients"`
	LP        string `json:"lp"`
	Skipped   string `json:"skipped" doc:"why it was not measured to the end; else empty"`

	Solves     int       `json:"solves" doc:"of one pass; of kind suppress the searches, 1"`
	Passes     int       `json:"passes" doc:"of one sample"`
	Seconds    *float64  `json:"seconds" doc:"of a solve, median over the repetitions"`
	Q1         *float64  `json:"q1" doc:"its lower quartile"`
	Q3         *float64  `json:"q3" doc:"its upper quartile"`
	Runs       []float64 `json:"runs" doc:"of each repetition"`
	CPUSeconds *float64  `json:"cpu_seconds" doc:"processor time of the process in a solve, median"`
	CPURuns    []float64 `json:"cpu_runs" doc:"of each repetition"`
	Ratio      *float64  `json:"ratio" doc:"median over the repetitions of the time divided by that of the base in the same one"`
	CPURatio   *float64  `json:"cpu_ratio" doc:"the same of processor time"`
	Allocs     *float64  `json:"allocs" doc:"objects allocated on the Go heap in a solve, median"`
	AllocBytes *float64  `json:"alloc_bytes" doc:"bytes allocated, median"`
	RSS        *int64    `json:"rss" doc:"bytes by which the resident memory grew for one model held after a pass, of kind suppress at most during the search"`

	Checked    int     `json:"checked" doc:"answers compared with the reference's"`
	Differ     int     `json:"differ" doc:"answers that differ"`
	Unanswered int     `json:"unanswered" doc:"answers that were none"`
	Worst      float64 `json:"worst" doc:"largest difference of two optima v, w relative to max(1, |v|, |w|)"`
	Difference string  `json:"difference" doc:"the first, in words"`
}

// A BenchLPMean is the geometric mean of a back end's ratios over the cases of a kind that have one.
type BenchLPMean struct {
	Kind     string   `json:"kind"`
	LP       string   `json:"lp"`
	Ratio    *float64 `json:"ratio"`
	CPURatio *float64 `json:"cpu_ratio"`
	Cases    int      `json:"cases"`
	Of       int      `json:"of" doc:"cases of the kind"`
}

// A BenchRisk is what hitoku bench risk measured for one metric of microdata.
type BenchRisk struct {
	Head           `kind:"bench-risk/1" doc:"a measure of microdata, from the file to the result"`
	Metric         string   `json:"metric"`
	Implementation string   `json:"implementation"`
	Records        int64    `json:"records"`
	Columns        int      `json:"columns" doc:"quasi-identifiers"`
	Missing        float64  `json:"missing" doc:"share of values that are missing"`
	Classes        int64    `json:"classes"`
	Value          float64  `json:"value" doc:"of the metric, on which implementations must agree"`
	Seconds        float64  `json:"seconds"`
	CPUSeconds     *float64 `json:"cpu_seconds"`
	HeapPeak       int64    `json:"heap_peak" doc:"most bytes of Go objects"`
	RSSPeak        *int64   `json:"rss_peak" doc:"most bytes of resident memory"`
	Workers        int      `json:"workers"`
}
