package layout

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// forestOf writes what adds up in the dimensions of a table, and what is told again.
func forestOf(t *Table) string {
	var all []string
	for _, d := range t.Dimensions {
		var parts []string
		for _, c := range d.Codes {
			s := c.Code
			if c.Parent != nil {
				s += "<" + *c.Parent
			}
			if c.Memo {
				s += "*"
			}
			parts = append(parts, s)
		}
		all = append(all, d.Name+": "+strings.Join(parts, " "))
	}
	return strings.Join(all, "\n")
}

// Labels stand in as many columns as they are deep, a subtotal in the column of its parts; what
// stands behind it is a part told again.
func TestStairs(t *testing.T) {
	t.Parallel()
	r := openWords(t, `表7　当事者別件数
,,,,年,平成,令和,令和
当事者,,,,,30年,元年,2年
車両,四輪,自家用,乗用,,41,40,50
,,,貨物,,21,20,10
,,,小計,,62,60,60
,,,,牽引車,8,7,9
,,事業用,乗用,,6,5,6
,,,貨物,,16,15,14
,,,小計,,22,20,20
,,小計,,,84,80,80
,二輪,,,,12,11,13
,小計,,,,96,91,93
歩行者,,,,,7,9,8
合計,,,,,103,100,101
`, Options{})
	if len(r.Tables) != 1 {
		t.Fatalf("%d tables: %s", len(r.Tables), lines(r.Words(), "\n"))
	}
	want := `当事者: 自家用 乗用<自家用 自家用 貨物<自家用 自家用<四輪 牽引車<自家用* 事業用 乗用<事業用 事業用 貨物<事業用 事業用<四輪 四輪<車両 二輪<車両 車両<合計 歩行者<合計 合計
年: 平成30年 令和元年 令和2年`
	if got := forestOf(r.Tables[0]); got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}

// Where the same stairs stand below each label of the first column, it is a dimension of its own.
func TestStairsCross(t *testing.T) {
	t.Parallel()
	r := openWords(t, `地形・形状,,,,元年,2年
市街地,交差点,内,信号有,25,31
,,,信号無,20,21
,,,小計,45,52
,,付近,,14,13
,,小計,,59,65
,単路,,,36,29
,小計,,,95,94
その他,交差点,内,信号有,7,6
,,,信号無,15,13
,,,小計,22,19
,,付近,,5,6
,,小計,,27,25
,単路,,,54,50
,小計,,,81,75
合計,交差点,内,信号有,32,37
,,,信号無,35,34
,,,小計,67,71
,,付近,,19,19
,,小計,,86,90
,単路,,,90,79
,計,,,176,169
`, Options{})
	if len(r.Tables) != 1 {
		t.Fatalf("%d tables: %s", len(r.Tables), lines(r.Words(), "\n"))
	}
	want := `地形・形状: 市街地<合計 その他<合計 合計
行: 信号有<内 信号無<内 内<交差点 付近<交差点 交差点<計 単路<計 計
列: 元年 2年`
	if got := forestOf(r.Tables[0]); got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}

