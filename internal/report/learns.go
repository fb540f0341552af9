package report

import (
	"cmp"
	"math/big"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// protectionWidth is a class of intervals of similar width.
type protectionWidth struct {
	Name               string
	Primary, Secondary count
}

// widthClasses are the upper ends of the classes of widths, in % of the value.
var widthClasses = []struct {
	below int64
	key   string
}{{10, "w10"}, {50, "w50"}, {100, "w100"}, {200, "w200"}}

// widths counts the intervals of cells with known values by their width.
func (p *protectionPage) widths() {
	if p.Mask || !p.Told {
		return
	}
	keys := []string{"w0", "w10", "w50", "w100", "w200", "wmore", "winf"}
	count := map[string]*protectionWidth{}
	for _, k := range keys {
		count[k] = &protectionWidth{Name: p.T(k)}
	}
	any := false
	for i, c := range p.of {
		if !p.Table.Known(i) || p.Table.Value[i] == 0 {
			continue
		}
		any = true
		key := "wmore"
		switch {
		case c.Lo == nil || c.Hi == nil:
			key = "winf"
		case c.Disclosed:
			key = "w0"
		default:
			share := width(c.Lo, c.Hi)
			share.Mul(share, big.NewRat(100, 1))
			share.Quo(share, new(big.Rat).SetInt(new(big.Int).Abs(big.NewInt(p.Table.Value[i]))))
			for _, w := range widthClasses {
				if share.Cmp(big.NewRat(w.below, 1)) < 0 {
					key = w.key
					break
				}
			}
		}
		if p.Table.Status[i] == table.Sensitive {
			count[key].Primary++
		} else {
			count[key].Secondary++
		}
	}
	if !any {
		return
	}
	for _, k := range keys {
		p.Widths = append(p.Widths, *count[k])
	}
}

// Learns says in words what an intruder learns from the intervals.
func (p *protectionPage) Learns() []string {
	var all []string
	exact, open, inexact := 0, 0, p.Audit.Open()
	var least *big.Rat
	var at *interval.Cell
	for k := range p.Audit.Cells {
		c := &p.Audit.Cells[k]
		if c.Disclosed {
			exact++
		}
		if c.Hi == nil {
			open++
		}
		if w := width(c.Lo, c.Hi); w != nil && p.Table.Status[c.Index] == table.Sensitive && compareWidths(w, least) < 0 {
			least, at = w, c
		}
	}
	if p.Table.Rounded() {
		all = append(all, p.say("rounded", p.rounding()))
	}
	if exact == 0 {
		all = append(all, p.T("learnnone"))
	} else {
		all = append(all, p.say("learnexact", exact))
	}
	if idle := p.Audit.Superfluous(); idle > 0 {
		all = append(all, p.say("learnidle", idle))
	}
	if at != nil {
		key := "learnnarrow"
		if !p.Told {
			key = "learnnarrowuntold"
		}
		all = append(all, p.say(key, p.Table.CellName(at.Index), p.end(at.Lo, "−"), p.end(at.Hi, "")))
	}
	if open > 0 {
		all = append(all, p.say("learnopen", open, len(p.of)))
	}
	if inexact > 0 {
		all = append(all, p.say("learninexact", inexact))
	}
	engine := cmp.Or(p.T("engine"+p.Audit.Engine), p.Audit.Engine)
	all = append(all, p.say("learnengine", engine))
	if p.Insiders == nil {
		all = append(all, p.T("learninsider"))
	}
	switch {
	case p.Attack != nil:
	case p.Intervals == nil:
		all = append(all, p.T("learnattack"))
	case p.Intervals.Choice != nil && p.Intervals.Choice.Drawn:
		all = append(all, p.T("partialdrawn"))
	case p.Intervals.Choice == nil || !p.Intervals.Choice.Computable:
		all = append(all, p.T("partialends"))
	}
	return all
}

// Exactness says what has been proved about the intervals.
func (p *protectionPage) Exactness() string {
	if n := p.Audit.Open(); n > 0 {
		return p.say("exactbut", n)
	}
	return p.T("exactall")
}
