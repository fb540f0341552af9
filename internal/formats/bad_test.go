package formats

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

const (
	tidyOK = "R,C,value\nr,a,1\nr,b,2\nr,Total,3\n"
	jjOK   = "0\n3\n0 5 1 s 0 9 0 0 0\n1 2 1 u 0 9 1 1 3\n2 3 1 s 0 9 0 0 0\n1\n0 3 : 0 (-1) 1 (1) 2 (1)\n"
)

// Every message a reader can give, word for word. In want, $ stands for the
// directory of the files.
func TestBadInput(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, tc := range []struct {
		name, file, text string
		o                Options
		hierarchy        string // of dimension R, in h.hrc unless parents
		want             string
	}{
		// Files as a whole.
		{name: "empty file", text: "", want: "$t.csv: the file is empty, want a header line"},
		{name: "BOM only", text: "\ufeff", want: "$t.csv: the file is empty, want a header line"},
		{name: "blank lines only", text: "\n \r\n", want: "$t.csv: the file is empty, want a header line"},
		{name: "header only", text: "R,C,value\n", want: "$t.csv: a header but no cells"},
		{name: "header of a cross-tab only", text: "R,a,b\n", want: "$t.csv: a header but no cells"},
		{name: "one column", text: "abc\n1\n", want: "$t.csv:1: one column only; want a cross-tab with codes in the first line and column, or a tidy file with a column value or freq"},
		{name: "no field", text: "R,C,count\nr,a,1\n", o: Options{From: "tidy"}, want: "$t.csv:1: no column value or freq; say --column value=NAME; the columns are R, C, count"},
		{name: "no dimension", text: "value,status\n1,s\n", want: "$t.csv:1: no column is a dimension, want 1 to 6; the columns are value, status"},
		{name: "seven dimensions", text: "a,b,c,d,e,f,g,value\n1,1,1,1,1,1,1,1\n", want: "$t.csv:1: 7 dimensions: want 1 to 6; taken as dimensions: a, b, c, d, e, f, g"},
		{name: "unknown format", text: tidyOK, o: Options{From: "xlsx"}, want: "--from xlsx: want tidy, crosstab or jj"},
		{name: "unknown encoding", text: tidyOK, o: Options{Encoding: "latin1"}, want: "--encoding latin1: want utf-8, cp932 or cp1252"},
		{name: "Excel workbook", text: "PK\x03\x04....", want: "$t.csv: a zip archive or an Excel workbook; save the table as CSV"},
		{name: "half a character of UTF-16", text: "\xff\xfeR\x00,\x00C\x00\n\x00\x00\xd8,\x001\x00\n\x00", want: "$t.csv:2:1: half a character: not UTF-16"},
		{name: "UTF-16 against the flag", text: "\xff\xfeR\x00", o: Options{Encoding: "cp932"}, want: "$t.csv: starts with the byte order mark of UTF-16, but the encoding chosen is cp932"},
		{name: "NUL bytes", text: "R,C,value\nr,\x00,1\n", want: "$t.csv:2:3: NUL byte: want text; a binary file, or UTF-16 without its byte order mark?"},
		{name: "old Mac line ends", text: "R,C,value\rr,a,1\r", want: "$t.csv:1:10: carriage return: want lines that end in LF or CR LF"},
		{name: "invalid UTF-8", text: "R,C,value\nr,é,1\nr,\xe9,1\n", want: "$t.csv:3:3: byte 0xE9: not UTF-8; say --encoding cp932 or cp1252 if it is one of these, else convert the file"},
		{name: "neither UTF-8 nor CP932", text: "R,C,value\nr,\xe9,1\n", want: "$t.csv:2:3: byte 0xE9: not UTF-8; say --encoding cp932 or cp1252 if it is one of these, else convert the file"},
		{name: "not CP932", text: "R,C,value\nr,\x93\xfa\x81,1\n", o: Options{Encoding: "cp932"}, want: "$t.csv:2:5: byte 0x81: not CP932; want another --encoding"},
		{name: "BOM and CP932", text: "\ufeff" + tidyOK, o: Options{Encoding: "cp932"}, want: "$t.csv: starts with the byte order mark of UTF-8, but the encoding chosen is cp932"},
		{name: "long line", text: "R,C,value\n" + strings.Repeat(",", maxLine+10), want: "$t.csv:2: line longer than 1048576 bytes"},
		{name: "value too large for the decimals of costs", text: "R,C,value,cost\nr,a,100000,\nr,b,1,0.000000000000001\n", want: `$t.csv:2: column "cost": "": the value 100000, which stands for it, does not fit beside costs with 15 decimals in 18 digits`},
		// Lines and columns.
		{name: "short row", text: "R,C,value\nr,a,1\nr,b\n", want: "$t.csv:3: 2 fields: want 3, as in the header"},
		{name: "long row", text: "R,C,value\nr,a,1,\n", want: "$t.csv:2: 4 fields: want 3, as in the header"},
		{name: "open quote", text: "R,C,value\n\"r,a,1\nr,b,2\n", want: `$t.csv:2:1: the quote " opened here is not closed on its line`},
		{name: "text behind a quote", text: "R,C,value\n\"r\"x,a,1\n", want: "$t.csv:2:4: x: text after a closing quote; want the separator, or two quotes for one inside"},
		{name: "column without name", text: "R,,value\nr,a,1\n", want: "$t.csv:1:3: column 2 has no name"},
		{name: "column twice", text: "R,r,value\nr,a,1\n", want: "$t.csv:1:3: r: column name given twice"},
		{name: "two value columns", text: "R,value,Value\nr,1,1\n", want: "$t.csv:1:9: Value: column name given twice"},
		{name: "unknown column", text: "R,value,N_OBS\nr,1,1\n", want: "$t.csv:1:9: N_OBS: not a field, and behind the field value not a dimension either; say --column FIELD=N_OBS, or name the dimensions with --dims to leave it unread"},
		{name: "mapped column missing", text: tidyOK, o: Options{Columns: map[string]string{"freq": "N"}}, want: "$t.csv:1: N: no such column; the columns are R, C, value"},
		{name: "unknown field", text: tidyOK, o: Options{Columns: map[string]string{"count": "C"}}, want: "--column count: want value, freq, cost, status, reason, lpl, upl, spl, lower, upper, max1, max2, …, who1, …, absolute, waived, unwaived"},
		{name: "dimension missing", text: tidyOK, o: Options{Dims: []string{"R", "D"}}, want: "$t.csv:1: D: no such column; the columns are R, C, value"},
		{name: "dimension twice", text: tidyOK, o: Options{Dims: []string{"R", "r"}}, want: "$t.csv:1:1: r: named twice as a dimension or as a dimension and a field"},
		{name: "dimension is a field", text: tidyOK, o: Options{Dims: []string{"R"}, Columns: map[string]string{"cost": "R"}}, want: "$t.csv:1:1: R: named twice as a dimension or as a dimension and a field"},
		{name: "cost column missing", text: tidyOK, o: Options{CostColumn: "W"}, want: "$t.csv:1: W: no such column; the columns are R, C, value"},
		{name: "two cost columns", text: tidyOK, o: Options{CostColumn: "W", Columns: map[string]string{"cost": "V"}}, want: "two columns of costs: V and W"},
		{name: "gap in contributions", text: "R,value,max1,max3\nr,1,1,1\n", want: "$t.csv:1:14: max3: the largest contributions must be numbered from max1 without gaps"},
		// Codes.
		{name: "empty code", text: "R,C,value\nr,,1\n", want: `$t.csv:2: column "C": "": empty, want a code; the total code of this dimension is Total`},
		{name: "cell twice", text: "R,C,value\nr,a,1\nr,b,1\n r , a ,2\n", want: "$t.csv:4: r/a: cell given twice, first on line 2; if lines are single units and no cells, make the table with hitoku tabulate"},
		{name: "Japanese total", text: "R,C,value\nr,a,1\nr,合計,1\n", want: `$t.csv:3: column "C": 合計: looks like a total, but no line has the total code Total; say --total 合計, or --total C=Total if it is an ordinary code`},
		{name: "other total of one dimension", text: "R,C,value\nr,a,1\nr,Sum,1\nall,a,1\n", o: Options{Total: "all"}, want: `$t.csv:3: column "C": Sum: looks like a total, but no line has the total code all; say --total C=Sum, or --total C=all if it is an ordinary code`},
		{name: "total of an unknown dimension", text: tidyOK, o: Options{Totals: map[string]string{"X": "T"}}, want: "$t.csv: X: a total code for a dimension that the table does not have; its dimensions are R, C"},
		// Numbers.
		{name: "word", text: "R,value\nr,many\n", want: `$t.csv:2: column "value": many: want a decimal number`},
		{name: "NaN", text: "R,value\nr,NaN\n", want: `$t.csv:2: column "value": NaN: want a finite decimal number`},
		{name: "infinite", text: "R,value\nr,-Inf\n", want: `$t.csv:2: column "value": -Inf: want a finite decimal number`},
		{name: "1e308", text: "R,value\nr,1e308\n", want: `$t.csv:2: column "value": 1e308: want at most 18 significant digits and 15 decimals`},
		{name: "1e-400", text: "R,value\nr,1e-400\n", want: `$t.csv:2: column "value": 1e-400: want at most 18 significant digits and 15 decimals`},
		{name: "too many decimals beside a large number", text: "R,value\nr,0.000000000000001\ns,100000000\n", want: `$t.csv:3: column "value": 100000000: does not fit beside numbers with 15 decimals in 18 digits`},
		{name: "sum beyond 18 digits", text: "R,value\nr,900000000000000000\ns,900000000000000000\n", want: "$t.csv: margin Total: want at most 18 significant digits and 15 decimals"},
		{name: "hexadecimal", text: "R,value\nr,0x10\n", want: `$t.csv:2: column "value": 0x10: want a decimal number`},
		{name: "thousands comma", text: "R,value\nr,\"1,234\"\n", want: `$t.csv:2: column "value": 1,234: want a number without thousands separators and with a decimal point; commas separate the columns of this file; --thousands , or --decimal , says what they are in numbers`},
		{name: "thousands commas", text: "R;value\nr;1,234,567\n", want: `$t.csv:2: column "value": 1,234,567: want a number without thousands separators; --thousands "," reads them`},
		{name: "thousands points", text: "R;value\nr;1.234.567,8\n", want: `$t.csv:2: column "value": 1.234.567,8: want a number without thousands separators; --thousands "." reads them`},
		{name: "thousands blank", text: "R,value\nr,1 234\n", want: `$t.csv:2: column "value": "1 234": want a number without thousands separators; --thousands " " reads them`},
		{name: "thousands apostrophe", text: "R,value\nr,1'234\n", want: `$t.csv:2: column "value": 1'234: want a number without thousands separators; --thousands "'" reads them`},
		{name: "comma and point", text: "R;value\nr;1,5\ns;1.5\n", want: `$t.csv:3: column "value": 1.5: a decimal point, but line 2 has a decimal comma; want one of them throughout, and no thousands separators; --thousands reads these`},
		{name: "point and comma", text: "R;value\nr;1.5\ns;1,5\n", want: `$t.csv:3: column "value": 1,5: a decimal comma, but line 2 has a decimal point; want one of them throughout, and no thousands separators; --thousands reads these`},
		{name: "full-width digits", text: "R,value\nr,１２\n", want: `$t.csv:2: column "value": １２: want a number in ASCII digits 0 to 9`},
		{name: "Japanese minus", text: "R,value\nr,▲12\n", want: `$t.csv:2: column "value": ▲12: want a number; write negative numbers with -`},
		{name: "ellipsis", text: "R,value\nr,…\n", want: `$t.csv:2: column "value": …: want a number or a mark for withheld values ("", NA, x, X, χ, ×, :c, .., ｘ, Ｘ); write 0 for an empty cell`},
		{name: "dash where none is a mark", text: "R,value\nr,-\n", o: Options{Nil: []string{"."}}, want: `$t.csv:2: column "value": -: want a number or a mark for withheld values ("", NA, x, X, χ, ×, :c, .., ｘ, Ｘ); write 0 for an empty cell`},
		{name: "long text", text: "R,value\nr," + long + "\n", want: `$t.csv:2: column "value": xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… (100 bytes): want a decimal number`},
		{name: "mark not in the list", text: "R,value\nr,x\ns,1\nTotal,2\n", o: Options{Withheld: []string{"*"}}, want: `$t.csv:2: column "value": x: want a decimal number`},
		{name: "empty not in the list", text: "R,value\nr,\ns,1\nTotal,2\n", o: Options{Withheld: []string{"*"}}, want: `$t.csv:2: column "value": "": empty, want a number or one of the marks for withheld values: *`},
		{name: "fractional count", text: "R,freq\nr,1.5\n", want: `$t.csv:2: column "freq": 1.5: frequencies must be whole numbers`},
		{name: "negative count", text: "R,freq\nr,-1\n", want: `$t.csv:2: column "freq": -1: frequencies must be ≥ 0`},
		{name: "fractional contributors", text: "R,value,freq\nr,1,1.5\n", want: `$t.csv:2: column "freq": 1.5: frequencies must be whole numbers`},
		{name: "negative contributors", text: "R,value,freq\nr,1,-1\n", want: `$t.csv:2: column "freq": -1: frequencies must be ≥ 0`},
		{name: "negative cost", text: "R,value,cost\nr,1,-3.50\n", want: `$t.csv:2: column "cost": -3.50: costs must be ≥ 0`},
		{name: "negative level", text: "R,value,spl\nr,1,-8\n", want: `$t.csv:2: column "spl": -8: protection levels must be ≥ 0`},
		{name: "lower above upper", text: "R,value,lower,upper\nr,1,2,1\n", want: `$t.csv:2: column "lower": 2: want at most the upper bound 1`},
		{name: "value below its bound", text: "R,value\nr,-1\n", want: `$t.csv:2: column "value": -1: below the intruder's lower bound 0; give a lower bound that holds for every cell`},
		{name: "value above its bound", text: "R,value,upper\nr,7,5\n", want: `$t.csv:2: column "value": 7: above the intruder's upper bound 5; give an upper bound that holds for every cell`},
		{name: "unknown status", text: "R,value,status\nr,1,x\n", want: `$t.csv:2: column "status": x: want s, u, z or m (or S, U, P, M, E of τ-ARGUS; F, C, N, D of SDMX, all of its codes in a column CONF_STATUS or OBS_STATUS)`},
		{name: "unknown CONF_STATUS", text: "R,value,CONF_STATUS\nr,1,E\n", want: `$t.csv:2: column "CONF_STATUS": E: want an SDMX code: F free; C, N, A, O, T, G, M, X, P primary; D, S secondary`},
		{name: "unknown OBS_STATUS", text: "R,value,OBS_STATUS\nr,1,L\n", want: `$t.csv:2: column "OBS_STATUS": L: want an SDMX code of an observation with a value (A, B, D, E, F, G, I, J, N, P, S, U, V, W), M cannot exist, or Q suppressed`},
		{name: "published without a value", text: "R,value,status\nr,,z\ns,1,\nTotal,2,\n", want: `$t.csv:2: column "value": missing: only a withheld cell may lack a value`},
		{name: "contributions not sorted", text: "R,value,max1,max2\nr,9,2,3\n", want: `$t.csv:2: column "max2": 3: larger than the contribution 2 before it`},
		{name: "second contribution alone", text: "R,value,max1,max2\nr,9,,3\n", want: `$t.csv:2: column "max2": 3: a contribution behind a missing larger one`},
		// Sums.
		{name: "total does not add", text: "R,C,value\nr,a,1\nr,b,2\nr,Total,4\n", want: "$t.csv:4: r/Total = sum over C: the parts add up to 3, the margin is 4"},
		{name: "decimals do not add", text: "R,value\na,0.1\nb,0.2\nTotal,0.30001\n", want: "$t.csv:4: Total = sum over R: the parts add up to 0.3, the margin is 0.30001"},
		{name: "tree not given", text: "R,value\na,3\na1,1\na2,2\nTotal,3\n", want: "$t.csv:5: Total = sum over R: the parts add up to 6, the margin is 3, exactly 2 times; if the codes of R form a tree, say --hierarchy R=FILE"},
		{name: "a number of each line", text: "R,no,sex,freq\na,1,m,4\na,2,f,1\nb,3,m,3\nb,4,f,5\n", want: "$t.csv:1: column \"no\": counts the lines and is no dimension (--dims R,sex)"},
		{name: "a number of each line from 0", text: "id,R,sex,freq\n0,a,m,4\n1,a,f,1\n2,b,m,3\n3,b,f,5\n", want: "$t.csv:1: column \"id\": counts the lines and is no dimension (--dims R,sex)"},
		{name: "amounts taken for codes", text: "R,N,value\na,1,1\nb,2,1\nc,3,1\nd,4,1\ne,5,1\nf,6,1\ng,7,1\nh,8,1\ni,9,1\nTotal,45,9\n", want: "$t.csv:1: column \"N\": read as a dimension, but its codes are numbers and the other dimensions alone tell the lines apart; if these are amounts, say --column value=N, or name the dimensions with --dims R,N if it is one"},
		{name: "neither tidy nor cross-tab", text: "R,C,N\na,blue,2\n", want: `$t.csv:2: column "C": blue: want a decimal number; a cross-tab has numbers in all but its first line and column, and a tidy file a column value or freq (--column value=NAME)`},
		{name: "margin left out in one row", text: "R,C,value\nr,a,1\nr,Total,1\ns,a,1\n", want: "$t.csv: Total/Total = sum over C: the parts add up to 2, the margin is 1, exactly 2 times; if the codes of C form a tree, say --hierarchy C=FILE"},
		{name: "margin without parts", text: "R,C,value\nr,a,1\nr,Total,1\ns,Total,1\n", want: "$t.csv:4: s/Total = sum over C: the parts add up to 0, the margin is 1"},
		{name: "margin of withheld cells left out", text: "R,C,value\nr,a,1\nr,b,\n", want: `$t.csv:3: column "value": r/b: withheld, so the margin "Total" of R, which has no rows, cannot be computed`},
		// Hierarchies.
		{name: "hierarchy file missing", text: tidyOK, o: Options{Hierarchies: map[string]string{"R": "$none.hrc"}}, want: "$none.hrc: no such file or directory"},
		{name: "hierarchy of an unknown dimension", text: tidyOK, o: Options{Hierarchies: map[string]string{"X": "$none.hrc"}}, want: "$t.csv: X: a hierarchy for a dimension that the table does not have; its dimensions are R, C"},
		{name: "code not in the hierarchy", text: tidyOK, hierarchy: "s\n", want: `$t.csv:2: column "R": r: not a code of $h.hrc, nor the total code Total`},
		{name: "empty hierarchy", text: tidyOK, hierarchy: "\n", want: "$h.hrc: the file is empty, want codes"},
		{name: "hierarchy jumps", text: tidyOK, hierarchy: "r\n@@x\n", want: "$h.hrc:2: x: at depth 2 below a code at depth 0; want one lead string @ more at most"},
		{name: "hierarchy begins deep", text: tidyOK, hierarchy: "@r\n", want: "$h.hrc:1: r: the first code is indented, below which one?"},
		{name: "lead without code", text: tidyOK, hierarchy: "r\n@\n", want: "$h.hrc:2: @: a lead string without a code"},
		{name: "code twice", text: tidyOK, hierarchy: "r\n@a\ns\n@a\n", want: `$h.hrc:4: column "code": a: code listed twice, first on line 2`},
		{name: "dots as lead", text: tidyOK, hierarchy: "r\n.a\n", want: "$h.hrc:2: a code that begins with a dot, and no line with the lead string @; say --lead . if dots indent this file, or --lead @ if they do not"},
		{name: "cycle", text: tidyOK, hierarchy: "code,parent\nr,Total\na,b\nb,c\nc,a\n", want: `$h.csv:3: column "code": a: cycle a → b → c → a`},
		{name: "own parent", text: tidyOK, hierarchy: "code,parent\nr,Total\na,a\n", want: `$h.csv:3: column "code": a: cycle a → a`},
		{name: "two parents", text: tidyOK, hierarchy: "code,parent\nr,Total\na,r\nb,Total\na,b\n", want: `$h.csv:5: column "code": a: code listed twice, first on line 3`},
		{name: "unknown parent", text: tidyOK, hierarchy: "code,parent\nr,Total\na,q\n", want: `$h.csv:3: column "code": a: parent "q" is not a code of the hierarchy and not the total "Total"`},
		{name: "parent column missing", text: tidyOK, hierarchy: "code,label\nr,Total\n", want: "$h.csv:1: want the columns code and parent in the header of a hierarchy"},
		{name: "parents without codes", text: tidyOK, hierarchy: "code,parent\n", want: "$h.csv: a header but no codes"},
		{name: "empty code in parents", text: tidyOK, hierarchy: "code,parent\n,r\n", want: `$h.csv:2: column "code": "": empty, want a code`},
		// Cross-tabs.
		{name: "cross-tab fraction", text: "R,a,b\nr,1,1.5\n", want: `$t.csv:2: column "b": 1.5: frequencies must be whole numbers; say --magnitude if these are amounts`},
		{name: "cross-tab negative", text: "R,a,b\nr,1,-1\n", want: `$t.csv:2: column "b": -1: frequencies must be ≥ 0; say --magnitude if these are amounts`},
		{name: "cross-tab row twice", text: "R,a,b\nr,1,1\ns,1,1\nr,1,1\n", want: `$t.csv:4: column "R": r: code given twice, first on line 2`},
		{name: "cross-tab column twice", text: "R,a,a\nr,1,1\n", want: "$t.csv:1:5: a: code given twice, first in column 2"},
		{name: "cross-tab column without code", text: "R,a,\nr,1,1\n", want: "$t.csv:1:5: column 3 has no code"},
		{name: "cross-tab row without code", text: "R,a\n,1\n", want: `$t.csv:2: column "R": "": empty, want the code of this row`},
		{name: "cross-tab total", text: "R,a,b,計\nr,1,1,2\n", want: `$t.csv:1: column "column": 計: looks like a total, but no line has the total code Total; say --total 計, or --total column=Total if it is an ordinary code`},
		{name: "cross-tab does not add", text: "R\\C,a,b,Total\nr,1,1,3\n", want: "$t.csv:2: r/Total = sum over C: the parts add up to 2, the margin is 3"},
		{name: "cross-tab one name", text: "X\\X,a\nr,1\n", want: "$t.csv: X: two dimensions of this name"},
		{name: "cross-tab with costs", text: "R,a\nr,1\n", o: Options{CostColumn: "a"}, want: "$t.csv: costs are taken from a column, but this is a cross-tab; want a tidy file with a column value or freq"},
		{name: "cross-tab with fields", text: "R,a\nr,1\n", o: Options{From: "crosstab", Columns: map[string]string{"value": "a"}}, want: "$t.csv: fields are assigned to columns, but this is a cross-tab; want a tidy file with a column value or freq"},
		// JJ.
		{name: "JJ empty", file: "t.jj", text: " \n", want: "$t.jj: the file is empty, want a JJ file"},
		{name: "JJ first line", file: "t.jj", text: "R,a\n", want: "$t.jj:1: R,a: want 0 on the first line of a JJ file"},
		{name: "JJ long word", file: "t.jj", text: "0\n" + strings.Repeat("1", 200), want: "$t.jj:2: 111111111111111111111111111111… (64 bytes): a word longer than 64 bytes; not a JJ file?"},
		{name: "JJ no cells", file: "t.jj", text: "0\n0\n", want: "$t.jj:2: 0: want an integer from 1 to 16777216"},
		{name: "JJ too many cells", file: "t.jj", text: "0\n99999999999\n", want: "$t.jj:2: 99999999999: want an integer from 1 to 16777216"},
		{name: "JJ cut in the cells", file: "t.jj", text: jjOK[:40], want: "$t.jj:5: the file ends after 2 of 3 cells"},
		{name: "JJ cut before the relations", file: "t.jj", text: jjOK[:61], want: "$t.jj:7: the file ends after 0 of 1 relations"},
		{name: "JJ cut in the relations", file: "t.jj", text: jjOK[:len(jjOK)-4], want: "$t.jj:7: the file ends after 0 of 1 relations"},
		{name: "JJ more relations than there are", file: "t.jj", text: strings.Replace(jjOK, "\n1\n", "\n2\n", 1), want: "$t.jj:8: the file ends after 1 of 2 relations"},
		{name: "JJ fewer relations than there are", file: "t.jj", text: strings.Replace(jjOK, "\n1\n", "\n0\n", 1), want: "$t.jj:7: 0: text behind the last relation"},
		{name: "JJ index out of order", file: "t.jj", text: strings.Replace(jjOK, "\n1 2", "\n2 2", 1), want: `$t.jj:4: column "index": 2: want 1, cells are numbered from 0 in order`},
		{name: "JJ index out of range", file: "t.jj", text: strings.Replace(jjOK, "2 (1)", "3 (1)", 1), want: `$t.jj:7: column "index": 3: want an integer from 0 to 2`},
		{name: "JJ cell twice in a relation", file: "t.jj", text: strings.Replace(jjOK, "2 (1)", "1 (1)", 1), want: `$t.jj:7: column "index": 1: cell given twice in a relation`},
		{name: "JJ fractional coefficient", file: "t.jj", text: strings.Replace(jjOK, "2 (1)", "2 (0.5)", 1), want: `$t.jj:7: column "coef": 0.5: want an integer from -2147483647 to 2147483647`},
		{name: "JJ coefficient 0", file: "t.jj", text: strings.Replace(jjOK, "2 (1)", "2 (0)", 1), want: `$t.jj:7: column "coef": 0: want an integer other than 0`},
		{name: "JJ coefficient without parenthesis", file: "t.jj", text: strings.Replace(jjOK, "2 (1)", "2 1", 1), want: "$t.jj:7: 1: want ("},
		{name: "JJ no colon", file: "t.jj", text: strings.Replace(jjOK, ":", "", 1), want: "$t.jj:7: 0: want :"},
		{name: "JJ no terms", file: "t.jj", text: strings.Replace(jjOK, "0 3 :", "0 0 :", 1), want: `$t.jj:7: column "terms": 0: want an integer from 1 to 3`},
		{name: "JJ status", file: "t.jj", text: strings.Replace(jjOK, " u ", " U ", 1), want: `$t.jj:4: column "status": U: want s, u, z or m`},
		{name: "JJ number", file: "t.jj", text: strings.Replace(jjOK, "1 2 1", "1 NaN 1", 1), want: `$t.jj:4: column "value": NaN: want a decimal number`},
		{name: "JJ decimal comma", file: "t.jj", text: strings.Replace(jjOK, "1 2 1", "1 2,5 1", 1), want: `$t.jj:4: column "value": 2,5: want a decimal point`},
		{name: "JJ does not add", file: "t.jj", text: strings.Replace(jjOK, "1 2 1", "1 2.5 1", 1), want: "$t.jj:7: relation 0: its terms add up to 0.5, want 0"},
		{name: "JJ negative level", file: "t.jj", text: strings.Replace(jjOK, "1 1 3", "1 -1 3", 1), want: `$t.jj:4: column "UPL": -1: protection levels must be ≥ 0`},
		{name: "JJ negative cost", file: "t.jj", text: strings.Replace(jjOK, "1 2 1", "1 2 -1", 1), want: `$t.jj:4: column "weight": -1: costs must be ≥ 0`},
		{name: "JJ value outside its bounds", file: "t.jj", text: strings.Replace(jjOK, "1 u 0 9", "1 u 3 9", 1), want: `$t.jj:4: column "value": 2: below the intruder's lower bound 3; give a lower bound that holds for every cell`},
		{name: "JJ bounds crossed", file: "t.jj", text: strings.Replace(jjOK, "1 u 0 9", "1 u 9 3", 1), want: `$t.jj:4: column "lb": 9: want at most the upper bound 3`},
		{name: "JJ infinite value", file: "t.jj", text: strings.Replace(jjOK, "0 5 1", "0 1e30 1", 1), want: `$t.jj:3: column "value": 1e30: want at most 18 significant digits and 15 decimals`},
		{name: "JJ header of compression", file: "t.jj.gz", text: "\x1f\x8b\x07junkjunkjunkjunk", want: "$t.jj.gz: the compressed file is damaged: gzip: invalid header"},
		{name: "JJ damaged", file: "t.jj.gz", text: string(zippedJJ()[:10]) + "\x07junkjunkjunk", want: "$t.jj.gz: the compressed file is damaged: flate: corrupt input before offset 1"},
		{name: "JJ cut short", file: "t.jj.gz", text: string(zippedJJ()[:40]), want: "$t.jj.gz: the compressed file ends too early; it is cut short"},
		{name: "JJ checksum", file: "t.jj.gz", text: damaged(zippedJJ()), want: "$t.jj.gz: the compressed file is damaged: gzip: invalid checksum"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir() + string(filepath.Separator)
			file := tc.file
			if file == "" {
				file = "t.csv"
			}
			put(t, dir+file, tc.text)
			for d, h := range tc.o.Hierarchies {
				tc.o.Hierarchies[d] = strings.ReplaceAll(h, "$", dir)
			}
			if tc.hierarchy != "" {
				name := dir + "h.hrc"
				if strings.HasPrefix(tc.hierarchy, "code") {
					name = dir + "h.csv"
				}
				put(t, name, tc.hierarchy)
				tc.o.Hierarchies = map[string]string{"R": name}
			}
			in, err := Read(dir+file, tc.o)
			if err == nil {
				t.Fatalf("read without complaint: %v", in.Table)
			}
			if in != nil {
				t.Error("an error and an input")
			}
			if got := strings.ReplaceAll(err.Error(), dir, "$"); got != tc.want {
				t.Errorf("message\n got %s\nwant %s", got, tc.want)
			}
		})
	}
}

