package layout

// A Written is one field read as a number, a mark, or neither.
type Written struct {
	Value *Decimal
	Mark  string // the text in the place of a number
	Means string
	Flag  string // what stands behind a value
	OK    bool   // it is a value or a mark; else a label
}

// NumberStyle says how a file writes numbers.
type NumberStyle struct {
	Decimal   byte // '.' or ','
	Thousands string
	Marks     map[string]string // marks told by the file itself, beside those of the field
}
