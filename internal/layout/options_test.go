package layout

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/memtest"
)

// sheetOf makes a sheet of lines with fields between |.
func sheetOf(lines string) *Book {
	g := &Grid{Sheet: "1"}
	for _, line := range strings.Split(strings.Trim(lines, "\n"), "\n") {
		var row []Field
		for _, s := range strings.Split(line, "|") {
			_, ok := parseNumber(s)
			row = append(row, Field{Text: s, Number: ok})
		}
		g.Rows = append(g.Rows, row)
	}
	return &Book{File: File{Name: "x.xlsx", Format: "xlsx"}, Grids: []*Grid{g}}
}

// tree writes what adds up in a dimension: total=part+part.
func tree(d *Dimension) string {
	var all []string
	for _, c := range d.Codes {
		var parts []string
		for _, p := range d.Codes {
			if p.Parent != nil && *p.Parent == c.Code {
				name := p.Code
				if p.Memo {
					name = "(" + name + ")"
				}
				parts = append(parts, name)
			}
		}
		if len(parts) > 0 {
			all = append(all, c.Code+"="+strings.Join(parts, "+"))
		}
	}
	return strings.Join(all, " ")
}

func TestOptions(t *testing.T) {
	t.Parallel()
	yes := true
	for _, c := range []struct {
		name, sheet string
		o           Options
		want        string // trees of the dimensions, or the beginning of the error
	}{
		{"data as header", `
pupils by town
town|all|boys|girls
all|60|31|29
A|12|1|11
B|25|14|11
C|23|16|7
`, Options{HeaderRows: 3}, "--header-rows 3: A3: this row holds data"},
		{"flags and a unit in the first row", `
area|single|married|all
all|186|p564|p750
north|p180|2人|p182
middle|3|402|405
south|p3|160人|163
`, Options{}, "all=north+middle+south; all=single+married"},
		{"a header with empty rows", `
Persons by district, sex and age
District|2020||2023|
||||
|Male|Female|Male|Female
||||
Total|100|60|120|70
North|40|25|50|31
South|60|35|70|39
`, Options{}, "Total=North+South; ; "},
		{"plain", `
表１　地域，男女別人口
地域|総数|男|女
総数|100|40|60
東|70|30|40
西|30|10|20`, Options{}, "総数=東+西; 総数=男+女"},
		{"a total that misses in one place", `
表１　地域，男女別人口
地域|総数|男|女
総数|101|41|61
東|70|30|40
西|31|11|20
南|1|0|1`, Options{}, "x.xlsx: 地域: 総数 is the sum of its parts in 2 of 3 cases, not in 1!B3: 101, but its parts are 1 more"},
		{"a tolerance", `
地域|総数|男|女
総数|1001|400|601
東|700|300|400
西|300|100|200`, Options{Tolerance: "1"}, "総数=東+西; 総数=男+女"},
		{"no total", `
地域|総数|男|女
総数|130|50|80
東|70|30|40
西|30|10|20`, Options{NoTotal: []string{"地域"}}, "; 総数=男+女"},
		{"no total where the numbers have one", `
地域|総数|男|女
総数|100|40|60
東|70|30|40
西|30|10|20`, Options{NoTotal: []string{"地域"}}, "x.xlsx: --no-total 地域: 総数 is the sum of 東, 西 in all 3 cases"},
		{"no total of a dimension that there is none of", `
地域|総数|男|女
総数|100|40|60
東|70|30|40
西|30|10|20`, Options{NoTotal: []string{"地方"}}, "x.xlsx: --no-total 地方: no such dimension"},
		{"a range", `
地域|総数|男|女
総数|100|40|60
東|70|30|40
西|30|10|20
|
地域|総数|男|女
北|7|3|4
南|3|1|2`, Options{Range: "A1:D4"}, "総数=東+西; 総数=男+女"},
		{"columns computed from others", `
地域|総数|男|女|差
総数|100|40|60|20
東|70|30|40|10
西|30|10|20|10`, Options{Derived: []string{"E"}}, "総数=東+西; 総数=男+女"},
		{"columns computed from others, by their header", `
地域|総数|男|女|差
総数|100|40|60|20
東|70|30|40|10
西|30|10|20|10`, Options{Derived: []string{"差"}}, "総数=東+西; 総数=男+女"},
		{"numbers as labels", `
code|総数|男|女
1|100|40|60
2|70|30|40
5|30|10|20`, Options{LabelColumns: 1}, "1=2+5; 総数=男+女"},
		{"years as header without names", `
|2020|2021|2022
総数|2020|2041|2060
東|1070|1030|1040
西|950|1011|1020`, Options{HeaderRows: 1}, "総数=東+西; "},
		{"labels filled down", `
地域|男女|数|重複
東|男|30|3
|女|40|4
西|男|10|1
|女|20|2
計|男|40|4
|女|60|6`, Options{FillDown: &yes}, "計=東+西; ; "},
		{"two divisions of one total", `
区分|数|率外
総数|100|900
男|40|310
女|60|590
0～14歳|10|200
15～64歳|70|400
65歳以上|20|300`, Options{}, "総数=男+女+(0～14歳)+(15～64歳)+(65歳以上); "},
		{"an overlapping class", `
年齢|数|うち外国人
総数|1000|90
0～14歳|160|20
15～64歳|570|40
65歳以上|270|30
75歳以上|140|11`, Options{}, "総数=0～14歳+15～64歳+65歳以上+(75歳以上); 数=(外国人)"},
		{"rounded parts", `
年齢|面積|林|畑
総数|100.1|40.1|60.1
東|70.0|30.0|40.0
西|30.0|10.0|20.0`, Options{}, "総数=東+西; 面積=林+畑"},
		{"a single column", `
地域|人口
総数|1234
東|834
西|400`, Options{}, "総数=東+西"},
		{"a value that is no number", `
地域|総数|男|女
総数|100|40|60
東|70|30|40
西|30|??|20`, Options{}, "総数=東+西; 総数=男+女"},
		{"a total of the rows before or behind it", `
区分|数|別
東|4|40
西|6|60
計|10|100
南|7|70
北|3|30`, Options{}, "x.xlsx: 行: 計 is the sum of the rows before it and of those behind it: totals stand first"},
		{"counts that number the columns", `
地域|男|女|総数
東|1|2|3
西|4|5|9
総数|5|7|12`, Options{}, "総数=東+西; 総数=男+女"},
		{"none", "a|b\nc|d", Options{}, "x.xlsx: no table found"},
		{"the sheet of a range", "地域|男|女|総数\n東|1|2|3\n西|4|5|9\n総数|5|7|12", Options{Range: "'1'!A1:D4"}, "総数=東+西; 総数=男+女"},
		{"a range on another sheet", "地域|男|女|総数\n東|1|2|3\n西|4|5|9\n総数|5|7|12", Options{Sheet: "1", Range: "2!A1:D4"}, `range "2!A1:D4": want one on the sheet 1`},
		{"no such sheet", "a|b\nc|1", Options{Sheet: "2"}, "x.xlsx: 2: no such sheet"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := find(sheetOf(c.sheet), c.o)
			if err != nil {
				if !strings.HasPrefix(err.Error(), c.want) || c.want == "" {
					t.Fatal(err)
				}
				return
			}
			var trees []string
			for k := range r.Tables[0].Dimensions {
				trees = append(trees, tree(&r.Tables[0].Dimensions[k]))
			}
			if got := strings.Join(trees, "; "); got != c.want {
				t.Errorf("%s, want %s\n%+v", got, c.want, r.Tables[0].Dimensions)
			}
		})
	}
}

