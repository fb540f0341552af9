package certificate

import (
	"context"
	"io"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/table"
)

type (
	// A Certificate is a finished proof, as solver and solver/modular give it. Write writes it as JSON Lines (docs/certificate.md), equal
	// ones in equal bytes; Bound is a lower bound for the cost of every protected pattern, in units of 10^−CostDecimals.
	Certificate = certificate.Certificate
	// A Report is what Verify confirms: Pattern is protected at Cost, nil and 0 where the certificate is about a bound alone, and no
	// protected pattern costs less than Bound, or, where Unprotectable, there is none. Costs are in units of 10^−CostDecimals.
	Report = certificate.Report
	// Refuted is the error for a certificate that does not prove what it claims.
	Refuted = certificate.Refuted
	// Malformed is the error for a file that is no certificate: damaged, cut or of another kind.
	Malformed = certificate.Malformed
	// A Witness is a table a + z, values in units of 10^−Decimals, with z = Num/Den on Cells and 0 elsewhere, or z = Long where
	// 64 bits do not hold it; then Num is nil, Den 0.
	Witness = certificate.Witness
	// A Long is z = Num/Den where 64 bits do not hold the numbers.
	Long = certificate.Long
)

// Verify reads a certificate and checks that it proves what it claims about t. Its error is a *Malformed, a *Refuted, that
// of the reader, or wraps ctx.Err(); then there is no report, as nothing is proved.
//
// Whatever it reads, memory is bounded by the table: 500 MB and some KB a cell and coefficient. Time is at most the length of
// the certificate times the size of the table; of proofs that suppress writes it is a few times their length.
func Verify(ctx context.Context, in io.Reader, t *table.Table) (*Report, error) {
	return certificate.Verify(ctx, in, t)
}

// Protects checks, by additions and comparisons of integers alone, that witnesses meet every level of every sensitive cell of t
// when the cells of pattern are withheld. A nil error is the proof that pattern protects t.
// Cost: the entries of the witnesses and of their cells' columns.
func Protects(t *table.Table, pattern []bool, witnesses []*Witness) error {
	return certificate.Protects(t, pattern, witnesses)
}
