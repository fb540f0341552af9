package main

import (
	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/arb"
	"github.com/hitoku/hitoku/internal/cli/bench"
	"github.com/hitoku/hitoku/internal/cli/desk"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/risk"
	"github.com/hitoku/hitoku/internal/cli/tables"
)

// A maker builds the command of a verb.
type maker struct {
	name  string
	build func() *cobra.Command
	paged bool // its result may be longer than the window
}

func (m *maker) command() *cobra.Command {
	c := m.build()
	if m.paged {
		flags.Paged(c)
	}
	return c
}

// A chapter of the help.
type chapter struct {
	title string // "": none
	verbs []maker
}

// chapters are all verbs. A verb is built only where its flags are wanted: those of all of them take longer than a small table.
func chapters() []chapter {
	return []chapter{
		{"Protect tables:", []maker{{"tabulate", tables.NewTabulate, false}, {"suppress", tables.NewSuppress, true}, {"round", tables.NewRound, true}, {"adjust", tables.NewAdjust, true},
			{"explain", tables.NewExplain, true}, {"cellkey", tables.NewCellKey, false}, {"fill", tables.NewFill, false}, {"batch", tables.NewBatch, false}, {"arb", arb.New, false}}},
		{"Judge what was published:", []maker{{"audit", tables.NewAudit, true}, {"attack", tables.NewAttack, true}, {"ledger", tables.NewLedger, false}, {"attest", tables.NewAttest, false},
			{"verify", tables.NewVerify, false}, {"report", tables.NewReport, false}}},
		{"Judge microdata:", []maker{{"risk", risk.New, true}}},
		{"Files:", []maker{{"inspect", tables.NewInspect, true}, {"links", tables.NewLinks, false}, {"convert", tables.NewConvert, false}, {"generate", tables.NewGenerate, false}}},
		{"On a page of the browser:", []maker{{"open", func() *cobra.Command { return desk.NewOpen(verb) }, false}}},
		{"Measure:", []maker{{"experiment", bench.NewExperiment, false}, {"bench", bench.New, false}}},
		{"", []maker{{"schema", tables.NewSchema, false}, {"version", tables.NewVersion, false}}},
	}
}

// verbs are the names of those that do without the others.
func verbs() []string {
	var names []string
	for _, c := range chapters() {
		for _, v := range c.verbs {
			names = append(names, v.name)
		}
	}
	return names
}
