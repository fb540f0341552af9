package document

// A Verdict says whether a pattern keeps every protection level.
type Verdict string

// The verdicts. Unsettled is used for coalitions only, Nothing for patterns and audits.
const (
	Protected   Verdict = "protected"
	Unprotected Verdict = "unprotected"
	Unsettled   Verdict = "unsettled"
	Nothing     Verdict = "nothing"
)

func (Verdict) enum() []string { return []string{"protected", "unprotected"} }

// A Suppression is what hitoku suppress prints: a pattern of withheld cells.
type Suppression struct {
	Head       `kind:"suppress/1" doc:"a pattern of withheld cells that protects a table"`
	Table      string         `json:"table" doc:"name of the table"`
	Status     string         `json:"status" enum:"optimal,feasible,unprotectable,none" doc:"optimal: a cheapest protected pattern; feasible: a protected one; unprotectable: there is none; none: interrupted before one was found"`
	Cost       Exact          `json:"cost" doc:"of the secondary cells; null without a pattern"`
	Bound      Exact          `json:"bound" doc:"no protected pattern costs less; null for unprotectable and with --defence"`
	Gap        *float64       `json:"gap" doc:"(cost − bound)/cost, 0 where cost is 0; null without a pattern and with --defence"`
	Cells      int            `json:"cells"`
	Relations  int            `json:"relations"`
	Sensitive  int            `json:"sensitive" doc:"primary cells"`
	Suppressed int            `json:"suppressed" doc:"withheld cells"`
	Secondary  int            `json:"secondary" doc:"withheld cells that are neither sensitive nor withheld beforehand"`
	Pattern    []string       `json:"pattern" doc:"names of the withheld cells, in the order of the table"`
	Codes      [][]string     `json:"codes,omitempty" doc:"codes of each cell of the pattern, where the table has dimensions"`
	Audit      Verdict        `json:"audit" enum:"protected,unprotected,nothing" doc:"of the pattern, by exact arithmetic; nothing: no cell is sensitive by a rule or a status, so nothing was protected"`
	Intruder   *Intruder      `json:"intruder,omitempty" doc:"what the audit supposes of readers; absent without a pattern"`
	Rounds     int            `json:"rounds"`
	Nodes      int            `json:"nodes" doc:"of the search tree"`
	Cuts       map[string]int `json:"cuts" doc:"by family"`
	Seconds    float64        `json:"seconds" doc:"of the search, by the clock"`
	LP         string         `json:"lp" doc:"LP back end"`
	Engine     string         `json:"engine" doc:"of the intruder's problem"`
	Version    string         `json:"version" doc:"of hitoku"`
	Defence    *Defence       `json:"defence,omitempty" doc:"with --defence"`
	Insiders   *Guard         `json:"insiders,omitempty" doc:"with --insiders"`
	Singletons *Singletons    `json:"singletons,omitempty" doc:"with --singletons"`
	Unions     *Unions        `json:"unions,omitempty" doc:"with --unions or --groups"`
	Responses  []Response     `json:"responses,omitempty" doc:"with --response"`
	Margins    *Margins       `json:"margins,omitempty" doc:"with --margins weight:F"`
	Partial    *Partial       `json:"partial,omitempty" doc:"with --partial: cost, bound and gap are then of intervals, and the pattern is of the cells with one"`

	Superfluous      []string   `json:"superfluous,omitempty" doc:"names of cells that the input withholds for others and that anyone can compute; not looked for beyond --time-limit"`
	SuperfluousCodes [][]string `json:"superfluous_codes,omitempty" doc:"their codes, where the table has dimensions"`
	Unrelated        int        `json:"unrelated,omitempty" doc:"withheld cells that no relation bears on, so that nothing but their bounds is known of them: sums of the file that are not told lay them open"`

	Withheld []PatternCell `json:"withheld,omitempty" doc:"the cells of the pattern"`

	Earlier *Earlier `json:"earlier,omitempty" doc:"with --published, --ledger or --relations: what is published already and was protected with the table"`
}