func zippedJJ() []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, jjOK)
	z.Close()
	return b.Bytes()
}

func damaged(b []byte) string {
	b[len(b)-6] ^= 1 // in the checksum
	return string(b)
}

func put(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
}

func TestNoSuchFile(t *testing.T) {
	dir := t.TempDir()
	_, err := Read(filepath.Join(dir, "none.csv"), Options{})
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasSuffix(err.Error(), "none.csv: no such file or directory") {
		t.Errorf("missing file: %v", err)
	}
	if _, err = Read(dir, Options{}); err == nil || err.Error() != dir+": is a directory, want a file" {
		t.Errorf("directory: %v", err)
	}
}

// The errors of package table can be reached through those of this one.
func TestErrorsUnwrap(t *testing.T) {
	_, err := ReadFrom(strings.NewReader("R,value\na,1\nTotal,2\n"), "t.csv", Options{})
	var add *table.AdditivityError
	if !errors.As(err, &add) || add.Want != "2" || add.Got != "1" {
		t.Errorf("%v hides the additivity error", err)
	}
	var e *Error
	if !errors.As(err, &e) || e.Line != 3 {
		t.Errorf("%#v: want line 3", e)
	}
}

// endless gives the same byte for ever and counts what was taken.
type endless struct {
	c byte
	n int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.c
	}
	e.n += len(p)
	return len(p), nil
}

