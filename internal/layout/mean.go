package layout

import (
	"math"

	"github.com/hitoku/hitoku/internal/sets"
)

// mostMeans bounds the lines among which means of neighbours are looked for.
const mostMeans = 128

// means finds lines that are the mean of neighbouring lines without a total, such as the years before them. If
// several groups of neighbours fit, all are noted.
func (s *surveyor) means(all []line) {
	var open []*line
	for i := range all {
		if l := &all[i]; !l.fixed && l.n > 0 && !l.says() && !s.whole(l) {
			open = append(open, l)
		}
	}
	if len(open) > mostMeans {
		return
	}
	for i := range all {
		l := &all[i]
		if l.fixed || l.n < 2 || l.places.places == 0 && !l.says() || s.whole(l) {
			continue
		}
		least := l.least() + 2*math.Log2(float64(len(open)))
		for from := range open {
			for to := from + 2; to <= min(len(open), from+mostMean) && s.tried < mostTried; to++ {
				s.tried += to - from
				of := open[from:to]
				if bits := l.mean(of, s.half); bits < least {
					continue
				}
				for r := range l.v {
					if l.told(r) {
						s.add(l.at[r], l.says(), asQuotient, sets.Each(of, func(x *line) fieldAt { return x.at[r] })...)
					}
				}
			}
		}
	}
}

// mean returns how many bits of evidence there are that the line is the mean of others, each of which may be
// rounded by up to half; 0 if it is not, or is one of them. A number is evidence by how many others, written as it is,
// lie between 0 and the largest of those beside it: among small counts many are means by chance.
func (l *line) mean(of []*line, half float64) (bits float64) {
	for r, v := range l.v {
		if !v.ok {
			continue
		}
		sum, most, same := 0.0, 0.0, true
		for _, x := range of {
			if x == l || !x.told(r) {
				return 0
			}
			sum, most = sum+x.v[r].v, max(most, math.Abs(x.v[r].v))
			same = same && x.v[r].v == of[0].v[r].v
		}
		tol := slack(v.v, l.places.places) + half
		if math.Abs(sum/float64(len(of))-v.v) > tol {
			return 0
		}
		if !same {
			bits += min(12, math.Log2(1+most/(2*slack(v.v, v.places)+2*half)))
		}
	}
	return bits
}