// Earlier says what tables published before mean for this one.
type Earlier struct {
	Releases  []EarlierRelease `json:"releases"`
	Cells     int              `json:"cells" doc:"of all tables together, with those that sums and bounds on change add"`
	Fixed     int              `json:"fixed" doc:"cells of the table that a release tells already"`
	Lost      int              `json:"lost" doc:"sensitive cells of the table that they tell already, given up with --lost"`
	Again     int              `json:"again" doc:"cells that a release withholds as the same cells, at half the cost"`
	Published int              `json:"published" doc:"cells that were published in the period before, at twice the cost"`
	Withheld  int              `json:"withheld" doc:"cells that were withheld in the period before, at half the cost"`
	Exposed   []ExposedCell    `json:"exposed,omitempty" doc:"sensitive cells of the releases that these tell already"`
}

// An EarlierRelease is one of these tables.
type EarlierRelease struct {
	File     string            `json:"file"`
	At       map[string]string `json:"at,omitempty" doc:"where it stands in dimensions that it lacks"`
	Cells    int               `json:"cells"`
	Shared   int               `json:"shared" doc:"cells that are cells of the table"`
	Revision bool              `json:"revision,omitempty"`
}

// An ExposedCell is a cell that earlier tables tell already.
type ExposedCell struct {
	File    string        `json:"file"`
	Cell    string        `json:"cell"`
	Codes   []string      `json:"codes,omitempty"`
	Follows []Combination `json:"follows"`
}

// A Guard says how the pattern was made to guard against coalitions of contributors.
type Guard struct {
	Coalition    int `json:"coalition" doc:"most members"`
	Searches     int `json:"searches"`
	Combinations int `json:"combinations" doc:"of cells, protected beside the cells"`
	Narrow       int `json:"narrow" doc:"findings of audit --insider that bounds or widths cause, not the relations: they are not prevented"`
}

// Singletons says what a rule for cells with one contributor demanded.
type Singletons struct {
	Rule string `json:"rule"`
	Sums int    `json:"sums" doc:"of cells, protected beside the cells"`
}

// Unions are sums of cells that are sensitive in the same way as cells.
type Unions struct {
	Verdict  Verdict `json:"verdict" enum:"protected,unprotected,unsettled" doc:"protected: all meet their levels, in exact arithmetic"`
	Size     int     `json:"size,omitempty" doc:"of unions of up to so many withheld cells all were looked at"`
	Searches int     `json:"searches,omitempty" doc:"of suppress"`
	Rows     int     `json:"rows,omitempty" doc:"of suppress: unions that were cells of the last search"`
	Complete bool    `json:"complete" doc:"false: there were more than were looked at"`
	Unions   []Union `json:"unions" doc:"that are sensitive"`
}

// A Union is one of these sums.
type Union struct {
	Cells     []string   `json:"cells"`
	Codes     [][]string `json:"codes,omitempty" doc:"of each of the cells, where the table has dimensions"`
	Relation  string     `json:"relation" doc:"empty where the cells are of several, from which their sum follows"`
	Reason    string     `json:"reason" doc:"the rule that hits, as of cells; group: the cells beside one that has nearly all units of a margin"`
	Possible  bool       `json:"possible,omitempty" doc:"it is sensitive only if contributors to different cells are the same"`
	Implied   bool       `json:"implied,omitempty" doc:"the sum of all withheld cells of a margin that is published, or one that follows from several relations: everybody knows it"`
	Value     Exact      `json:"value" doc:"null in a published table"`
	Lower     Opt[Exact] `json:"lower,omitzero" doc:"of audit: least value that agrees with what is published; null where nothing bounds it, not there where it was not computed"`
	Upper     Opt[Exact] `json:"upper,omitzero" doc:"of audit: largest such value, in the same way"`
	LPL       Exact      `json:"lpl" doc:"lower protection level"`
	UPL       Exact      `json:"upl" doc:"upper protection level"`
	SPL       Exact      `json:"spl" doc:"sliding protection level"`
	Protected bool       `json:"protected"`
	Shown     bool       `json:"shown,omitempty" doc:"of audit: a table shows each of its levels, and its ends were not computed, as there are many unions"`
	Unsettled bool       `json:"unsettled,omitempty" doc:"of audit: --time-limit came before it was known whether it is protected"`
	Follows   []string   `json:"follows,omitempty" doc:"of audit: the arithmetic by which the ends follow from what is published, of the first that are told too closely"`
}

