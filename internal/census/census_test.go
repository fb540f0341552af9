package census

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/must"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// Categories of ages as offices write them.
func TestYears(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]int{
		"30～34歳": {30, 34}, "３０〜３４歳": {30, 34}, "30-34": {30, 34}, "30–34 years": {30, 34}, "Age 30 to 34": {30, 34}, "30歳": {30, 30}, "30": {30, 30}, "０歳": {0, 0},
		"85歳以上": {85, oldest}, "85+": {85, oldest}, "100 years and over": {100, oldest}, "85 and over": {85, oldest}, "Under 5 years": {0, 4}, "15歳未満": {0, 14}, "5 years": {5, 5},
	} {
		low, high, ok := years(text)
		if !ok || [2]int{low, high} != want {
			t.Errorf("%s: %d to %d, %v; want %v", text, low, high, ok, want)
		}
	}
	for _, text := range []string{"総数", "Total", "不詳", "34-30", "Under 0", "1000", "30 to", ""} {
		if low, high, ok := years(text); ok {
			t.Errorf("%s: %d to %d", text, low, high)
		}
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	ages := Variable{Codes: []string{"0", "1", "2", "3"}, Labels: []string{"総数", "15～64歳", "30～34歳", "85歳以上"}}
	regions := Variable{Codes: []string{"00000", "13000", "13101", "01100"}, Labels: []string{"全国", "東京都", "千代田区", "札幌市"}}
	on := time.Date(2025, 10, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		v     Variable
		tag   Tag
		value string
		want  int
	}{
		{ages, Age, "34", 2}, {ages, Age, "35", 1}, {ages, Age, "90", 3}, {ages, Age, "70", -1}, {ages, Age, "x", -1}, {ages, Age, "-3", -1}, {ages, Age, "34歳", 2},
		{ages, Date, "1995-10-01", 2}, {ages, Date, "1995/10/2", 1}, {ages, Date, "19900930", 1}, {ages, Date, "1990-10-02", 2}, {ages, Date, "2030-01-01", -1}, {ages, Date, "?", -1},
		{ages, Exact, "30～34歳", 2}, {ages, Exact, "2", 2}, {ages, Exact, "34", -1},
		{regions, Region, "13", 1}, {regions, Region, "13000", 1}, {regions, Region, "130001", 1}, {regions, Region, "東京都", 1}, {regions, Region, "13101 千代田区", 2}, {regions, Region, "１３１０１", 2}, {regions, Region, "011002", 3}, {regions, Region, "47", -1},
	} {
		if got := NewMatcher(c.v, c.tag, on).Match(c.value); got != c.want {
			t.Errorf("%s as %s: category %d, want %d", c.value, c.tag, got, c.want)
		}
	}
}

const estat = `"統計名：","国勢調査"
"表番号：","1-1"

"時間軸コード","時間軸","男女","地域コード","地域","年齢","value"
"2020","2020年","総数","13000","東京都","30～34歳","1,000"
"2020","2020年","男","13000","東京都","30～34歳","510"
"2020","2020年","女","13000","東京都","30～34歳","490"
"2020","2020年","男","13000","東京都","85歳以上","-"
"2020","2020年","女","13000","東京都","85歳以上","***"
`

func TestReadCSV(t *testing.T) {
	t.Parallel()
	path := write(t, "e.csv", "\ufeff"+estat)
	x, err := Read(path, Wanted{Names: []string{"地域", "男女", "年齢"}})
	if err != nil || len(x.Cells) != 4 || x.Cells[1].N != 510 || x.Cells[3].N != 0 || x.Unknown != 1 || x.Variables[2].Labels[1] != "85歳以上" {
		t.Errorf("%+v, %v", x, err)
	}
	if x, err = Read(path, Wanted{Names: []string{"年齢"}, Select: map[string]string{"男女": "総数"}}); err != nil || len(x.Cells) != 1 || x.Cells[0].N != 1000 {
		t.Errorf("%+v, %v", x, err)
	}
	for name, w := range map[string]Wanted{
		"no column":   {Names: []string{"sex"}},
		"two numbers": {Names: []string{"年齢"}},
		"no select":   {Names: []string{"年齢"}, Select: map[string]string{"x": "y"}},
		"no number":   {Names: []string{"年齢"}, Count: "男女"},
	} {
		if _, err := Read(path, w); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := Read(write(t, "f.csv", "a,value\nx,1,2\n"), Wanted{Names: []string{"a"}}); err == nil {
		t.Error("no error about a wrong number of fields")
	}
	if _, err := Read("none.csv", Wanted{}); err == nil {
		t.Error("no error about no file")
	}
}

const cube = `CHARSET="ANSI";
AXIS-VERSION="2013";
CODEPAGE="utf-8";
LANGUAGE="en";
DECIMALS=0;
MATRIX="P";
SUBJECT-AREA="";
SUBJECT-CODE="";
TITLE="population";
CONTENTS="population";
UNITS="persons";
STUB="region","sex";
HEADING="age";
VALUES("region")="Tokyo","Osaka";
CODES("region")="13","27";
VALUES("sex")="Both sexes","Men","Women";
CODES("sex")="0","1","2";
VALUES("age")="30-34","35+";
CODES("age")="a","b";
DATA=
10 20
4 9
6 11
30 ".."
1 2
3 "-"
;
`

func TestReadPX(t *testing.T) {
	t.Parallel()
	path := write(t, "p.px", cube)
	x, err := Read(path, Wanted{Names: []string{"age", "region"}})
	if err != nil || len(x.Cells) != 3 || x.Unknown != 1 || x.Cells[1].N != 20 || x.Variables[1].Labels[x.Cells[2].At[1]] != "Osaka" {
		t.Errorf("%+v, %v", x, err)
	}
	if x, err = Read(path, Wanted{Names: []string{"age", "region"}, Select: map[string]string{"sex": "2"}}); err != nil || len(x.Cells) != 4 || x.Cells[0].N != 6 || x.Cells[3].N != 0 {
		t.Errorf("%+v, %v", x, err)
	}
	if _, err := Read(path, Wanted{Names: []string{"age", "sex"}}); err == nil {
		t.Error("no error about a variable without a choice")
	}
	if _, err := Read(path, Wanted{Names: []string{"zip"}}); err == nil {
		t.Error("no error about a variable that is not there")
	}
	if _, err := Read(path, Wanted{Names: []string{"age", "region"}, Select: map[string]string{"sex": "9"}}); err == nil {
		t.Error("no error about a category that is not there")
	}
}
