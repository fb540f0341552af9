package document

import "slices"

// An Experiment is what hitoku experiment prints about the attack on tables that were drawn and protected.
// Times are in seconds; numbers that do not exist are null.
type Experiment struct {
	Head     `kind:"experiment/1" doc:"attacks on drawn tables: how many sensitive cells are laid open"`
	Settings ExperimentSettings  `json:"settings"`
	Complete bool                `json:"complete" doc:"false where an interrupt left tables out"`
	Series   []*ExperimentSeries `json:"series" null:"true"`
}

// ExperimentSettings are the settings of the run.
type ExperimentSettings struct {
	Shapes     []string `json:"shapes" null:"true"`
	Tables     int      `json:"tables" doc:"of each shape"`
	Seed       uint64   `json:"seed"`
	Convention string   `json:"convention" doc:"how values are drawn"`
	Words      string   `json:"words" doc:"the convention in words"`
	Mean       float64  `json:"mean"`
	SD         float64  `json:"sd"`
	Below      int64    `json:"below"`
	Width      int64    `json:"width"`
	Empty      string   `json:"empty" enum:"redraw,keep" doc:"what became of tables without sensitive cells"`
	LP         string   `json:"lp"`
	TimeLimit  float64  `json:"time_limit" doc:"seconds, of the office's search and of each attack; 0: none"`
	Version    string   `json:"version" doc:"of hitoku"`
	Machine    string   `json:"machine"`
}

// An ExperimentSeries is one kind of attack on tables published under one kind of cost.
type ExperimentSeries struct {
	Defence    string                 `json:"defence"`
	Cost       string                 `json:"cost" doc:"of the cheapest patterns; empty with a defence"`
	Match      string                 `json:"match"`
	Sizes      []*ExperimentSize      `json:"sizes"`
	Dimensions []*ExperimentDimension `json:"dimensions" doc:"the sizes by dimension of the null space"`
}

// An ExperimentSize sums up the tables of one shape.
type ExperimentSize struct {
	Shape string `json:"shape"`
	Cells int    `json:"cells" doc:"that are no margins"`

	Tables     int `json:"tables" doc:"attacked, or without sensitive cells"`
	Stopped    int `json:"stopped" doc:"of those, with an attack stopped by a limit"`
	Unsolved   int `json:"unsolved" doc:"not among tables: a limit stopped the office"`
	Redrawn    int `json:"redrawn" doc:"drawn again: without sensitive cells"`
	Refused    int `json:"refused" doc:"not among tables: the defence cannot protect them"`
	Impossible int `json:"impossible" doc:"drawn again: no pattern protects them"`

	Primary  int  `json:"primary" doc:"sensitive cells"`
	Withheld int  `json:"withheld" doc:"withheld cells, sensitive ones included"`
	Cheapest *int `json:"cheapest" doc:"that a cheapest pattern by the first cost withholds of the same tables; null if not known of all"`
	Rerun    int  `json:"rerun" doc:"tables on which the defence was run again, all of which could lead to the pattern"`
	ExperimentVerdicts
	ShareError   *float64 `json:"share_error" doc:"standard error of share, tables as clusters"`
	PrimaryMean  float64  `json:"primary_mean"`
	PrimaryError *float64 `json:"primary_error" doc:"standard error of primary_mean"`

	Dimensions []*ExperimentDimension `json:"dimensions"`
	Widths     []int                  `json:"widths" doc:"unsafe cells by width of the effective interval, 0 … width−1"`
	Unsettled  int                    `json:"unsettled" doc:"unsafe cells whose attack was stopped before the interval was known"`
	Feasible   []int                  `json:"feasible" doc:"sensitive cells by width of the feasible interval, where it is known"`
	Effective  []int                  `json:"effective" doc:"and of the effective one"`

	Candidates ExperimentCandidates `json:"candidates"`
	Seconds    ExperimentSeconds    `json:"seconds"`
	Rate       ExperimentRate       `json:"rate"`
	Source     *ExperimentPrinted   `json:"source" doc:"null where the settings are not those of the source"`
}