// A Response is the part of the document about one of several responses.
type Response struct {
	Response  string `json:"response"`
	Sensitive int    `json:"sensitive"`
}

// Margins is about weighted margins: cost and bound are in terms of the weighted costs.
type Margins struct {
	Factor   Exact `json:"factor"`
	Cost     Exact `json:"cost" doc:"of the pattern without the factor"`
	Withheld int   `json:"withheld" doc:"secondary cells that are margins"`
}

// Partial is about intervals in place of marks. The bound holds for all intervals that protect; the gap is that
// between bound and optimum. If costs have more than four decimals beyond those of cells, they are rounded up,
// and the bound down.
type Partial struct {
	Weights   string `json:"weights" enum:"relative,absolute" doc:"relative: an interval as wide as the value costs what the cell costs; absolute: one as wide as 1 does"`
	Intervals int    `json:"intervals" doc:"cells published as one"`
	Width     Exact  `json:"width" doc:"of all intervals together"`
	Ends      string `json:"ends" enum:"drawn,plain,computable" doc:"drawn: around a table that a secret draw has moved; plain: around the values, which who knows how they were chosen can mostly tell from them; computable: those that everybody can compute from the rest, with --defence"`
	Told      int    `json:"told" doc:"with drawn ends: sensitive cells of which who knows how ends are drawn can perhaps tell more than their levels allow"`
	Optimum   Exact  `json:"optimum" doc:"cost before ends were drawn or rounded, proved to protect"`
	Rounded   Exact  `json:"rounded" doc:"cost once they were whole or rounded, before what was superfluous was taken back and ends were drawn"`
}

// A Defence says how a pattern was chosen so that it tells nothing about the office's procedure.
type Defence struct {
	Kind      string  `json:"kind" enum:"simulatable,quantised,random"`
	Over      string  `json:"over,omitempty" doc:"what the random defence draws over"`
	Base      int64   `json:"base,omitempty" doc:"of quantised values"`
	Step      int64   `json:"step,omitempty"`
	Orders    int     `json:"orders,omitempty" doc:"of release, of which the pattern is drawn"`
	Epsilon   float64 `json:"epsilon,omitempty"`
	Seed      *uint64 `json:"seed,omitempty" doc:"of the orders: public"`
	Delta     int64   `json:"delta,omitempty"`
	Protected int     `json:"protected" doc:"cells"`
	Released  int     `json:"released" doc:"cells"`
	Tests     int     `json:"tests"`
	Guarantee string  `json:"guarantee" doc:"in words"`
}

// An Audit is what hitoku audit prints: the feasibility intervals of the withheld cells.
type Audit struct {
	Head     `kind:"audit/1" doc:"feasibility intervals of the withheld cells of a table"`
	Table    string      `json:"table" doc:"name of the table"`
	Verdict  Verdict     `json:"verdict" enum:"protected,unprotected,unsettled,nothing" doc:"unsettled: no cell is proved to miss its levels, but not all are proved to meet them; nothing: no cell is withheld, and none is sensitive"`
	Engine   string      `json:"engine"`
	Seconds  float64     `json:"seconds"`
	Rounding Exact       `json:"rounding,omitempty" doc:"published values are rounded to multiples of this, the largest such unit; absent: they are exact"`
	Intruder *Intruder   `json:"intruder,omitempty" doc:"what is supposed of readers"`
	Cells    []AuditCell `json:"cells" doc:"all withheld cells"`

	Unrelated int `json:"unrelated,omitempty" doc:"withheld cells that no relation bears on, so that nothing but their bounds is known of them: sums of the file that are not told lay them open"`

	Insiders *Insiders `json:"insiders,omitempty" doc:"with --insider"`
	Unions   *Unions   `json:"unions,omitempty" doc:"with --unions or --groups"`
	Knowing  *Knowing  `json:"knowing,omitempty" doc:"with --knows of cells whose value is not told"`

	Releases []EarlierRelease `json:"releases,omitempty" doc:"with --published, --ledger or --relations: tables that are published beside this one; intervals are those that all of them leave"`
	Earlier  []EarlierCell    `json:"earlier,omitempty" doc:"withheld cells of those, and cells that occur in sums only"`
}

