// Package model holds the program of a back end whose library cannot change
// one in place: changes go to the copy, and the next solve starts from it.
package model

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/lp"
)

// A Model is a valid copy of a program, or none. Its methods return the errors
// that lp.Solver asks for and copy all they are given.
type Model struct {
	Limits lp.Limits // apply to every solve
	p      *lp.Problem
}

// SetLimits sets the limits of every solve.
func (m *Model) SetLimits(l lp.Limits) { m.Limits = l }

// Problem returns the program, nil if there is none. The caller must not
// change it.
func (m *Model) Problem() *lp.Problem { return m.p }

// Spend tells ctx about the work of a solve. These libraries do not count iterations; as many as there are rows are
// assumed, each reading the whole program.
func (m *Model) Spend(ctx context.Context) {
	if m.p != nil {
		rows := len(m.p.Rows)
		work.Spend(ctx, time.Duration(rows*(rows+len(m.p.Cost)))*perEntry)
	}
}

const perEntry = 20 * time.Nanosecond

// Unload drops the program.
func (m *Model) Unload() { m.p = nil }

// Load replaces the program by a copy of p, or by none if p is malformed.
func (m *Model) Load(p *lp.Problem) error {
	m.p = nil
	if err := p.Check(); err != nil {
		return err
	}
	q := &lp.Problem{
		Cost: slices.Clone(p.Cost),
		Lo:   slices.Clone(p.Lo),
		Up:   slices.Clone(p.Up),
		Rows: make([]lp.Row, 0, len(p.Rows)),
	}
	m.p = q
	m.append(p.Rows)
	return nil
}

// append copies all rows into two slices: tables have many short ones.
func (m *Model) append(rows []lp.Row) {
	entries := 0
	for i := range rows {
		entries += len(rows[i].Idx)
	}
	idx := make([]int32, 0, entries)
	val := make([]float64, 0, entries)
	for _, r := range rows {
		at := len(idx)
		idx = append(idx, r.Idx...)
		val = append(val, r.Val...)
		m.p.Rows = append(m.p.Rows, lp.Row{Lo: r.Lo, Up: r.Up, Idx: idx[at:len(idx):len(idx)], Val: val[at:len(val):len(val)]})
	}
}

// SetColBounds changes the bounds of column j.
func (m *Model) SetColBounds(j int, lo, up float64) error {
	if err := m.column(j); err != nil {
		return err
	}
	if err := lp.CheckBounds(lo, up); err != nil {
		return &lp.ModelError{Row: -1, Col: j, What: err.Error()}
	}
	m.p.Lo[j], m.p.Up[j] = lo, up
	return nil
}

// SetRowBounds changes the bounds of row i.
func (m *Model) SetRowBounds(i int, lo, up float64) error {
	if m.p == nil {
		return lp.ErrNotLoaded
	}
	if i < 0 || i >= len(m.p.Rows) {
		return &lp.ModelError{Row: i, Col: -1, What: fmt.Sprintf("row index out of range [0, %d)", len(m.p.Rows))}
	}
	if err := lp.CheckBounds(lo, up); err != nil {
		return &lp.ModelError{Row: i, Col: -1, What: err.Error()}
	}
	m.p.Rows[i].Lo, m.p.Rows[i].Up = lo, up
	return nil
}

// SetCost changes the cost of column j.
func (m *Model) SetCost(j int, c float64) error {
	if err := m.column(j); err != nil {
		return err
	}
	if math.IsNaN(c) || math.IsInf(c, 0) {
		return &lp.ModelError{Row: -1, Col: j, What: fmt.Sprintf("cost %g, want a finite number", c)}
	}
	m.p.Cost[j] = c
	return nil
}

// AddRows appends rows and returns the index of the first.
func (m *Model) AddRows(rows ...lp.Row) (first int, err error) {
	if m.p == nil {
		return 0, lp.ErrNotLoaded
	}
	first = len(m.p.Rows)
	if err := lp.CheckRows(rows, first, m.p.NumCols()); err != nil {
		return 0, err
	}
	m.append(rows)
	return first, nil
}

// Append is AddRows for a library that holds the program too: then is called with the program and the index of the
// first new row.
func (m *Model) Append(rows []lp.Row, then func(p *lp.Problem, first int)) (int, error) {
	first, err := m.AddRows(rows...)
	if err == nil {
		then(m.p, first)
	}
	return first, err
}

// DeleteRows removes the rows i with drop[i].
func (m *Model) DeleteRows(drop []bool) error {
	if m.p == nil {
		return lp.ErrNotLoaded
	}
	if len(drop) != len(m.p.Rows) {
		return &lp.ModelError{Row: -1, Col: -1, What: fmt.Sprintf("%d flags for %d rows", len(drop), len(m.p.Rows))}
	}
	kept := m.p.Rows[:0]
	for i, r := range m.p.Rows {
		if !drop[i] {
			kept = append(kept, r)
		}
	}
	m.p.Rows = kept
	return nil
}

func (m *Model) column(j int) error {
	if m.p == nil {
		return lp.ErrNotLoaded
	}
	if j < 0 || j >= m.p.NumCols() {
		return &lp.ModelError{Row: -1, Col: j, What: fmt.Sprintf("column index out of range [0, %d)", m.p.NumCols())}
	}
	return nil
}

// Crossed returns the result for a program with lo > up somewhere, or nil. Any
// multipliers prove a crossed column; a crossed row has no Farkas ray in the
// form of package lp.
func Crossed(p *lp.Problem) *lp.Result {
	for j := range p.Lo {
		if p.Lo[j] > p.Up[j] {
			return &lp.Result{Status: lp.Infeasible, Farkas: make([]float64, len(p.Rows)), Raw: fmt.Sprintf("bounds of column %d are crossed", j)}
		}
	}
	for i := range p.Rows {
		if p.Rows[i].Lo > p.Rows[i].Up {
			return &lp.Result{Status: lp.Infeasible, Raw: fmt.Sprintf("bounds of row %d are crossed", i)}
		}
	}
	return nil
}