// ExperimentVerdicts are numbers of sensitive cells by verdict.
type ExperimentVerdicts struct {
	Unsafe    int      `json:"unsafe"`
	Unknown   int      `json:"unknown" doc:"a limit stopped the attack before it was settled"`
	Share     *float64 `json:"share" doc:"unsafe/primary"`
	ShareMost *float64 `json:"share_most" doc:"if all unknown cells are unsafe"`
}

// An ExperimentDimension sums up the tables whose null space has that dimension.
type ExperimentDimension struct {
	Dimension int `json:"dimension"`
	Tables    int `json:"tables"`
	Primary   int `json:"primary"`
	ExperimentVerdicts
	Printed *float64 `json:"printed" doc:"share in the source"`
}

// ExperimentCandidates are numbers of tables that are consistent with what was published.
type ExperimentCandidates struct {
	Median      Exact    `json:"median" doc:"the smaller of the middle two; null: too many to count"`
	Max         Exact    `json:"max"`
	Counted     int      `json:"counted" doc:"tables of which every candidate was decided; the shares are over them"`
	MedianShare *float64 `json:"median_share" doc:"of candidates that match"`
	Share       *float64 `json:"share" doc:"of all candidates of all tables"`
}

// ExperimentSeconds are the times of the office's searches and of the attacks.
type ExperimentSeconds struct {
	Office float64 `json:"office" doc:"sum over the tables"`
	Attack float64 `json:"attack" doc:"sum over the tables"`
	Median float64 `json:"median" doc:"of an attack"`
	Max    float64 `json:"max"`
}

// An ExperimentRate is the number of candidates decided per second, over the tables of which all were decided.
type ExperimentRate struct {
	Median *float64 `json:"median"`
	Mean   *float64 `json:"mean" doc:"all candidates / all seconds"`
}

// ExperimentPrinted compares our figures with the printed ones. Differences are ours minus theirs, in standard
// errors of the difference; the source prints no standard errors, so those of its figures are estimated from
// our tables.
type ExperimentPrinted struct {
	Tables            int      `json:"tables"`
	Primary           int      `json:"primary"`
	Unsafe            int      `json:"unsafe"`
	Share             float64  `json:"share"`
	Difference        *float64 `json:"difference"`
	DifferenceMost    *float64 `json:"difference_most" doc:"if all unknown cells are unsafe"`
	PrimaryDifference *float64 `json:"primary_difference" doc:"of primary cells a table"`
	Widths            []int    `json:"widths"`
}

// ExperimentDimensions are sums by dimension of the null space.
type ExperimentDimensions map[int]*ExperimentDimension

// At returns the entry of dimension d, which it adds if need be.
func (m ExperimentDimensions) At(d int) *ExperimentDimension {
	if m[d] == nil {
		m[d] = &ExperimentDimension{Dimension: d}
	}
	return m[d]
}

// Sorted returns the entries by dimension, with their shares set.
func (m ExperimentDimensions) Sorted() []*ExperimentDimension {
	list := []*ExperimentDimension{}
	for _, d := range m {
		d.SetShares(d.Primary)
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b *ExperimentDimension) int { return a.Dimension - b.Dimension })
	return list
}

// Merge adds the tables of o to d.
func (d *ExperimentDimension) Merge(o *ExperimentDimension) {
	d.Tables += o.Tables
	d.Primary += o.Primary
	d.Unsafe += o.Unsafe
	d.Unknown += o.Unknown
}

// SetShares sets the shares of the counts among primary cells.
func (c *ExperimentVerdicts) SetShares(primary int) {
	if primary > 0 {
		c.Share = new(float64(c.Unsafe) / float64(primary))
		c.ShareMost = new(float64(c.Unsafe+c.Unknown) / float64(primary))
	}
}

// GroupDimensions merges the dimensions from top on into one entry.
func GroupDimensions(list []*ExperimentDimension, top int) []*ExperimentDimension {
	all := ExperimentDimensions{}
	for _, d := range list {
		all.At(min(d.Dimension, top)).Merge(d)
	}
	short := all.Sorted()
	for _, d := range short {
		for _, o := range list {
			if o.Dimension == d.Dimension && d.Dimension < top {
				d.Printed = o.Printed
			}
		}
	}
	return short
}
