package report

import "strconv"

// A Run tells how the cells were chosen: what hitoku suppress prints as JSON. Texts that
// are empty are not known.
type Run struct {
	Status      string // optimal or feasible
	Modular     bool   // sub-table by sub-table
	Cost, Bound string
	Gap         *float64 // (cost − bound)/cost
	Rounds      int
	Nodes       int
	Cuts        int // cuts of all families together
	Seconds     float64
	LP          string
	Version     string
	Defence     string // simulatable, quantised or random; then there is no bound
	Coalition   int    // insiders guarded against: only contributors who share what they know; 0: none
	Sums        int    // combinations protected on their account
	Singletons  string // the rule of τ-ARGUS kept besides, if any; Sums is what it protects then
	Narrow      int    // cells that bounds lay open to them all the same
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
