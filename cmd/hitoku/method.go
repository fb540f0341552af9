package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// methods are the ways of suppress to search.
var methods = []string{"auto", "exact", "modular"}

// autoCells is the number of cells above which --method auto takes sub-tables: far
// below, the whole table is not too large for the exact search.
const autoCells = 20000

// checkMethod reports what --method modular does not go with.
func (s *suppression) checkMethod(flags *pflag.FlagSet) error {
	if !flags.Changed("method") {
		return nil
	}
	switch {
	case s.defence.kind != "":
		return fmt.Errorf("--method is of no use with --defence, which does not search")
	case s.insiders:
		return fmt.Errorf("--method is of no use with --insiders, which searches the whole table")
	case s.method != "modular":
		return nil
	case s.proof != "":
		return fmt.Errorf("--method modular and --certificate: certificates are of the exact search")
	case s.canonical:
		return fmt.Errorf("--method modular and --canonical: sub-tables do not find the canonical pattern of the whole")
	}
	return nil
}

// search returns the solver of --method for t.
func (s *suppression) search(t *table.Table) func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error) {
	if s.method == "modular" || s.method == "auto" && t.Len() > autoCells && t.Layers <= 1 && !s.canonical && s.proof == "" {
		return modular.Suppress
	}
	return solver.Suppress
}