// An EarlierCell is a withheld cell of a table that is published beside another.
type EarlierCell struct {
	File string `json:"file,omitempty" doc:"absent: a sum alone names the cell"`
	AuditCell
}

// An Interval is a withheld cell with what can be computed about it and what it needs. An unbounded end is
// null.
type Interval struct {
	Cell  string   `json:"cell" doc:"its codes joined with /, or its index"`
	Codes []string `json:"codes,omitempty" doc:"where the table has dimensions"`
	Value Exact    `json:"value" doc:"null in a published table"`
	Lower Exact    `json:"lower" doc:"least value that agrees with what is known"`
	Upper Exact    `json:"upper" doc:"largest such value"`
	LPL   Exact    `json:"lpl" doc:"lower protection level"`
	UPL   Exact    `json:"upl" doc:"upper protection level"`
	SPL   Exact    `json:"spl" doc:"sliding protection level: least width"`
}

// An AuditCell is a withheld cell as a reader of the table sees it.
type AuditCell struct {
	Interval
	Protected bool          `json:"protected" doc:"its levels are kept"`
	Disclosed bool          `json:"disclosed" doc:"lower is upper"`
	Unsettled bool          `json:"unsettled,omitempty" doc:"whether its levels are kept is not known"`
	Inner     *Span         `json:"inner,omitempty" doc:"where a limit came before the interval was found: what tables found show that it holds; lower and upper are then proved to be outside of it, or at its ends"`
	Follows   []Combination `json:"follows,omitempty" doc:"of a cell that is disclosed or not protected: how its interval follows from what is published"`
	Status    CellStatus    `json:"status" doc:"sensitive: it needs its levels, as does every withheld cell where no status tells the sensitive ones; secondary: it is withheld for others"`
}

// A Combination says how an end of an interval follows from what is published: the end is the sum of a
// constant, the values of the terms and bounds, each multiplied by its coefficient, and the effect of rounding.
type Combination struct {
	Gives     string          `json:"gives" enum:"value,lower,upper" doc:"value: the relations alone give it, whatever bounds are known"`
	Result    Exact           `json:"result"`
	Text      string          `json:"text" doc:"as arithmetic"`
	Terms     []Term          `json:"terms" doc:"published cells"`
	Bounds    []Term          `json:"bounds,omitempty" doc:"withheld cells with the bound that takes part"`
	Constant  Exact           `json:"constant,omitempty" doc:"of relations that are no plain sums"`
	Rounding  Exact           `json:"rounding,omitempty" doc:"of rounded terms: how far beyond their sum the end is for it, upwards for upper, downwards for lower"`
	Relations []RelationTimes `json:"relations" doc:"whose sum, each so many times, it is"`
	Shortest  bool            `json:"shortest" doc:"it is proved that no combination has fewer published cells"`
}

// A Term is a cell with the number that is used in a combination.
type Term struct {
	Cell        string   `json:"cell"`
	Codes       []string `json:"codes,omitempty"`
	File        string   `json:"file,omitempty" doc:"of another table than the one asked about"`
	Address     string   `json:"address,omitempty" doc:"in the file, where it is known"`
	Coefficient Exact    `json:"coefficient"`
	Value       Exact    `json:"value" doc:"published, or the bound"`
}

// A RelationTimes is a relation and its multiplier.
type RelationTimes struct {
	Relation string `json:"relation"`
	Times    Exact  `json:"times"`
}

// Insiders says what coalitions of contributors can compute.
type Insiders struct {
	Verdict      Verdict   `json:"verdict" enum:"protected,unprotected,unsettled"`
	Coalition    int       `json:"coalition" doc:"most members"`
	Complete     *int      `json:"complete" doc:"every coalition of up to so many members was looked at; null where not even what the public knows was"`
	Singletons   int       `json:"singletons" doc:"withheld cells with one contributor"`
	Contributors int       `json:"contributors" doc:"persons that these are"`
	Values       bool      `json:"values" doc:"false in a published table: exact disclosure was looked for, and widths if that is said"`
	Examined     int64     `json:"examined" doc:"pairs of a coalition and a cell looked at; all others follow"`
	Assumed      int       `json:"assumed,omitempty" doc:"withheld cells whose number of contributors is not known, each taken to be one's"`
	Widths       bool      `json:"widths,omitempty" doc:"without values: single contributors were also asked for cells that are left too narrow whatever the values are"`
	Unsettled    int64     `json:"unsettled" doc:"pairs left open, as exact arithmetic gave up on them"`
	Findings     []Finding `json:"findings"`
}

