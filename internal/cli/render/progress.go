package render

import (
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"github.com/hitoku/hitoku/solver"
)

// Pause is the shortest time between two lines without a new pattern.
const Pause = time.Second

// auditProgress prints how many cells of an audit are done. Its method show may
// be called from several goroutines.
type auditProgress struct {
	w    io.Writer
	mu   sync.Mutex
	next time.Time
}

func NewAuditProgress(w io.Writer) *auditProgress {
	return &auditProgress{w: w, next: time.Now().Add(Pause)}
}

func (p *auditProgress) Show(done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); now.After(p.next) {
		p.next = now.Add(Pause)
		Tell(p.w, "%d of %d cells audited\n", done, total)
	}
}

// Insiders is Show for coalitions of a size.
func (p *auditProgress) Insiders(size, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); now.After(p.next) {
		p.next = now.Add(Pause)
		Tell(p.w, "coalitions of %d: %d of %d sensitive cells done\n", size, done, total)
	}
}

// SearchProgress prints the progress of a search, one line at a time:
//
//	round   nodes      lower      upper     gap   cuts    time
//	    1       1     118.00     412.00   71.4%     34    0.2s
type SearchProgress struct {
	W     io.Writer
	lines int
	next  float64 // in seconds: no line earlier, unless upper improves
	upper float64
}

func (p *SearchProgress) Show(s solver.Progress) {
	improved := p.lines == 0 || s.Upper < p.upper
	if !improved && s.Seconds < p.next {
		return
	}
	if p.lines == 0 {
		fmt.Fprintf(p.W, "%6s %7s %10s %10s %7s %6s %7s\n", "round", "nodes", "lower", "upper", "gap", "cuts", "time")
	}
	p.lines++
	p.next, p.upper = s.Seconds+Pause.Seconds(), s.Upper
	upper, gap := "-", "-"
	if !math.IsInf(s.Upper, 1) {
		upper = fmt.Sprintf("%.2f", s.Upper)
		gap = fmt.Sprintf("%.1f%%", 100*(s.Upper-s.Lower)/max(1, s.Upper))
	}
	fmt.Fprintf(p.W, "%6d %7d %10.2f %10s %7s %6d %6.1fs\n", s.Round, s.Nodes, s.Lower, upper, gap, s.Cuts, s.Seconds)
}
