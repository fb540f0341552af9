package flags

import (
	"errors"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/lp"
	_ "github.com/hitoku/hitoku/lp/all" // every back end of this build
	"github.com/hitoku/hitoku/protect"
)

// Engine says what computes.
type Engine struct {
	LP      string
	Workers int
}

// Group has their flags.
func (e *Engine) Group() Group {
	engine := Fields(new(protect.Policy), "lp")[0]
	engine.To = &e.LP
	return In(SearchGroup, []Flag{
		engine,
		{Name: "workers", Rare: true, To: &e.Workers, Text: "compute in `N` goroutines; 0 means one a processor. The result does not depend on it"},
	})
}

// Check fails where this build lacks the back end.
func (e *Engine) Check() error {
	if e.Workers < 0 {
		return i18n.Errorf("--workers %d: want 0 or more", e.Workers)
	}
	s, err := lp.Open(e.LP)
	var none *lp.BackendError
	if errors.As(err, &none) && none.How == "" {
		return i18n.Errorf("--lp: lp: no back end %q, want one of %s", none.Name, i18n.Names("", none.Have))
	}
	if err != nil {
		return i18n.Errorf("--lp: %w", err)
	}
	return s.Close()
}
