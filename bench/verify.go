package bench

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/solver"
)

// verify checks the certificate of the first solve, which is written and read like a file but never stored. The end of
// ctx does not stop it.
func (m *measured) verify(ctx context.Context) error {
	c := m.sol.Certificate
	if c == nil {
		m.certificate = "none"
		return nil
	}
	m.sol.Certificate = nil // frees its memory
	start := time.Now()
	r, w := io.Pipe()
	go func() { w.CloseWithError(c.Write(w)) }()
	rep, err := certificate.Verify(context.WithoutCancel(ctx), r, m.t)
	r.CloseWithError(io.ErrClosedPipe)
	m.certificateSeconds = time.Since(start).Seconds()
	var refuted *certificate.Refuted
	switch {
	case errors.As(err, &refuted):
		m.certificate = "refuted"
	case err != nil:
		return i18n.Errorf("certificate: %w", err)
	case rep.Unprotectable != (m.sol.Status == solver.Unprotectable),
		!rep.Unprotectable && (rep.Cost != m.sol.Cost || rep.Bound != m.sol.Bound || (rep.Pattern == nil) != (m.sol.Pattern == nil)):
		m.certificate = "refuted"
	default:
		m.certificate = "confirmed"
	}
	return nil
}
