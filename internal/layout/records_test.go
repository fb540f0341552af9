package layout

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestRecords: in a list of named columns, labels stand wherever they are needed to tell the rows apart, and numbers behind labels that repeat are no table of their own.
func TestRecords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"labels between numbers", "Election,Day,Entitled,Voters,Kind,Valid,Invalid\nCity,2019-05-26,907,651,first,640,11\nCity,2021-09-26,951,712,second,701,11\nLand,2022-10-09,930,555,second,540,15\nLand,2023-10-08,955,570,first,561,9\n",
			"Day Column: 16 cells, none unknown"},
		{"needed behind the numbers", "Area,Men,Women,Quarter\nNorth,17,2,spring\nNorth,11,14,autumn\nSouth,5,4,spring\nSouth,7,17,autumn\n",
			"Area Quarter Column: 8 cells, none unknown"},
		{"codes far from the left", "kind,day,level,code,country,area_code,area,n\nCalendar,2018,Area,E92,England,330,Ely,3962\nCalendar,2018,Area,E92,England,331,Fen,8123\nCalendar,2019,Area,E92,England,203,Ware,7001\n",
			"day area: 3 cells, none unknown"},
		{"row numbers without a name", ",Year,Kind,Deaths,Births\n2,1990,Car,11500,83971\n6,1991,Car,12656,85583\n10,1992,Car,13101,87160\n7,1993,Car,14102,88105\n",
			"Year Kind Measure: 8 cells, none unknown"},
		{"parts of dates", "start,end,days,year,month,week,deaths\n2019-12-30,2020-01-05,7,2020,1,1,640\n2020-01-06,2020-01-12,7,2020,1,2,701\n2020-01-27,2020-02-02,7,2020,2,5,540\n2020-02-03,2020-02-09,7,2020,2,6,611\n",
			"start: 4 cells, none unknown"},
		{"no parts of dates", "start,year,week,deaths\n2019-12-30,19,3,640\n2020-01-06,20,3,701\n2020-01-27,20,4,540\n2020-02-03,21,6,611\n",
			"start Column: 12 cells, none unknown"},
		{"tables beside each other", "Area,Men,Women,Age,All,Ill\nNorth,17,2,young,16,5\nSouth,11,11,old,23,9\nEast,5,4,very old,15,2\n", "Area Column: 6 cells, Age Column: 6 cells, none unknown"},
	} {
		s, err := Open(strings.NewReader(c.text), "f.csv", "", "", Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := ""
		for _, table := range s.Reading.Tables {
			for _, d := range table.Dimensions {
				got += d.Name + " "
			}
			got = fmt.Sprintf("%s: %d cells, ", strings.TrimSpace(got), len(table.Cells))
		}
		if n := len(s.Account(nil).Unknown); n > 0 {
			got += fmt.Sprint(n, " unknown")
		} else {
			got += "none unknown"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestDates: days with slashes are periods, of which none differs in kind from the others, and periods count nothing that others measure.
func TestDates(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Date,Flood,Storm\n30/12/2019,-4,7\n06/01/2020,12,3\n13/01/2020,5,1\n20/01/2020,15,-2\n27/01/2020,15,8\n",
		"Area,Population,May 2019\nA,310,30\nB,215,20\nC,722,41\nD,633,25\nE,578,33\nF,470,19\n",
	} {
		s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{})
		if err == nil {
			_, err = s.Input(formats.Options{})
		}
		if err != nil && strings.Contains(err.Error(), "--derived") || err != nil && strings.Contains(err.Error(), "may count") {
			t.Error(err)
		}
	}
}