// A Finding is a sensitive cell that a coalition exposes.
type Finding struct {
	Coalition      []string   `json:"coalition" doc:"cells whose contributors they are"`
	CoalitionCodes [][]string `json:"coalition_codes,omitempty"`
	Interval
	Disclosed bool  `json:"disclosed"`
	Relations bool  `json:"determined_by_relations" doc:"sums and differences alone give the cell; else bounds take part"`
	Width     Exact `json:"width,omitempty" doc:"without values: the largest width that is left, whatever the values are"`
}

// Knowing says what remains uncertain to somebody who knows certain withheld cells; the values of these are not
// printed.
type Knowing struct {
	Cells   []string   `json:"cells" doc:"that are known"`
	Codes   [][]string `json:"codes,omitempty"`
	Verdict Verdict    `json:"verdict" enum:"protected,unprotected,unsettled" doc:"unprotected: some cell that the public cannot compute too closely is left too narrow, whatever the known values are"`
	Left    []Left     `json:"left" doc:"the sensitive cells"`
}

// A Left says how much uncertainty about one cell remains.
type Left struct {
	Cell      string   `json:"cell"`
	Codes     []string `json:"codes,omitempty"`
	Width     Exact    `json:"width" doc:"largest width of its interval, over all values that the known cells may have; null: no end"`
	SPL       Exact    `json:"spl" doc:"the width it needs"`
	Narrow    bool     `json:"narrow" doc:"the width misses that, whatever the known values are"`
	Disclosed bool     `json:"disclosed" doc:"the width is 0"`
	Unsettled bool     `json:"unsettled,omitempty" doc:"exact arithmetic gave up on the width"`
}

// An Attack is what hitoku attack prints: the values that are consistent with the office's procedure.
type Attack struct {
	Head       `kind:"attack/1" doc:"what the withheld cells of a published table tell whoever knows the office's procedure"`
	Table      string       `json:"table" doc:"name of the table"`
	Dimension  int          `json:"dimension" doc:"of the null space: independent ways in which candidates differ"`
	Candidates Exact        `json:"candidates" doc:"tables that agree with what is published; null: not counted"`
	Matching   Exact        `json:"matching" doc:"candidates that lead to the pattern, or those found before a limit; null: not counted"`
	Counted    bool         `json:"counted" doc:"every candidate was decided"`
	Complete   bool         `json:"complete" doc:"effective intervals are proved; false where a limit came first"`
	Seconds    float64      `json:"seconds"`
	Intruder   *Intruder    `json:"intruder,omitempty" doc:"what is supposed of readers; of effective intervals, the feasible ones need no procedure"`
	Cells      []AttackCell `json:"cells" doc:"withheld cells that the intruder does not know"`

	Releases []EarlierRelease `json:"releases,omitempty" doc:"with --published, --ledger or --relations: tables that are published beside this one; candidates agree with all of them"`
}

// A Span is the two ends of an interval; an unbounded one is null.
type Span [2]Exact

// An AttackCell is a withheld cell in the attack.
type AttackCell struct {
	Cell      string    `json:"cell" doc:"its codes joined with /, or its index"`
	Codes     []string  `json:"codes,omitempty" doc:"where the table has dimensions"`
	Feasible  Span      `json:"feasible" doc:"interval by the relations alone"`
	Effective *Span     `json:"effective" doc:"interval of the matching candidates, or where a limit came first one that holds it; null: none matches"`
	Found     Opt[Span] `json:"found,omitzero" doc:"interval of the matching candidates found before a limit; null: none"`
	Safe      *bool     `json:"safe" doc:"null where a limit came first, or no candidate matches"`
	Value     Exact     `json:"value" doc:"null in a published table"`
	LPL       Exact     `json:"lpl" doc:"lower protection level"`
	UPL       Exact     `json:"upl" doc:"upper protection level"`
	SPL       Exact     `json:"spl" doc:"sliding protection level: least width"`
}

