package report

import "strconv"

// A Run tells how the withheld cells were chosen, as hitoku suppress prints it as JSON. Empty texts are not
// known.
type Run struct {
	Status      string // optimal or feasible
	Modular     bool   // searched sub-table by sub-table
	Cost, Bound string
	Gap         *float64 // (cost − bound)/cost
	Rounds      int
	Nodes       int
	Cuts        int // number of cuts of all families
	Seconds     float64
	LP          string
	Version     string
	Defence     string // simulatable, quantised or random; there is then no bound
	Coalition   int    // number of only contributors, sharing what they know, that the pattern guards against; 0: none
	Sums        int    // number of sums of cells protected for that
	Singletons  string // τ-ARGUS's singleton rule, if it was applied as well; Sums is then what it protects
	Narrow      int    // number of cells that their bounds show to such contributors nevertheless
}

// chosen fills the section about the run.
func (p *protectionPage) chosen() {
	r := p.Run
	if r == nil {
		return
	}
	s := &section{Heading: p.T("run")}
	partial := p.Intervals != nil && p.Intervals.Choice != nil
	add := func(key, value string) {
		if value != "" {
			s.Facts = append(s.Facts, Fact{p.T(key), value})
		}
	}
	switch {
	case partial:
		p.chosenIntervals(s, add)
	case r.Defence != "":
		s.Text = append(s.Text, p.say("rundefence", p.T("defence"+r.Defence)))
	case r.Modular:
		s.Text = append(s.Text, p.T("runmodular"))
	default:
		s.Text = append(s.Text, p.T("runexact"))
	}
	switch {
	case partial || r.Defence != "":
	case r.Status == "optimal":
		s.Text = append(s.Text, p.T("runoptimal"))
	default:
		s.Text = append(s.Text, p.T("runfeasible"))
	}
	if r.Coalition == 1 {
		s.Text = append(s.Text, p.say("runinsider", r.Sums))
	} else if r.Coalition > 1 {
		s.Text = append(s.Text, p.say("runinsiders", r.Coalition, r.Sums))
	}
	if r.Singletons != "" {
		s.Text = append(s.Text, p.say("runsingletons", r.Singletons, r.Sums))
	}
	if r.Narrow > 0 {
		s.Text = append(s.Text, p.say("runnarrow", r.Narrow))
	}
	if !p.Mask && !partial { // costs are mostly values of withheld cells
		add("runcost", grouped(r.Cost))
		add("runbound", grouped(r.Bound))
	}
	if r.Gap != nil {
		add("rungap", strconv.FormatFloat(100**r.Gap, 'f', 2, 64)+" %")
	}
	add("runseconds", strconv.FormatFloat(r.Seconds, 'f', 2, 64))
	add("runwork", p.say("runworktext", r.Rounds, r.Nodes, r.Cuts))
	add("runlp", r.LP)
	if v := r.Version; v != "" && v != p.Version {
		add("runversion", "hitoku "+v)
	}
	p.Chosen = s
}