// Gigabytes of one byte must fail early, whatever they are taken for.
func TestEndlessInput(t *testing.T) {
	for _, tc := range []struct {
		name, file, head string
		c                byte
		want             string
	}{
		{"commas", "t.csv", "", ',', "t.csv:1: line longer than 1048576 bytes"},
		{"commas behind a table", "t.csv", tidyOK, ',', "t.csv:5: line longer than 1048576 bytes"},
		{"quotes", "t.csv", "R,value\n", '"', "t.csv:2: line longer than 1048576 bytes"},
		{"empty lines", "t.csv", tidyOK, '\n', "t.csv:100005: more than 100000 empty lines in a row"},
		{"digits", "t.jj", "0\n", '1', "t.jj:2: 111111111111111111111111111111… (64 bytes): a word longer than 64 bytes; not a JJ file?"},
		{"empty lines", "t.jj", "", '\n', "t.jj:1048577: more than 1048576 blanks in a row"},
	} {
		t.Run(tc.name+" in "+tc.file, func(t *testing.T) {
			e := &endless{c: tc.c}
			_, err := ReadFrom(io.MultiReader(strings.NewReader(tc.head), e), tc.file, Options{})
			if err == nil || err.Error() != tc.want {
				t.Errorf("got %v, want %s", err, tc.want)
			}
			if e.n > 4<<20 {
				t.Errorf("%d bytes were read", e.n)
			}
		})
	}
	// The same out of a small compressed file.
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.CopyN(z, &endless{c: ','}, 64<<20)
	z.Close()
	if _, err := ReadFrom(&b, "t.csv.gz", Options{}); err == nil || err.Error() != "t.csv.gz:1: line longer than 1048576 bytes" {
		t.Errorf("compressed commas: %v", err)
	}
}

func TestLimitedInput(t *testing.T) {
	_, err := io.ReadAll(&limited{r: &endless{c: ' '}, name: "t.csv", left: 10, most: 4 << 30})
	if err == nil || err.Error() != "t.csv: more than 4 GiB of text; --read-limit 2 raises the limits of input" {
		t.Error(err)
	}
}