// A Verification is what hitoku verify prints about a certificate.
type Verification struct {
	Head       `kind:"verify/1" doc:"the verdict on a certificate"`
	Table      string   `json:"table" doc:"name of the table"`
	Verdict    string   `json:"verdict" enum:"confirmed,refuted"`
	Why        string   `json:"why,omitempty" doc:"it is refuted"`
	Protected  bool     `json:"protected" doc:"the certificate has a pattern, which is protected"`
	Impossible bool     `json:"unprotectable" doc:"no pattern protects the table"`
	Cost       Exact    `json:"cost"`
	Bound      Exact    `json:"bound" doc:"no protected pattern costs less"`
	Gap        *float64 `json:"gap"`
	Nodes      int      `json:"nodes"`
	Cuts       int      `json:"cuts"`
	Duals      int      `json:"duals"`
	Fixed      int      `json:"fixed" doc:"cells"`
	Witnesses  int      `json:"witnesses"`
	Seconds    float64  `json:"seconds"`
	Version    string   `json:"version" doc:"of hitoku"`
}

// Attested is what hitoku verify prints about a statement of hitoku attest.
type Attested struct {
	Head    `kind:"attested/1" doc:"the verdict on a statement about a published table"`
	File    string   `json:"file" doc:"what is published"`
	Verdict string   `json:"verdict" enum:"confirmed,refuted"`
	Why     string   `json:"why,omitempty" doc:"it is refuted"`
	Signed  bool     `json:"signed" doc:"by the owner of --key"`
	Covers  []string `json:"covers" doc:"what was audited"`
	Open    []string `json:"open" doc:"fields of the policy of which nothing was"`
	By      string   `json:"by" doc:"version of hitoku that stated it"`
	Seconds float64  `json:"seconds"`
	Version string   `json:"version" doc:"of hitoku"`
}

// A Tabulation is what hitoku tabulate prints about one table.
type Tabulation struct {
	Head        `kind:"tabulate/1" doc:"a table made from records"`
	Table       string            `json:"table" doc:"name of the table"`
	File        string            `json:"file"`
	Cells       int               `json:"cells" doc:"with contributors"`
	Sensitive   int               `json:"sensitive"`
	By          map[string]int    `json:"by" doc:"sensitive cells by rule"`
	Hierarchies map[string]string `json:"hierarchies" doc:"file of each dimension that has one"`
}

// A Version is what hitoku version prints.
type Version struct {
	Head    `kind:"version/1" doc:"the program"`
	Version string   `json:"version"`
	Commit  string   `json:"commit,omitempty" doc:"of the source it was built from; -modified behind it: with changes"`
	Built   string   `json:"date,omitempty" doc:"of the commit"`
	Go      string   `json:"go"`
	OS      string   `json:"os"`
	Arch    string   `json:"arch"`
	LP      []string `json:"lp" doc:"back ends in this build"`
}

// A CellStatus says why a cell is withheld.
type CellStatus string

// The statuses of withheld cells.
const (
	SensitiveCell CellStatus = "sensitive"
	SecondaryCell CellStatus = "secondary"
	WithheldCell  CellStatus = "withheld"
)

func (CellStatus) enum() []string { return []string{"sensitive", "secondary", "withheld"} }

// A PatternCell is a cell of a pattern.
type PatternCell struct {
	Cell     string     `json:"cell" doc:"its codes joined with /, or its index"`
	Codes    []string   `json:"codes,omitempty" doc:"where the table has dimensions"`
	Status   CellStatus `json:"status" doc:"sensitive: it is to be protected; secondary: it protects others; withheld: the input or a decision by hand withholds it"`
	Reason   string     `json:"reason,omitempty" doc:"of a sensitive cell: the rule"`
	Value    Exact      `json:"value" doc:"null where it is not known"`
	Cost     Exact      `json:"cost" doc:"of withholding it, as the search counts it"`
	LPL      Exact      `json:"lpl" doc:"lower protection level; null where the cell is not sensitive"`
	UPL      Exact      `json:"upl" doc:"upper protection level"`
	SPL      Exact      `json:"spl" doc:"sliding protection level: least width"`
	Interval *Span      `json:"interval,omitempty" doc:"feasibility interval, with --intervals"`

	Published *Span `json:"published,omitempty" doc:"with --partial: the interval that is published in place of the value"`
}

