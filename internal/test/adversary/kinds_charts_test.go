package adversary

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// A drawnChart shows cells of one column of a sheet, as values or as shares of one of them.
type drawnChart struct {
	cells []int
	shows []string // what the chart holds of each
	how   int      // how it has them: 0 by reference, 1 as constants, 2 of another workbook, 3 of a sheet that is gone
	names []string
}

// drawChart draws a chart of some cells that stand below each other.
func (k *kinds) drawChart(o *officeFile, name func(cell int) string) {
	one := k.one(o)
	at := k.where[one]
	c := &drawnChart{how: k.IntN(4)}
	for cell, on := range k.where {
		if on.s == at.s && on.c == at.c && (o.k == nil || k.mark == "" || !k.is("marks", "measures", "average measure", "rate measure")) {
			c.cells = append(c.cells, cell)
		}
	}
	slices.Sort(c.cells)
	if len(c.cells) < 3 {
		return
	}
	whole := slices.MaxFunc(c.cells, func(a, b int) int { return int(o.value[a] - o.value[b]) })
	shares := c.how > 0 && k.maybe(2) && o.value[whole] > 0
	o.feature("chart %d, shares %v", c.how, shares)
	for n, cell := range c.cells {
		where := spot{"", fmt.Sprintf("chart %d", n)}
		c.names = append(c.names, name(cell))
		if !shares {
			c.shows = append(c.shows, strconv.FormatFloat(o.value[cell], 'f', -1, 64))
			o.isValue(where, cell, 0)
			continue
		}
		shown := decimals(100*o.value[cell]/o.value[whole], 1)
		c.shows = append(c.shows, strconv.FormatFloat(shown, 'f', 1, 64))
		o.isRatio(where, cell, whole, 100, shown, 0.05+1e-9)
	}
	k.chart = c
	k.extras = append(k.extras, func(f *excelize.File) error {
		from, to := k.where[c.cells[0]], k.where[c.cells[0]]
		for _, cell := range c.cells {
			if on := k.where[cell]; on.r < from.r || on.c < from.c {
				from = on
			} else if on.r > to.r || on.c > to.c {
				to = on
			}
		}
		a, _ := excelize.CoordinatesToCellName(from.c+1, from.r+1, true)
		b, _ := excelize.CoordinatesToCellName(to.c+1, to.r+1, true)
		return f.AddChart(at.s.name, "Z2", &excelize.Chart{Type: excelize.Col, Series: []excelize.ChartSeries{{Name: "x", Values: "'" + at.s.name + "'!" + a + ":" + b}}})
	})
}

var valuesOfChart = regexp.MustCompile(`(?s)<(?:c:)?val>.*</(?:c:)?val>`)

// remember gives the chart of a workbook the points that it shows.
func (c *drawnChart) remember(path string, k *kinds) error {
	return rewrite(path, "xl/charts/chart1.xml", func(xml string) string {
		var names, points strings.Builder
		n := len(c.cells)
		fmt.Fprintf(&names, `<c:ptCount val="%d"/>`, n)
		fmt.Fprintf(&points, `<c:ptCount val="%d"/>`, n)
		order := make([]int, n) // as the cells stand
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int {
			a, b := k.where[c.cells[i]], k.where[c.cells[j]]
			return 1000*(a.r-b.r) + a.c - b.c
		})
		first := k.where[c.cells[order[0]]]
		for _, i := range order {
			on := k.where[c.cells[i]]
			idx := max(on.r-first.r, on.c-first.c)
			fmt.Fprintf(&names, `<c:pt idx="%d"><c:v>%s</c:v></c:pt>`, idx, escaped(c.names[i]))
			fmt.Fprintf(&points, `<c:pt idx="%d"><c:v>%s</c:v></c:pt>`, idx, c.shows[i])
		}
		cat, val := `<c:cat><c:strLit>`+names.String()+`</c:strLit></c:cat>`, ""
		ref := regexp.MustCompile(`<(?:c:)?f>[^<]*</(?:c:)?f>`).FindString(valuesOfChart.FindString(xml))
		switch c.how {
		case 0:
			last := k.where[c.cells[order[n-1]]]
			size := max(last.r-first.r, last.c-first.c) + 1
			val = `<c:numRef>` + strings.NewReplacer("<f>", "<c:f>", "</f>", "</c:f>").Replace(ref) + `<c:numCache>` + strings.Replace(points.String(), fmt.Sprintf(`<c:ptCount val="%d"/>`, n), fmt.Sprintf(`<c:ptCount val="%d"/>`, size), 1) + `</c:numCache></c:numRef>`
			cat = ""
		case 1:
			val = `<c:numLit>` + points.String() + `</c:numLit>`
		case 2:
			val = `<c:numRef><c:f>[1]Source!$B$2:$B$99</c:f><c:numCache>` + points.String() + `</c:numCache></c:numRef>`
		case 3:
			val = `<c:numRef><c:f>#REF!</c:f><c:numCache>` + points.String() + `</c:numCache></c:numRef>`
		}
		xml = valuesOfChart.ReplaceAllLiteralString(xml, cat+`<c:val>`+val+`</c:val>`)
		if !strings.Contains(xml, "xmlns:c=") {
			xml = strings.Replace(xml, "<chartSpace ", `<chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" `, 1)
		}
		return xml
	})
}

var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace

// rewrite changes a part of a workbook.
func rewrite(path, part string, change func(string) string) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer z.Close()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return err
		}
		b, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if f.Name == part {
			b = []byte(change(string(b)))
		}
		p, err := w.Create(f.Name)
		if err == nil {
			_, err = p.Write(b)
		}
		if err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o600)
}

// pointsOf are the points of a chart by their places among those that were drawn, as far as they are there.
func (c *drawnChart) pointsOf(path string, k *kinds, all map[spot]string) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, f := range z.File {
		if f.Name != "xl/charts/chart1.xml" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		b, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		val := regexp.MustCompile(`(?s)<c:val>.*</c:val>`).FindString(string(b))
		first := k.where[c.cells[0]]
		for _, cell := range c.cells {
			if on := k.where[cell]; on.r < first.r || on.c < first.c {
				first = on
			}
		}
		for n, cell := range c.cells {
			on := k.where[cell]
			if m := regexp.MustCompile(fmt.Sprintf(`<c:pt idx="%d"><c:v>([^<]*)</c:v></c:pt>`, max(on.r-first.r, on.c-first.c))).FindStringSubmatch(val); m != nil {
				all[spot{"", fmt.Sprintf("chart %d", n)}] = m[1]
			}
		}
	}
	return nil
}
