package document

// An Inspection is what hitoku inspect prints: how a file was understood. If the file has a single table, the
// keys of that are beside file, else in tables.
type Inspection struct {
	Head `kind:"inspect/1" doc:"the tables found in a file, with the address of every cell"`
	File InspectedFile `json:"file"`
	*InspectedTable
	Tables      []InspectedTable `json:"tables,omitempty" doc:"of a file with several tables, or none"`
	Aside       []SetAside       `json:"aside,omitempty" doc:"what is in no table, and why"`
	Ambiguities []TwoReadings    `json:"ambiguities,omitempty"`
	Account     *NumberAccount   `json:"account,omitempty"`
}

// A NumberAccount says for every number of a file what it is.
type NumberAccount struct {
	Numbers int          `json:"numbers"`
	Roles   []NumberRole `json:"roles,omitempty"`
	Unknown []string     `json:"unknown,omitempty" doc:"the addresses of numbers that nothing of the reading explains"`
}

// A NumberRole says how many numbers of a file have one role.
type NumberRole struct {
	Role    string   `json:"role" doc:"values, labels, how it is computed and others"`
	Numbers int      `json:"numbers"`
	Refs    []string `json:"refs,omitempty" doc:"their addresses; those of values stand with the cells"`
}

// An InspectedFile says how a file is written.
type InspectedFile struct {
	Name      string `json:"name"`
	Format    string `json:"format" doc:"xlsx, csv, tsv, sdmx-csv or px"`
	Encoding  string `json:"encoding,omitempty"`
	Separator string `json:"separator,omitempty"`
	Decimal   string `json:"decimal,omitempty"`
	Thousands string `json:"thousands" doc:"empty where nothing stands between thousands"`
}

// An InspectedTable is one table of a file.
type InspectedTable struct {
	Name           string               `json:"name,omitempty"`
	Title          string               `json:"title,omitempty"`
	Kind           string               `json:"kind" enum:"counts,magnitudes"`
	Unit           string               `json:"unit,omitempty"`
	UnitMultiplier int64                `json:"unit_multiplier,omitempty" doc:"absent: 1"`
	Additive       *bool                `json:"additive,omitempty" doc:"false where nothing adds up"`
	Dimensions     []InspectedDimension `json:"dimensions"`
	Cells          []InspectedCell      `json:"cells"`
	Derived        []DerivedNumber      `json:"derived,omitempty" doc:"numbers computed from cells"`
	Notes          []InspectedNote      `json:"notes,omitempty"`
	Relations      []CheckedSum         `json:"relations,omitempty" doc:"sums that were checked"`
}

// An InspectedDimension is a classification, the time or the measure of a table.
type InspectedDimension struct {
	Name     string          `json:"name"`
	Role     string          `json:"role" enum:"classification,time,measure"`
	Additive bool            `json:"additive" doc:"some of its codes add up"`
	Codes    []InspectedCode `json:"codes"`
}

// An InspectedCode is one code of a dimension.
type InspectedCode struct {
	Code   string   `json:"code"`
	Label  string   `json:"label"`
	Parent *string  `json:"parent" doc:"the code it is a part of, null: none"`
	Memo   bool     `json:"memo,omitempty" doc:"memo item: no part of its parent"`
	Equals []string `json:"equals,omitempty" doc:"of a memo code: what it is the sum of"`
	Unit   string   `json:"unit,omitempty" doc:"of a measure"`
	Kind   string   `json:"kind,omitempty" doc:"of a measure"`
	Use    string   `json:"use,omitempty" doc:"freq: it counts the contributors of the other measures"`
}

// An InspectedCell is one number of a table.
type InspectedCell struct {
	Codes   []string `json:"codes"`
	Value   Exact    `json:"value" doc:"null: not in the file"`
	Mark    *string  `json:"mark" doc:"what stands in place of a number, null: a number"`
	Means   string   `json:"means,omitempty" doc:"of a mark: suppressed, unavailable, low, inapplicable, unreliable, nil"`
	Flag    string   `json:"flag,omitempty" doc:"what stands beside a value"`
	Formula string   `json:"formula,omitempty"`
	Sheet   *string  `json:"sheet" doc:"null in a text file"`
	Ref     string   `json:"ref" doc:"A1 in a workbook, line:field in a text file, line:token in PX"`
	MarkRef string   `json:"mark_ref,omitempty" doc:"where mark or flag have a field of their own"`
	Written *string  `json:"written,omitempty" doc:"what the field of the value holds then"`
}

// A DerivedNumber is a number that is computed from cells of a table.
type DerivedNumber struct {
	How     string     `json:"how"`
	Of      [][]string `json:"of" doc:"codes of the cells"`
	Value   Exact      `json:"value"`
	Sheet   *string    `json:"sheet"`
	Ref     string     `json:"ref"`
	Formula string     `json:"formula,omitempty"`
}

// An InspectedNote is a text that belongs to a table.
type InspectedNote struct {
	What  string  `json:"what" doc:"title, unit, note or source"`
	Text  string  `json:"text"`
	Sheet *string `json:"sheet"`
	Ref   string  `json:"ref"`
}

// A CheckedSum is a sum of codes, checked for all codes of the other dimensions.
type CheckedSum struct {
	Dimension string   `json:"dimension"`
	Total     string   `json:"total"`
	Parts     []string `json:"parts"`
	Checked   int      `json:"checked" doc:"sums that are complete and right"`
	Unknown   int      `json:"unknown" doc:"sums of which some number is not in the file"`
	Missed    int      `json:"missed" doc:"of those checked, sums that rounding accounts for"`
}

// SetAside is a part of a file that is in no table.
type SetAside struct {
	Sheet *string `json:"sheet"`
	Ref   string  `json:"ref,omitempty"`
	Why   string  `json:"why"`
}

// TwoReadings is a question that a file leaves open.
type TwoReadings struct {
	Question string   `json:"question"`
	Readings []string `json:"readings"`
	Options  []string `json:"options" doc:"the flag that chooses each"`
}
