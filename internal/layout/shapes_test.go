package layout

import (
	"fmt"
	"strings"
	"testing"
)

// TestShapes reads shapes that offices use, seen in their files: what is a dimension, what adds
// up, how many cells there are.
func TestShapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, sheet, want string }{
		{"labels over two rows of the header", `
地区|総数|個人|会社|会社以外|法人で
||||の法人|ない団体
総数|100|20|30|25|25
東|60|10|20|15|15
西|40|10|10|10|10`, "地区 総数=東+西; 列 総数=個人+会社+会社以外の法人+法人でない団体; 15 cells"},
		{"two dimensions in the codes of columns", `
Population étrangère par sexe et âge en 2021
Code géographique|Libellé géographique|Ensemble Tous âges|Ensemble 0-14 ans|Ensemble 15 ans ou plus|Hommes Tous âges|Hommes 0-14 ans|Hommes 15 ans ou plus|Femmes Tous âges|Femmes 0-14 ans|Femmes 15 ans ou plus
CODGEO|LIBGEO|P21_POP|P21_0014|P21_15P|P21_HPOP|P21_H0014|P21_H15P|P21_FPOP|P21_F0014|P21_F15P
01004|Amb|100|30|70|60|20|40|40|10|30
01005|Bmb|200|60|140|120|40|80|80|20|60
01006|Cmb|50|20|30|30|15|15|20|5|15`, "CODGEO ; Sexe P=H+F; Âge POP=0014+15P; 27 cells"},
		{"a first row of marks", `
地域|未婚|有配偶|総数
北浜市|-|・|-
松原市|9|3|12
計|9|3|12`, "地域 計=北浜市+松原市; 列 総数=未婚+有配偶; 9 cells"},
		{"a first row with units", `
Statut|Total|Aubigny|Belmont|Clay
Célibataires|96 pers.|40 pers.|39 pers.|17 pers.
Mariés|50|21|3|26
Ensemble|146|61|42|43`, "Statut Ensemble=Célibataires+Mariés; Column Total=Aubigny+Belmont+Clay; 12 cells"},
		{"units that count and are in sums", `
Ort|ledig|verwitwet|Insgesamt
Altdorf|34|1 Pers.|35
Bergen|18|2 Pers.|20
Insgesamt|52|3 Pers.|55`, "Ort Insgesamt=Altdorf+Bergen; Column Insgesamt=ledig+verwitwet; 9 cells"},
		{"labels again at the right", `
地区|総数|男|女|地区
総数|100|40|60|総数
東|70|30|40|東
西|30|10|20|西`, "地区 総数=東+西; 列 総数=男+女; 9 cells"},
		{"rows in two halves", `
都道府県|総数|男|女|都道府県|総数|男|女
北海道|100|40|60|京都府|70|30|40
青森県|50|20|30|大阪府|90|40|50
岩手県|40|20|20|兵庫県|60|20|40`, "都道府県 ; 列 総数=男+女; 18 cells"},
		{"panels", `
表５　男女，地域別人口
地域|総数|未婚|既婚
||総数|
総数|100|40|60
東|70|30|40
西|30|10|20
||男|
総数|60|20|40
東|40|15|25
西|20|5|15
||女|
総数|40|20|20
東|30|15|15
西|10|5|5`, "男女 総数=男+女; 地域 総数=東+西; 列 総数=未婚+既婚; 27 cells"},
		{"years behind other labels", `
Country|Year|Births|Deaths
Norland|2011|1310|2530
Osland|2012|840|1260
Westland|2012|2610|1970
Eastland|2014|920|830`, "Country ; Year ; Measure ; 8 cells"},
		{"a class with a letter among its words", `
Year|People||||
|Total|0-14|15-24|25-59|60 e mais
2001|313|117|61|118|17
2002|649|183|111|312|43
2003|579|203|134|212|30`, "Year ; Column Total=0-14+15-24+25-59+60 e mais; 15 cells"},
		{"a class over two rows of the header", `
Area|Total|0 - 14|15 - 24|25 - 34|35 - 44|45 - 59|60  y
|||||||más
North|313|117|61|50|48|20|17
South|649|183|111|112|100|100|43
All|962|300|172|162|148|120|60`, "Area All=North+South; Column Total=0 - 14+15 - 24+25 - 34+35 - 44+45 - 59+60 y más; 21 cells"},
		{"a heading that comes again below each other one", `
Deaths by age
Age|2019|2020
Persons
by age group
under 50|58|56
50 or more|218|287
Males
by age group
under 50|32|33
50 or more|143|199
Females
by age group
under 50|26|23
50 or more|75|88`, "Row Persons=Males+Females; Age ; Year ; 12 cells"},
		{"years below each other", `
年次|総数|農業|工業
平成30年|100|40|60
令和元年|70|30|40
令和2年|30|10|20`, "年次 ; 列 総数=農業+工業; 9 cells"},
		{"months and their year", `
地域|令和2年|１月|２月|３月|４月|５月|６月
総数|153|41|12|30|25|33|12
東|92|20|5|21|15|22|9
西|61|21|7|9|10|11|3`, "地域 総数=東+西; 列 令和2年=１月+２月+３月+４月+５月+６月; 21 cells"},
		{"years, and months of the last", `
年月|総数|男|女
平成30年|203|100|103
令和元年|199|90|109
１月|41|20|21
２月|62|31|31
３月|96|39|57`, "年月 令和元年=１月+２月+３月; 列 総数=男+女; 15 cells"},
		{"codes beside totals of the same name", `
コード|地域|総数|男|女
|北部|||
100|北浜市|349|110|239
101|松原市|199|157|42
102|合せ|548|267|281
|南部|||
103|南川市|150|149|1
104|西谷町|271|248|23
105|合せ|421|397|24
106|総数|969|664|305`, "地域 102=100+101 105=103+104 106=102+105; 列 総数=男+女; 21 cells"},
		{"a total between its parts", `
Area|Total|Male|Female
North|36|21|15
Adair|22|11|11
Boone|14|10|4
State|87|45|42
South|51|24|27
Clay|12|8|4
Dover|39|16|23`, "Area North=Adair+Boone State=North+South South=Clay+Dover; Column Total=Male+Female; 21 cells"},
		{"a unit behind numbers with apostrophes", `
Commune|Ensemble|Célibataires|Mariés
Ensemble|12’494 pers.|6’113|6’381
Aubigny|4’834 pers.|2’095|2’739
Belmont|3’551 pers.|1’623|1’928
Dompierre|4’109 pers.|2’395|1’714`, "Commune Ensemble=Aubigny+Belmont+Dompierre; Column Ensemble=Célibataires+Mariés; 12 cells"},
		{"zeros at the end of a group", `
Area|Total|Single|Married
Total|3,054|1,258|1,796
East|976|27|949
Adair|527|2|525
Boone|449|25|424
Clay|-|-|-
West|2,078|1,231|847
Dover|816|816|-
Elk|1,262|415|847`, "Area Total=East+West East=Adair+Boone+Clay West=Dover+Elk; Column Total=Single+Married; 24 cells"},
		{"a group that is its only part, told by indentation", `
Area|Total|Single|Married
Total|2,618|1,277|1,341
  East|105|9|96
    Adair|105|9|96
    Boone|0|0|0
  West|2,513|1,268|1,245
    Clay|1,269|859|410
    Dover|1,244|409|835`, "Area Total=East+West East=Adair+Boone West=Clay+Dover; Column Total=Single+Married; 21 cells"},
		{"a group that is its only part, told by a column", `
Area|Area|Total|Single|Married
Total||2,618|1,277|1,341
East|Total|105|9|96
|Adair|105|9|96
|Boone|0|0|0
West|Total|2,513|1,268|1,245
|Clay|1,269|859|410
|Dover|1,244|409|835`, "Area Total=East+West East=Adair+Boone West=Clay+Dover; Column Total=Single+Married; 21 cells"},
		{"zeros between two groups, closer to the first by the ends of their names", `
地区|総数|男|女
総数|2970|1559|1411
東部|2150|948|1202
西部|820|611|209
北市|494|1|493
南市|1054|378|676
松市|602|569|33
竹市|0|0|0
梅町|740|610|130
桜町|80|1|79`, "地区 総数=東部+西部 東部=北市+南市+松市+竹市 西部=梅町+桜町; 列 総数=男+女; 27 cells"},
		{"a ratio of two columns", `
産業|令和3年|令和4年|対前年比（％）
総数|100|110|110.0
農業|40|44|110.0
工業|60|66|110.0`, "産業 総数=農業+工業; 年次 ; 6 cells"},
		{"eras and years in rows of their own", `
区分|平成|平成|令和|令和|
|29年|30年|元年|2年|
|(2017)|(2018)|(2019)|(2020)|増減数
合計|10|12|14|16|2
自転車|4|5|6|7|1
歩行中|6|7|8|9|1`, "行 合計=自転車+歩行中; 年次 ; 12 cells"},
		{"labels written upright", `
年齢|状態|人数|前年
|歩行|2|1
9|車|5|2
歳以|その他|1|3
下|計|8|6
|歩行|3|4
10|車|4|5
歳以|その他|2|6
上|計|9|15`, "年齢 ; 状態 計=歩行+車+その他; 列 ; 16 cells"},
		{"counts that could be years", `
Region|New jobs
North East|2064
North West|7047
South|1970`, "Region ; 3 cells"},
		{"names of the labels below the header of the values", `
Sense|||0 to 6|7 to 10
Sex|Age|Level||
Male|15 - 24|None|12|37
|25 - 44|Some|30|190
Female|15 - 24|None|9|11
|25 - 44|Some|7|13`, "Sex ; Age ; Column ; 8 cells"},
		{"two measures in two years", `
産業|事業所数||従業者数|
|2021年|2022年|2021年|2022年
総数|10|11|100|110
農業|4|4|40|44
工業|6|7|60|66`, "産業 総数=農業+工業; 表章項目 ; 年次 ; 12 cells"},
		{"negative numbers", `
区分|合計|東|西
合計|10|15|△5
収入|30|20|10
支出|△20|△5|△15`, "行 合計=収入+支出; 列 合計=東+西; 9 cells"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := find(sheetOf(c.sheet), Options{})
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			cells := 0
			for _, of := range r.Tables {
				for k := range of.Dimensions {
					all = append(all, of.Dimensions[k].Name+" "+tree(&of.Dimensions[k]))
				}
				cells += len(of.Cells)
			}
			if got := strings.Join(append(all, fmt.Sprint(cells, " cells")), "; "); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestJoinedYears: a column of years is one of labels where one field heads it together with the labels before it.
func TestJoinedYears(t *testing.T) {
	t.Parallel()
	b := sheetOf("Period||Births|\n||All|Male\nReign 47|1958|413|210\nReign 48|1959|423|215\nReign 49|1960|422|212")
	b.Grids[0].Merged = append(b.Grids[0].Merged, Rect{0, 0, 1, 1})
	r, err := find(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Tables[0].Cells); n != 6 {
		t.Errorf("%d cells, want 6", n)
	}
}