// TestNextYear reads a file with more rows by the layout of the year before, corrected by hand.
func TestNextYear(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf(`
表１　地域，男女別人口
|総数|男|女
総数|100|40|60
東|70|30|40
西|30|10|20`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Layout.Blocks[0].Dimensions[0].Name = "市町村"
	r.Layout.Blocks[0].Dimensions[0].Parents = map[string]string{"東": "総数", "西": "総数", "南": "総数"}
	next := sheetOf(`
表１　地域，男女別人口
|総数|男|女
総数|103|41|62
東|70|30|40
西|30|10|20
南|3|1|2
注　なし`)
	next.Grids[0].Sheet = "R6"
	if r, err = find(next, Options{From: r.Layout}); err != nil {
		t.Fatal(err)
	}
	d := &r.Tables[0].Dimensions[0]
	if d.Name != "市町村" || tree(d) != "総数=東+西+南" || len(r.Tables[0].Cells) != 12 || len(r.Tables[0].Notes) != 2 {
		t.Errorf("%s: %s, %d cells, notes %v", d.Name, tree(d), len(r.Tables[0].Cells), r.Tables[0].Notes)
	}
	var wrong *AmbiguityError
	r.Layout.Blocks[0].Range = "B"
	if _, err := find(next, Options{From: r.Layout}); err == nil || errors.As(err, &wrong) {
		t.Errorf("%v, want a word on the range", err)
	}
}

// large is a sheet of towns with the totals of their provinces and of all.
func large(towns int) *Book {
	var s strings.Builder
	s.WriteString("Code|Name|Total|0-14|15-64|65+\n")
	const columns = 3
	var all [columns]int
	rows := []string{}
	line := func(code, name string, v [columns]int) {
		rows = append(rows, fmt.Sprintf("%s|%s|%d|%d|%d|%d", code, name, v[0]+v[1]+v[2], v[0], v[1], v[2]))
	}
	seed := uint64(1)
	for p := 0; p*50 < towns; p++ {
		var sum [columns]int
		at := len(rows)
		rows = append(rows, "")
		for i := range 50 {
			var v [columns]int
			for k := range v {
				seed = seed*6364136223846793005 + 1442695040888963407
				v[k] = int(seed >> 40 % 3000)
				sum[k] += v[k]
				all[k] += v[k]
			}
			line(fmt.Sprintf("P%03d%02d", p, i), fmt.Sprintf("Town %d of %d", i, p), v)
		}
		head := rows[:len(rows):len(rows)]
		line(fmt.Sprintf("P%03d", p), fmt.Sprintf("Province %d", p), sum)
		head[at] = rows[len(rows)-1]
		rows = head
	}
	line("P", "All provinces", all)
	rows = slices.Insert(rows[:len(rows)-1:len(rows)-1], 0, rows[len(rows)-1])
	s.WriteString(strings.Join(rows, "\n"))
	return sheetOf(s.String())
}

// TestLarge asks that time and memory grow with the rows: the towns of a country are read in
// seconds. It measures memory and so runs alone.
func TestLarge(t *testing.T) {
	for _, c := range []struct {
		towns int
		coded bool
	}{{500, true}, {5000, true}, {5000, false}} {
		towns := c.towns
		b := large(towns)
		if !c.coded {
			for r := range b.Grids[0].Rows {
				b.Grids[0].Rows[r] = b.Grids[0].Rows[r][1:]
			}
		}
		start := time.Now()
		var r *Reading
		var err error
		n := memtest.Allocated(func() { r, err = find(b, Options{}) })
		if err != nil {
			t.Fatal(err)
		}
		cells := len(r.Tables[0].Cells)
		parents := 0
		for _, c := range r.Tables[0].Dimensions[0].Codes {
			if c.Parent != nil {
				parents++
			}
		}
		if want := len(r.Tables[0].Dimensions[0].Codes) - 1; parents != want {
			t.Errorf("%d codes have a parent, want %d", parents, want)
		}
		if per := n / int64(cells); per > 6000 {
			t.Errorf("%d bytes a cell", per)
		}
		t.Logf("%d towns: %v, %d bytes a cell", towns, time.Since(start).Round(time.Millisecond), n/int64(cells))
	}
}

// FuzzFind asks that no sheet and no text brings the reader down or makes it read what is not
// there.
func FuzzFind(f *testing.F) {
	for _, s := range []string{
		"表１\n地域|総数|男\n総数|3|1\n東|2|1\n西|1|-", "a|b|c\n|2020|2021\nTotal|1|2\nx|1|x\ny|-|2", "1|2|3\n4|5|6",
		"Item|A|B\nAll farms:\n  farms|1|2\n  acres|3|4\nDairy:\n  farms|1|1\n  acres|2|3", "|T|||U||\n|a|b|c|a|b|c\nx|1|2|3|4|5|6\ny|1|2|3|4|5|6",
	} {
		f.Add(s, uint8(0), uint16(0x0102))
		f.Add(s, uint8(1), uint16(0))
	}
	f.Fuzz(func(t *testing.T, s string, how uint8, merge uint16) {
		if len(s) > 4000 {
			return
		}
		b := sheetOf(s)
		g := b.Grids[0]
		if how&1 == 1 {
			b.File.Separator = "|"
			g.Sheet = ""
			for r := range g.Rows {
				g.Lines = append(g.Lines, r+1)
				for c := range g.Rows[r] {
					g.Rows[r][c].Number = false
				}
			}
		} else if merge != 0 {
			top, left := int(merge>>12), int(merge>>8&15)
			g.Merged = []Rect{{top, left, top + int(merge>>4&15), left + int(merge&15)}}
		}
		r, err := find(b, Options{HeaderRows: int(how >> 6), LabelColumns: int(how >> 4 & 3)})
		if err != nil {
			return
		}
		for _, table := range r.Tables {
			seen := map[string]bool{}
			for _, c := range table.Cells {
				if len(c.Codes) != len(table.Dimensions) {
					t.Fatalf("%s: %d codes of %d dimensions", c.Ref, len(c.Codes), len(table.Dimensions))
				}
				if k := strings.Join(c.Codes, "\x00"); seen[k] {
					t.Fatalf("%v twice", c.Codes)
				} else {
					seen[k] = true
				}
			}
			for _, d := range table.Dimensions {
				names := map[string]bool{}
				for _, c := range d.Codes {
					if names[c.Code] {
						t.Fatalf("code %q twice in %q", c.Code, d.Name)
					}
					names[c.Code] = true
				}
				for _, c := range d.Codes {
					if c.Parent != nil && !names[*c.Parent] {
						t.Fatalf("no code %q", *c.Parent)
					}
				}
			}
		}
		if again, err := find(b, Options{From: r.Layout}); err == nil && len(again.Tables) > len(r.Tables) {
			t.Fatalf("%d tables by the layout of %d", len(again.Tables), len(r.Tables))
		}
	})
}
