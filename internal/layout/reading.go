package layout

import (
	"github.com/hitoku/hitoku/internal/i18n"
)

// A Reading is what was understood of a file. Its JSON has the same form for all formats.
type Reading struct {
	File        File        `json:"file"`
	Tables      []*Table    `json:"tables"`
	Aside       []Aside     `json:"aside,omitempty"`
	Ambiguities []Ambiguity `json:"ambiguities,omitempty"`
	Layout      *Layout     `json:"-"`

	known bool              // in the format of an office, recognised by its column names
	open  []*AmbiguityError // tables left aside until an option decides how to read them

	labels map[address]bool // where numbers stand that are computed
	bases  map[fieldAt]bool // the numbers that quotients are divided by
}

// Kinds of a table or a measure.
const (
	ofCounts     = "counts"
	ofMagnitudes = "magnitudes"
)

// Roles of a dimension. Codes of a time or measure never add up.
const (
	ofClassification = "classification"
	ofTime           = "time"
	Measure          = "measure"
)

// What a mark means in the place of a value. A nil mark is a zero; all others have no value.
const (
	Suppressed     = "suppressed"
	isUnavailable  = "unavailable"
	isLow          = "low"
	isInapplicable = "inapplicable"
	isUnreliable   = "unreliable"
	isNil          = "nil"
)

// A Table is one table of a file: every cell has one code of each dimension. Cells are in the order of the file;
// combinations of codes without a cell are left out.
type Table struct {
	Name           string      `json:"name,omitempty"`
	Title          string      `json:"title,omitempty"`
	Kind           string      `json:"kind"`
	Unit           string      `json:"unit,omitempty"`
	UnitMultiplier int64       `json:"unit_multiplier,omitempty"` // 0 is 1
	NotAdditive    bool        `json:"-"`                         // "additive": false in JSON
	Dimensions     []Dimension `json:"dimensions"`
	Cells          []Cell      `json:"cells"`
	Derived        []Derived   `json:"derived,omitempty"`
	Notes          []Note      `json:"notes,omitempty"`
	Relations      []Relation  `json:"-"` // what adds up: one per parent and dimension

	beside  []beside // by cell; nil where nothing is said
	unused  error    // why the table cannot be protected: a statement of what is sensitive is not understood
	unsure  []Ambiguity
	doubts  []doubt    // questions to be answered before it is protected
	unnamed []codeOf   // codes that texts may call differently: their names were guessed, or are the name of a sheet
	seen    []Relation // sums that hold in places, in dimensions said to add up to nothing
	refused []refusal  // claimed totals that their sums miss
	parts   []*Table   // the tables it was made from
	ties    []tie      // cells of one part that are repeated in another
}

// A Dimension is a classification, the time or the measure of a table.
type Dimension struct {
	Name     string `json:"name"`
	Role     string `json:"role"`
	Additive bool   `json:"additive"` // some of its codes add up
	Codes    []Code `json:"codes"`
}

// A Code is one item of a dimension.
type Code struct {
	Code   string   `json:"code"`
	Label  string   `json:"label"`
	Parent *string  `json:"parent"` // the code it is a part of, nil: none
	Memo   bool     `json:"memo,omitempty"`
	Equals []string `json:"equals,omitempty"` // of a memo code: the codes it is the sum of, where known
	Unit   string   `json:"unit,omitempty"`   // for a code of a measure
	Kind   string   `json:"kind,omitempty"`   // for a code of a measure
	Use    string   `json:"use,omitempty"`    // "freq": the measure counts the contributors of others
}

// A Cell is one number of a table and where it stands.
type Cell struct {
	Codes   []string `json:"codes"` // in the order of the dimensions
	Value   *Decimal `json:"value"` // nil: not in the file
	Mark    *string  `json:"mark"`  // the text in the place of a number, nil: a number
	Means   string   `json:"means,omitempty"`
	Flag    string   `json:"flag,omitempty"` // what stands beside a value
	Formula string   `json:"formula,omitempty"`
	Sheet   *string  `json:"sheet"` // nil in a text file
	Ref     string   `json:"ref"`
	MarkRef string   `json:"mark_ref,omitempty"` // the field of mark or flag, if it is a separate one
	Written *string  `json:"written,omitempty"`  // what the field of the value then holds
}

// A codeOf is a code of a dimension, given by its index.
type codeOf struct {
	dim  int
	code string
}

// Derived is a number computed from cells of the table, and not a cell itself.
type Derived struct {
	How     string     `json:"how"`
	Of      [][]string `json:"of"` // codes of the cells
	Value   *Decimal   `json:"value"`
	Sheet   *string    `json:"sheet"`
	Ref     string     `json:"ref"`
	Formula string     `json:"formula,omitempty"`

	itself bool // it is the share of a number of itself, 100 per cent whatever that is
}

// A Note is text that belongs to a table: title, unit, note or source.
type Note struct {
	What  string  `json:"what"`
	Text  string  `json:"text"`
	Sheet *string `json:"sheet"`
	Ref   string  `json:"ref"`
}

// A doubt is a question about a dimension.
type doubt struct {
	dim string
	Ambiguity
}

// A Relation is a checked sum: in dimension Dim, the cells of Total are the sums of the cells of Parts, for all
// codes of the other dimensions.
type Relation struct {
	Dim     int
	Total   string
	Parts   []string
	Checked int // sums that are complete and right
	Unknown int // sums with a part or total that is not in the file
	Missed  int // sums that miss by no more than the tolerance, because of rounding
	Wrong   int // sums that miss by more; only in Table.seen
}

// Aside is something in the file that belongs to no table.
type Aside struct {
	Sheet *string   `json:"sheet"`
	Ref   string    `json:"ref,omitempty"` // a rectangle like A1:B2; empty: the whole sheet
	Why   i18n.Text `json:"why"`
}

// An Ambiguity is a question that numbers and labels leave open, with all possible readings and the options that
// choose each.
type Ambiguity struct {
	Question i18n.Text   `json:"question"`
	Readings []i18n.Text `json:"readings"`
	Options  []string    `json:"options"`

	others []string // codes whose numbers show that they belong to another measure, so that nobody need say so
}

// An AmbiguityError says that a book can be read in several ways.
type AmbiguityError struct {
	File string
	Ambiguity
}

func (e *AmbiguityError) Error() string { return e.Message().String() }

// Message returns the text of e.
func (e *AmbiguityError) Message() i18n.Text {
	t := i18n.T("%s: %s", e.File, e.Question)
	for i, r := range e.Readings {
		if i == 0 {
			t = t.Plus(": %s", r)
		} else {
			t = t.Plus("; or %s", r)
		}
		if i < len(e.Options) && e.Options[i] != "" {
			t = t.Plus(" (%s)", e.Options[i])
		}
	}
	return t
}
