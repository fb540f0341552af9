package outside_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

const profile = "../../../docs/img/profile.svg"

// TestProfile asks that the performance profile of docs/figures.md (Dolan and Moré, Mathematical Programming 91, 2002, with seconds in place of ratios) be of
// the results in bench.
func TestProfile(t *testing.T) {
	t.Parallel()
	ours := results(t, "drawn_set.csv")
	drawn := curve{name: "hitoku, %d drawn tables", colour: "#1f6f8b", of: len(ours)}
	for _, r := range ours {
		if r["status"] == "optimal" {
			drawn.seconds = append(drawn.seconds, number(t, r["cpu_seconds"]))
		}
	}
	both := results(t, "jj.csv")
	const theirs = "the other exact code"
	both = slices.DeleteFunc(both, func(r map[string]string) bool { return r[theirs] == "–" })
	us := curve{name: "hitoku, %d tables that the other code tried", colour: "#1c2b39", of: len(both)}
	them := curve{name: "the other exact code, the same tables", colour: "#b5542c", of: len(both)}
	for _, r := range both {
		if strings.HasSuffix(r["hitoku"], "optimal") {
			us.seconds = append(us.seconds, number(t, r["total"]))
		}
		if s, ok := strings.CutPrefix(r[theirs], "optimal, "); ok {
			them.seconds = append(them.seconds, number(t, s))
		}
	}
	asDrawn(t, profile, drawProfile([]curve{drawn, us, them}))
}

// results are the rows of a file of bench/results by the names of their columns.
func results(t *testing.T, file string) (all []map[string]string) {
	t.Helper()
	f := must.Get(os.Open("../../../bench/results/" + file))(t)
	defer f.Close()
	rows := must.Get(csv.NewReader(f).ReadAll())(t)
	for _, row := range rows[1:] {
		of := map[string]string{}
		for c, name := range rows[0] {
			of[name] = row[c]
		}
		all = append(all, of)
	}
	return all
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	return must.Get(strconv.ParseFloat(s, 64))(t)
}

// A curve is the time that a code took on each table it proved, of so many.
type curve struct {
	name, colour string
	of           int
	seconds      []float64
}

// drawProfile draws for each curve the share of the tables that are proved within a time, on a logarithmic axis of seconds.
func drawProfile(curves []curve) string {
	const width, height, left, right, top, bottom = 760, 420, 60, 20, 20, 50
	const least, most = 0.01, 120
	x := func(s float64) float64 {
		s = min(max(s, least), most)
		return math.Round(10*(left+(width-left-right)*math.Log(s/least)/math.Log(most/least))) / 10
	}
	y := func(share float64) float64 {
		return math.Round(10*(height-bottom-(height-top-bottom)*share)) / 10
	}
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height, width, height)
	for percent := 0; percent <= 100; percent += 20 {
		at := y(float64(percent) / 100)
		fmt.Fprintf(&s, `<line x1="%d" y1="%g" x2="%d" y2="%g" stroke="#dde4ea"/><text x="%d" y="%g" text-anchor="end" fill="#5a6672">%d %%</text>`+"\n", left, at, width-right, at, left-8, at+4, percent)
	}
	for _, at := range []float64{0.01, 0.1, 1, 10, 100} {
		fmt.Fprintf(&s, `<line x1="%g" y1="%d" x2="%g" y2="%d" stroke="#dde4ea"/><text x="%g" y="%d" text-anchor="middle" fill="#5a6672">%g</text>`+"\n", x(at), top, x(at), height-bottom, x(at), height-bottom+18, at)
	}
	fmt.Fprintf(&s, `<text x="%d" y="%d" text-anchor="middle" fill="#1c2b39">seconds until a pattern is proved cheapest</text>`+"\n", (left+width-right)/2, height-10)
	for i, c := range curves {
		slices.Sort(c.seconds)
		fmt.Fprintf(&s, `<path fill="none" stroke="%s" stroke-width="2" d="M%d %g`, c.colour, left, y(0))
		for n, at := range c.seconds {
			fmt.Fprintf(&s, "H%gV%g", x(at), y(float64(n+1)/float64(c.of)))
		}
		fmt.Fprintf(&s, `H%d"/>`+"\n", width-right)
		name := c.name
		if strings.Contains(name, "%d") {
			name = fmt.Sprintf(name, c.of)
		}
		fmt.Fprintf(&s, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", left+14, top+18+18*i, c.colour, name)
	}
	s.WriteString("</svg>\n")
	return s.String()
}
