package tables

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/methods/cellkey"
)

// shownNoise is how many cells of an attack are listed.
const shownNoise = 200

// attackDocument returns the description of an attack for a document.
func attackDocument(c *cellkey.Counts, a *cellkey.Attack) *document.NoiseAttack {
	v, k, d := a.Averaging, a.Constraints, a.Differences
	doc := &document.NoiseAttack{
		Verdict:     document.Protected,
		Averaging:   document.NoiseAveraging{Before: six(v.Before), Mean: six(v.Mean), Least: six(v.Least), Looked: v.Looked, Rounds: v.Right, Already: v.Already, Small: v.Small, SmallOK: v.SmallRight},
		Constraints: document.NoiseConstraints{Complete: k.Complete, Looked: k.Looked, Disclosed: k.Disclosed, Small: k.Small, Before: six(k.Before), Width: six(k.Width), Empty: a.Grid},
		Differences: document.NoiseDifferences{Pairs: d.Pairs, Differ: d.Differ, Certain: d.Certain, Chance: six(d.Chance), Equal: d.Equal},
	}
	switch {
	case a.Disclosed():
		doc.Verdict = document.Unprotected
	case !k.Complete:
		doc.Verdict = document.Unsettled
	}
	if s := a.Keys; s.Looked > 0 {
		doc.Keys = &document.NoiseKeys{Relations: s.Relations, Looked: s.Looked, Without: six(s.Without), With: six(s.With), Disclosed: s.Disclosed, Small: s.Small}
	}
	if p := a.Posterior; p != nil {
		doc.Posterior = &document.NoisePosterior{Tables: document.Exact(strconv.Itoa(p.Tables)), Certain: p.Certain, Best: six(p.Best)}
	}
	cells := slices.Clone(a.Cells)
	slices.SortStableFunc(cells, func(a, b cellkey.Attacked) int { return int((a.Hi - a.Lo) - (b.Hi - b.Lo)) })
	for n, x := range cells {
		if !x.Known {
			break
		}
		if n >= shownNoise && x.Lo < x.Hi && x.Left != 1 {
			continue
		}
		cell := document.NoiseAttackCell{Codes: c.Codes(x.Index), Cell: strings.Join(c.Codes(x.Index), "/"), Count: c.Cells[x.Index].N, Published: c.Cells[x.Index].Published,
			Interval: [2]int64{x.Lo, x.Hi}, Estimate: six(x.Estimate), Disclosed: x.Lo == x.Hi || x.Left == 1, Left: x.Left}
		if x.Error >= 0 {
			e := six(x.Error)
			cell.Error = &e
		}
		doc.Cells = append(doc.Cells, cell)
	}
	return doc
}

// printNoiseAttack prints the result of an attack in words.
func printNoiseAttack(w io.Writer, a *document.NoiseAttack) error {
	if a == nil {
		return nil
	}
	v, k, d := a.Averaging, a.Constraints, a.Differences
	render.Tell(w, "  averaging: standard error %s instead of %s, at least %s; %d estimates round to the true count, where %d numbers were true already; of %d cells of 1 or 2 records %d\n",
		short(v.Mean), short(v.Before), short(v.Least), v.Rounds, v.Already, v.Small, v.SmallOK)
	if k.Looked == 0 {
		render.Tell(w, "  constraints: not looked at, in a table of more than 50,000 cells\n")
	} else {
		of := i18n.T("all")
		if !k.Complete {
			of = i18n.T("the smallest")
		}
		render.Tell(w, "  constraints: %d cells disclosed, %d of them of 1 or 2 records; intervals %s wide on average instead of %s, of %s %d cells\n",
			k.Disclosed, k.Small, short(k.Width), short(k.Before), of, k.Looked)
	}
	render.Tell(w, "  differences: %d pairs of one record, %d published as different numbers, %d certain (chance at most %s)\n", d.Pairs, d.Differ, d.Certain, short(d.Chance))
	if s := a.Keys; s != nil {
		render.Tell(w, "  sums of keys: %s counts possible on average instead of %s, by %d relations; %d cells disclosed, %d of them of 1 or 2 records\n",
			short(s.With), short(s.Without), s.Relations, s.Disclosed, s.Small)
	}
	if p := a.Posterior; p != nil {
		render.Tell(w, "  beliefs: %s tables possible; %d cells certain, another at most with chance %s\n", string(p.Tables), p.Certain, short(p.Best))
	}
	return render.Tell(w, "  verdict: %s\n", i18n.Term(string(a.Verdict)))
}

// six rounds x to six decimals, to which iterative results are the same on every machine.
func six(x float64) float64 { return math.Round(x*1e6) / 1e6 }
