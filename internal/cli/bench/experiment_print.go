package bench

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/report"
)

// printExperiment prints the figures of an experiment beside those of its source.
func printExperiment(w io.Writer, r *bench.ExperimentResult) {
	s := &r.Settings
	render.Tell(w, "%s; width %d; %d tables of each shape, seed %d, convention %s\n", report.Drawn(s.Words), s.Width, s.Tables, s.Seed, s.Convention)
	for _, one := range r.Series {
		render.Tell(w, "\n== %s\n", one.Title())
		if words := one.Caveat(s.Below); !words.IsZero() {
			render.Tell(w, "%s\n", words)
		}
		printShares(w, one)
		printNotes(w, one)
		if !one.Defended() || !one.Settled() {
			printByDimension(w, one)
			printByWidth(w, one)
		}
		printWork(w, one)
	}
}

// printShares prints one line per size: how many sensitive cells are unsafe.
func printShares(w io.Writer, s *document.ExperimentSeries) {
	fmt.Fprintln(w)
	printed := s.Printed()
	head := []string{"table", "cells", "tables", "primary", "unsafe", "unknown", "share", "±"}
	if printed {
		head = append(head, "printed: primary", "unsafe", "share", "primary differ by", "shares by")
	}
	grid := render.NewColumns(1, head...)
	for _, z := range s.Sizes {
		line := []string{
			z.Shape, strconv.Itoa(z.Cells), strconv.Itoa(z.Tables), strconv.Itoa(z.Primary), strconv.Itoa(z.Unsafe), strconv.Itoa(z.Unknown),
			shareText(&z.ExperimentVerdicts), share(z.ShareError),
		}
		if p := z.Source; p != nil {
			line = append(line, strconv.Itoa(p.Primary), strconv.Itoa(p.Unsafe), share(&p.Share), errorsText(p.PrimaryDifference), differenceText(z))
		} else if printed {
			line = append(line, "", "", "", "", "")
		}
		grid.Add(line...)
	}
	grid.Print(w)
	if printed {
		render.Tell(w, "± and se: standard errors, tables as clusters; differences in those of the difference, 50 tables of the source included\n")
	}
}

// printNotes prints which tables were redrawn or stopped.
func printNotes(w io.Writer, s *document.ExperimentSeries) {
	for _, z := range s.Sizes {
		if notes := z.Notes(); !notes.IsZero() {
			render.Tell(w, "%s: %s\n", z.Shape, notes)
		}
	}
}

// printByDimension prints shares by the dimension of the null space.
func printByDimension(w io.Writer, s *document.ExperimentSeries) {
	render.Tell(w, "\nshare of unsafe cells (primary cells) by dimension of the null space\n\n")
	head := []string{"table"}
	total := document.GroupDimensions(s.Dimensions, manyDimensions)
	for _, d := range total {
		name := strconv.Itoa(d.Dimension)
		if d.Dimension == manyDimensions {
			name += "+"
		}
		head = append(head, name)
	}
	grid := render.NewColumns(1, head...)
	add := func(name string, list []*document.ExperimentDimension) {
		line, source, any := []string{name}, []string{"  printed"}, false
		for _, all := range total {
			own, from := "", ""
			for _, d := range list {
				if d.Dimension != all.Dimension {
					continue
				}
				own = fmt.Sprintf("%s (%d)", shareText(&d.ExperimentVerdicts), d.Primary)
				if d.Printed != nil {
					from, any = share(d.Printed), true
				}
			}
			line, source = append(line, own), append(source, from)
		}
		grid.Add(line...)
		if any {
			grid.Add(source...)
		}
	}
	for _, z := range s.Sizes {
		add(z.Shape, document.GroupDimensions(z.Dimensions, manyDimensions))
	}
	add("all", total)
	grid.Print(w)
}

// printByWidth prints unsafe cells by width of their effective interval.
func printByWidth(w io.Writer, s *document.ExperimentSeries) {
	if len(s.Sizes) == 0 || len(s.Sizes[0].Widths) > maxWidthColumns {
		return
	}
	render.Tell(w, "\nunsafe cells by width of the effective interval\n\n")
	head, unsettled := []string{"table"}, false
	for n := range s.Sizes[0].Widths {
		head = append(head, strconv.Itoa(n))
	}
	for _, z := range s.Sizes {
		unsettled = unsettled || z.Unsettled > 0
	}
	if unsettled {
		head = append(head, "not settled")
	}
	grid := render.NewColumns(1, head...)
	for _, z := range s.Sizes {
		line := numbers(z.Shape, z.Widths)
		if unsettled {
			line = append(line, strconv.Itoa(z.Unsettled))
		}
		grid.Add(line...)
		if z.Source != nil {
			line := numbers("  printed", z.Source.Widths)
			if unsettled {
				line = append(line, "")
			}
			grid.Add(line...)
		}
	}
	grid.Print(w)
}

// manyDimensions is the dimension from which tables are printed together.
const manyDimensions = 10

// maxWidthColumns is the most widths printed as columns.
const maxWidthColumns = 20

// printWork prints the numbers of withheld cells and of candidates, and the times.
func printWork(w io.Writer, s *document.ExperimentSeries) {
	fmt.Fprintln(w)
	head := []string{"table", "withheld"}
	if s.Defended() {
		head = append(head, "cheapest", "tables run again")
	} else {
		head = append(head, "candidates: median", "max", "all decided", "matching: median", "all")
	}
	head = append(head, "office s", "attacks s", "median s", "max s")
	if !s.Defended() {
		head = append(head, "candidates/s: median", "all")
	}
	grid := render.NewColumns(1, head...)
	for _, z := range s.Sizes {
		c := &z.Candidates
		line := []string{z.Shape, strconv.Itoa(z.Withheld)}
		if s.Defended() {
			line = append(line, whole(z.Cheapest), strconv.Itoa(z.Rerun))
		} else {
			line = append(line, orDash(string(c.Median)), orDash(string(c.Max)), fmt.Sprintf("%d of %d", c.Counted, z.Tables), share(c.MedianShare), share(c.Share))
		}
		line = append(line, seconds(&z.Seconds.Office), seconds(&z.Seconds.Attack), seconds(&z.Seconds.Median), seconds(&z.Seconds.Max))
		if !s.Defended() {
			line = append(line, given(z.Rate.Median, "-", places(0)), given(z.Rate.Mean, "-", places(0)))
		}
		grid.Add(line...)
	}
	grid.Print(w)
}

func numbers(name string, counts []int) []string {
	line := []string{name}
	for _, n := range counts {
		line = append(line, strconv.Itoa(n))
	}
	return line
}

func orDash(s string) string {
	return cmp.Or(s, "-")
}

func whole(n *int) string     { return given(n, "-", strconv.Itoa) }
func share(x *float64) string { return given(x, "-", places(3)) }

// shareText returns a share, or a range if some cells are unknown.
func shareText(v *document.ExperimentVerdicts) string {
	if v.Unknown > 0 {
		return share(v.Share) + "…" + share(v.ShareMost)
	}
	return share(v.Share)
}

// errorsText returns a difference in standard errors.
func errorsText(x *float64) string {
	return given(x, "-", func(x float64) string { return fmt.Sprintf("%+.1f se", x) })
}

// differenceText returns the difference of the shares, or a range if some cells are unknown.
func differenceText(z *document.ExperimentSize) string {
	if z.Unknown > 0 {
		return strings.TrimSuffix(errorsText(z.Source.Difference), " se") + "…" + errorsText(z.Source.DifferenceMost)
	}
	return errorsText(z.Source.Difference)
}
