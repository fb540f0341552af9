package flags

import (
	"errors"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/lp"
	_ "github.com/hitoku/hitoku/lp/all" // every back end of this build
)

// Engine holds the flags about how to compute.
type Engine struct {
	LP      string
	Workers int
}

// Group returns its flags.
func (e *Engine) Group() Group {
	engine := new(Rules).Flags(Fields{"lp"})[0]
	engine.To = &e.LP
	return In(SearchGroup, []Flag{
		engine,
		{Name: "workers", Rare: true, To: &e.Workers, Text: "compute in `N` goroutines; 0 means one a processor. The result does not depend on it"},
	})
}

// Lacking returns the message that this build lacks a back end; package lp has no translations.
func Lacking(e *lp.BackendError) i18n.Text {
	if e.How == "" {
		return i18n.T("lp: no back end %q, want one of %s", e.Name, i18n.Names("", e.Have))
	}
	return i18n.T("lp: back end %q is not in this build: %s; it has %s", e.Name, i18n.Term(e.How), i18n.Names("", e.Have))
}

// Check returns an error if this build lacks the back end.
func (e *Engine) Check() error {
	if e.Workers < 0 {
		return i18n.Errorf("--workers %d: want 0 or more", e.Workers)
	}
	s, err := lp.Open(e.LP)
	var none *lp.BackendError
	if errors.As(err, &none) {
		return i18n.Errorf("--lp: %s", Lacking(none))
	}
	if err != nil {
		return i18n.Errorf("--lp: %w", err)
	}
	return s.Close()
}