// Labels stand in the middle of their groups, above columns and beside rows.
func TestCentred(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"rows", `昼夜・年齢,,元年,2年,3年
,若年,12,14,19
昼間,中年,30,31,27
,高年,22,20,18
,合計,64,65,64
,若年,5,6,8
,中年,9,7,5
夜間,高年,11,15,16
,合計,25,28,29
`, "昼夜・年齢: 昼間 夜間\n行: 若年<合計 中年<合計 高年<合計 合計\n列: 元年 2年 3年"},
		{"columns", `月,,男,,,女,
,総数,昼,夜,総数,昼,夜
１月,12,7,5,9,6,3
２月,14,6,8,20,11,9
３月,23,20,3,15,7,8
合計,49,33,16,44,24,20
`, "月: １月<合計 ２月<合計 ３月<合計 合計\n列: 男 女\n列 2: 総数 昼<総数 夜<総数"},
		{"letters from top to bottom", `地方,,件数,人数
北,札幌,31,40
海,函館,12,11
道,旭川,7,9
,計,50,60
東,青森,14,15
,岩手,10,13
北,宮城,25,29
,計,49,57
東,京,90,99
関,茨城,33,30
,栃木,24,21
東,群馬,40,41
,計,97,92
合,計,286,308
`, "地方: 札幌<北海道 函館<北海道 旭川<北海道 北海道<合計 青森<東北 岩手<東北 宮城<東北 東北<合計 東京<合計 茨城<関東 栃木<関東 群馬<関東 関東<合計 合計\n表章項目: 件数 人数"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := openWords(t, c.text, Options{})
			if len(r.Tables) != 1 {
				t.Fatalf("%d tables: %s", len(r.Tables), lines(r.Words(), "\n"))
			}
			if got := forestOf(r.Tables[0]); got != c.want {
				t.Errorf("read\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A total is none of parts that stand in the table as zeros, whatever other codes have no cell.
func TestAbsentPartsAreZero(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader(`昼夜,明るさ,元年,2年,3年
昼間,総数,90,60,59
,明,0,21,17
,昼,0,39,42
夜間,総数,70,50,61
,明,0,23,20
,夜,0,27,41
`), "t.csv", "", "", Options{})
	var open *AmbiguityError
	if !errors.As(err, &open) || !strings.Contains(open.Question.String(), "総数") || !slices.Contains(open.Options, "--no-total 明るさ") {
		t.Errorf("%v: %v", s, err)
	}
}

// A table that is open to several readings is left aside with the flags that decide, the others are
// read; what is to be protected must be chosen then.
func TestOpenBesideOthers(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader(`表１　店舗数
地区,総数,大,小
総数,60,20,40
東,25,9,16
西,35,11,24

表２　従業者数
業種,総数,男,女
総数,152,82,71
製造,70,43,27
商業,50,22,28
建設,32,17,15
`), "t.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	words := lines(s.Reading.Words(), "\n")
	if len(s.Reading.Tables) != 1 || !strings.Contains(words, "--no-total") {
		t.Errorf("%d tables\n%s", len(s.Reading.Tables), words)
	}
	if _, err := s.Input(formats.Options{}); err == nil || !strings.Contains(err.Error(), "(--range A2:D5)") {
		t.Errorf("protecting: %v", err)
	}
}

// Rows without a label beside rows that have one are their total where the sums say so, and open
// where none does.
func TestUnlabelled(t *testing.T) {
	t.Parallel()
	const text = `Area,Kind,2021,2022
,young,14,19
,old,11,12
East,young,8,10
,old,6,5
West,young,6,9
,old,5,7
`
	_, err := Open(strings.NewReader(strings.NewReplacer("14,19", "41,28", "11,12", "23,16").Replace(text)), "t.csv", "", "", Options{})
	var open *AmbiguityError
	if !errors.As(err, &open) || !slices.Contains(open.Options, "--no-total Area") {
		t.Errorf("%v", err)
	}
	r := openWords(t, text, Options{})
	if got, want := forestOf(r.Tables[0]), "Area: Total East<Total West<Total\nKind: young old\nYear: 2021 2022"; got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}

// TestUnlabelledFractions: a column without a label beside one that alone has fractions can be one more code, and that one a measure of its own.
func TestUnlabelledFractions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Area,,2020,Effect\nAll,9,12,10.5\nAdair,5,8,6.5\nBoone,4,4,4.0\n": true,
		"Area,,2020,Other\nAll,9,12,10\nAdair,5,8,6\nBoone,4,4,4\n":        false,
	} {
		_, err := Open(strings.NewReader(text), "t.csv", "", "", Options{})
		if err == nil || strings.Contains(err.Error(), "(--no-total Column --derived Effect)") != want {
			t.Errorf("%v", err)
		}
	}
}

// TestLabelAboveOthers: a column with a label in the upper row of the header alone may be of a measure of its own, which the question names by its letter.
func TestLabelAboveOthers(t *testing.T) {
	t.Parallel()
	_, err := find(sheetOf("Area|2020||2021||Land\n|Men|Women|Men|Women\nAdair|5|8|6|9|310\nBoone|4|4|7|3|97\nAll|9|12|13|12|407"), Options{})
	var open *AmbiguityError
	if !errors.As(err, &open) || !slices.Contains(open.Options, "--derived F") {
		t.Fatal(err)
	}
	if _, err := find(sheetOf("Area|2020||2021||Land\n|Men|Women|Men|Women\nAdair|5|8|6|9|310\nBoone|4|4|7|3|97\nAll|9|12|13|12|407"), Options{Derived: []string{"F"}}); err != nil {
		t.Error(err)
	}
}
