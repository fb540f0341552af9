package certificate

// How much of a certificate is held in memory depends on the table and on constants:
// never on what a file claims, nor on its length.

// maxLine returns the greatest length of a line about p, in bytes: there is room for
// a number with an index for every cell and relation.
func maxLine(p *problem) int { return 1<<22 + 64*(p.n+p.t.Rel.Len()) }

// maxNumbers returns how many numbers with an index all rows derived about p may hold
// together, and all duals. Proofs of long searches stay far below.
func maxNumbers(p *problem) int { return 1<<24 + 64*(p.n+len(p.t.Rel.Cell)) }

// overhead is what a row or dual counts for besides its numbers.
const overhead = 8