// A Filled is what hitoku fill prints: a table in which withheld cells have been given numbers.
type Filled struct {
	Head    `kind:"fill/1" doc:"a published table with a number for every withheld cell"`
	Table   string       `json:"table" doc:"name of the table"`
	Cells   int          `json:"cells"`
	Nearest bool         `json:"nearest" doc:"it is proved that no table is nearer to what was aimed at"`
	Seed    *uint64      `json:"seed,omitempty" doc:"that drew what was aimed at; absent: the middles of the intervals"`
	LP      string       `json:"lp" doc:"LP back end"`
	Seconds float64      `json:"seconds"`
	Version string       `json:"version" doc:"of hitoku"`
	Filled  []FilledCell `json:"filled" doc:"cells filled"`

	Intruder *Intruder `json:"intruder,omitempty" doc:"what is supposed of readers, whose intervals these are"`
}

// A FilledCell is one of these cells. Its number is one of those that are consistent with what is published; it
// is not an estimate.
type FilledCell struct {
	Cell  string   `json:"cell" doc:"its codes joined with /, or its index"`
	Codes []string `json:"codes,omitempty" doc:"where the table has dimensions"`
	Value Exact    `json:"value"`
	Lower Exact    `json:"lower" doc:"least value that agrees with what is published; null where there is none"`
	Upper Exact    `json:"upper" doc:"largest such value"`
}

// An Intruder is what readers are assumed to know besides what is published: the model on which a verdict
// rests.
type Intruder struct {
	Lower Exact `json:"lower" doc:"no value that is asked for is below; null: there is no such bound"`
	Upper Exact `json:"upper" doc:"and none is above"`
	Own   int   `json:"own,omitempty" doc:"cells asked for that have other bounds, like published intervals"`

	Rounding string `json:"rounding" enum:"none,nearest,controlled,conventional,random,small" doc:"rule by which published values are taken to be rounded"`
	Base     Exact  `json:"base,omitempty" doc:"to multiples of this, the largest such unit"`
	Steps    int    `json:"steps,omitempty" doc:"how many multiples beyond the two nearest they may lie"`
	Ties     string `json:"ties,omitempty" enum:"either,away" doc:"of the rules that go to the nearest multiple: halves to either side, or away from zero"`

	Whole     bool `json:"whole" doc:"intervals are those over tables of whole numbers of the values' last decimal; otherwise over all tables"`
	Procedure bool `json:"procedure" doc:"readers know by which procedure cells were withheld or rounded and draw conclusions from it; otherwise nothing follows from it"`
}

// A Ledger is what hitoku ledger prints: the releases of an office and, for check, what they tell together.
type Ledger struct {
	Head     `kind:"ledger/1" doc:"the releases of an office, and what they tell together"`
	Ledger   string          `json:"ledger" doc:"the file"`
	Releases []LedgerRelease `json:"releases"`
	Verdict  Verdict         `json:"verdict,omitempty" enum:"protected,unprotected,unsettled" doc:"of check: whether every withheld cell that is or may be sensitive meets its levels"`
	Intruder *Intruder       `json:"intruder,omitempty" doc:"of check: what is supposed of readers"`
	Cells    []EarlierCell   `json:"cells,omitempty" doc:"of check: the withheld cells of all releases, and those that occur in sums only"`
}

// A LedgerRelease is an entry of a ledger.
type LedgerRelease struct {
	File     string            `json:"file"`
	At       map[string]string `json:"at,omitempty" doc:"where it stands in dimensions that it lacks, like its period"`
	Date     string            `json:"date,omitempty" doc:"of the publication"`
	Note     string            `json:"note,omitempty"`
	SHA256   string            `json:"sha256,omitempty" doc:"of the file, as the ledger has it"`
	Revision bool              `json:"revision,omitempty"`
	Cells    int               `json:"cells,omitempty" doc:"of check: those of the table"`
	Withheld int               `json:"withheld,omitempty" doc:"of check: those withheld"`
}
