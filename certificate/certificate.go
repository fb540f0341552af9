package certificate

import (
	"context"
	"io"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/table"
)

type (
	// A Certificate is a complete proof from package solver or solver/modular. Write writes it as JSON Lines
	// (docs/certificate.md); equal certificates give equal bytes. Bound is a lower bound on the cost of every protected
	// pattern, in units of 10^−CostDecimals.
	Certificate = certificate.Certificate
	// A Report is what Verify confirms: Pattern is protected at Cost (nil and 0 if the certificate is about a bound
	// only), and no protected pattern costs less than Bound or, if Unprotectable, none exists. Costs are in units of
	// 10^−CostDecimals.
	Report = certificate.Report
	// Refuted is the error for a certificate that does not prove what it claims.
	Refuted = certificate.Refuted
	// Malformed is the error for a file that is not a certificate: damaged, truncated or of another kind.
	Malformed = certificate.Malformed
	// A Witness is a table a + z, in units of 10^−Decimals, with z = Num/Den on Cells and 0 elsewhere, or z = Long if
	// that does not fit 64 bits; then Num is nil and Den 0.
	Witness = certificate.Witness
	// A Long is z = Num/Den in numbers of any length.
	Long = certificate.Long
)

// Verify reads a certificate and checks that it proves what it claims about t. The error is a *Malformed, a *Refuted,
// that of the reader, or wraps ctx.Err(); then nothing is proved and there is no report.
//
// Memory is bounded by the table, whatever is read: 500 MB plus a few KB for each cell and coefficient. Time is at most
// the length of the certificate times the size of the table; for proofs written by suppress it is a few times their
// length.
func Verify(ctx context.Context, in io.Reader, t *table.Table) (*Report, error) {
	return certificate.Verify(ctx, in, t)
}

// Protects checks, by additions and comparisons of integers only, that the witnesses meet every level of every
// sensitive cell of t when the cells of pattern are withheld. A nil error proves that pattern protects t. Cost linear
// in the entries of the witnesses and of their cells' columns.
func Protects(t *table.Table, pattern []bool, witnesses []*Witness) error {
	return certificate.Protects(t, pattern, witnesses)
}
