package arb

import (
	"strings"
	"testing"
)

// Public threads in which users of τ-ARGUS and of the packages that call it stumbled, by number of sdcTools/UserSupport where no
// other repository is named: what such a batch does here, or what its error says.
func TestThreads(t *testing.T) {
	const (
		table = "<OPENTABLEDATA> \"t.tab\"\n<OPENMETADATA> \"t.rda\"\n<SPECIFYTABLE> \"R\"|\"V\"||\n"
		micro = "<OPENMICRODATA> \"m.csv\"\n<OPENMETADATA> \"t.rda\"\n<SPECIFYTABLE> \"R\"|\"V\"||\n<SAFETYRULE> FREQ(2,10)\n<READMICRODATA>\n"
		end   = "<WRITETABLE> (1,3,AS+QU-,\"out.txt\")\n"
		rda   = "<SEPARATOR> \";\"\nR\n<RECODEABLE>\nV\n<NUMERIC>\n<DECIMALS> 1\nS\n<STATUS>\n"
		free  = "<SEPARATOR> \";\"\nR 3\n<RECODEABLE>\nV 5\n<NUMERIC>\n"
		two   = "<SEPARATOR> \";\"\nR\n<RECODEABLE>\nQ\n<RECODEABLE>\nV\n<NUMERIC>\nS\n<STATUS>\n"
		tree  = "<SEPARATOR> \";\"\nR\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERCODELIST> \"r.hrc\"\n<HIERLEADSTRING> \"@\"\nV\n<NUMERIC>\nS\n<STATUS>\n"
	)
	for _, tc := range []struct {
		thread, batch, data, rda string
		out, log, err            string
	}{
		{"codes of unequal length", table + "<READTABLE>\n" + end, "Total;6;S\n1;1;S\n10;2;S\n100;3;S\n", rda, "Total,6.0,1 1,1.0,1 10,2.0,1 100,3.0,1", "", ""},
		{"codes of unequal length where levels are digits (104)", table + "<READTABLE>\n" + end, "11;1;S\n123;2;S\n", strings.Replace(rda, "<RECODEABLE>", "<RECODEABLE>\n<HIERARCHICAL>\n<HIERLEVELS> 1 1", 1),
			"", "", `t.arb:4: <READTABLE>: t.tab: column "R": 123: a code of 3 characters, but <HIERLEVELS> has levels of 1, 2`},
		{"a code that the hierarchy has otherwise (104)", table + "<READTABLE>\n" + end, "Total;3;S\na;1;S\naa;2;S\n", tree, "", "",
			`t.arb:4: <READTABLE>: t.tab:3: column "R": aa: not a code of r.hrc, nor the total code Total, nor a missing code`},
		{"no unsafe cell (rtauargus 58)", table + "<READTABLE>\n<APRIORI> \"empty.hst\",1,\",\",0,0\n<SUPPRESS> MOD(1,5,1,0,0)\n" + end, "Total;3;S\na;1;S\nb;2;S\n", rda, "Total,3.0,1 a,1.0,1 b,2.0,1", "Number of suppressions: 0\n", ""},
		{"a response that is no column", strings.Replace(table, `"V"`, `"turnover"`, 1) + "<READTABLE>\n", "a;1;S\n", rda, "", "",
			"t.arb:4: <READTABLE>: t.rda: turnover: no such variable for the response; the variables are R, V, S"},
		{"a response that is not a number", strings.Replace(table, `"V"`, `"S"`, 1) + "<READTABLE>\n", "a;1;S\n", rda, "", "",
			"t.arb:4: <READTABLE>: t.rda: S: holds statuses, and the response needs numbers, which are in V"},
		{"a variable that is no column", strings.Replace(table, `"R"`, `"region"`, 1) + "<READTABLE>\n", "a;1;S\n", rda, "", "",
			"t.arb:4: <READTABLE>: t.rda: region: no such variable for a dimension; the variables are R, V, S"},
		{"a response that records have not", strings.Replace(micro, `"V"`, `"turnover"`, 1), "a;1\n", free, "", "", `t.arb:5: <READMICRODATA>: table table1: response "turnover": no such variable; the variables are R, V`},
		{"a variable that records have not", strings.Replace(micro, `"R"`, `"region"`, 1), "a;1\n", free, "", "", `t.arb:5: <READMICRODATA>: table table1: dimension "region": no such variable; the variables are R, V`},
		{"a response of records that is not a number", strings.Replace(micro, `"R"|"V"`, `"Q"|"R"`, 1), "x;a;1\n", strings.Replace(free, "R 3\n", "Q 3\n<RECODEABLE>\nR 3\n", 1), "", "", `t.arb:5: <READMICRODATA>: m.csv:1: column "R": "a": want a decimal number`},
		{"a column less than the metadata have", table + "<READTABLE>\n", "a;1\n", rda, "", "", "t.arb:4: <READTABLE>: t.tab:1: 2 fields: want 3, one for each variable of t.rda"},
		{"a comma for the separator", table + "<READTABLE>\n", "a,1,S\n", rda, "", "", "t.arb:4: <READTABLE>: t.tab:1: 1 fields: want 3, one for each variable of t.rda, with the separator ; between them"},
		{"false non-additivity by decimals (46, 29, 172, 177)", table + "<READTABLE>\n" + end, "Total;140557.4;S\na;70911.8;S\nb;64512.5;S\nc;5133.1;S\n", rda, "Total,140557.4,1 a,70911.8,1 b,64512.5,1 c,5133.1,1", "", ""},
		{"a table that does not add up (53)", table + "<READTABLE>\n", "Total;9;S\na;1;S\nb;2;S\n", rda, "", "",
			"t.arb:4: <READTABLE>: t.tab:1: Total = sum over R: the parts add up to 3, the margin is 9; READTABLE 1 or 1T computes margins, 2 accepts them"},
		{"minutes that do not do ask nobody (185)", table + "<READTABLE>\n<SUPPRESS> OPT(1,0.00000001)\n" + end, "Total;6;S\na;1;U\nb;2;S\nc;3;S\n", rda, "Total,6.0,1 a,1.0,9 b,2.0,11 c,3.0,1", "The time ended before there was a pattern", ""},
		{"ZERO with decimals (28)", "<OPENMICRODATA> \"m.csv\"\n<OPENMETADATA> \"t.rda\"\n<SPECIFYTABLE> \"R\"|\"V\"||\n<SAFETYRULE> ZERO(10.0)|MAN(10)\n<READMICRODATA>\n" + end, "a;0\nb;2\n", free, "Total,2,1 a,0,6 b,2,1", "", ""},
		{"variables that overlap (6)", micro + end, "11 5\n12 6\n12 7\n", "R 1 2\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERLEVELS> 1 1\nQ 1 1\n<RECODEABLE>\nV 3 2\n<NUMERIC>\n", "Total,18,1 1,18,1 11,5,5 12,13,1", "", ""},
		{"LOGBOOK with quotes or without (30)", "<LOGBOOK> more.log\n<LOGBOOK> \"t.log\"\n" + table + "<READTABLE>\n" + end, "a;1;S\n", rda, "Total,1.0,1 a,1.0,1", "Tables have been read", ""},
		{"a length of NA (302)", micro, "a;1\n", strings.Replace(free, "V 5", "V NA \"NA\"", 1), "", "", "t.arb:5: <READMICRODATA>: t.rda:4: NA: want the length as a whole number from 1"},
		{"SHADOW in metadata of records (39)", micro + end, "a;1\nb;1\nb;3\n", strings.Replace(free, "<NUMERIC>", "<NUMERIC> <SHADOW>", 1), "Total,5,1 a,1,5 b,4,1", "", ""},
		{"records that are not there (255)", strings.Replace(micro, "m.csv", `Z:\data\m2.csv`, 1), "", free, "", "", `t.arb:5: <READMICRODATA>: Z:/data/m2.csv: no such file or directory`},
		{"empty cells of a table that need not add up (51)", table + "<READTABLE> 2\n<SUPPRESS> MOD(1,1,0,0,0)\n" + end, "Total;9;S\na;1;U\nb;2;S\nc;-;S\nd;5;S\n", rda, "Total,9.0,1 a,1.0,9 b,2.0,11 c,-,14 d,5.0,1", "", ""},
		{"MAN(0) for given statuses (44, 121)", table + "<SAFETYRULE> MAN(0)\n<READTABLE>\n<SUPPRESS> MOD(1,1,0,0,0)\n" + end, "Total;6;S\na;1;U\nb;2;S\nc;3;S\n", rda, "Total,6.0,1 a,1.0,9 b,2.0,11 c,3.0,1", "", ""},
		{"the last line of an a-priori file (111)", table + "<READTABLE>\n<APRIORI> \"last.hst\",1,\";\"\n" + end, "Total;6;S\na;1;S\nb;2;S\nc;3;S\n", rda, "Total,6.0,1 a,1.0,1 b,2.0,9 c,3.0,10", "", ""},
		{"a missing code in metadata of a table (340)", table + "<READTABLE>\n" + end, "Total;6;S\na;1;S\n9;5;S\n", strings.Replace(rda, "R\n", "R 9\n", 1), "Total,6.0,1 a,1.0,1 9,5.0,1", "", ""},
		{"p% without a minimum frequency (22)", strings.Replace(micro, "FREQ(2,10)", "P(10,1)", 1) + end, "a;10\na;9\na;8\nb;5\nb;6\nb;4\n", free, "Total,42,1 a,27,1 b,15,1", "", ""},
		{"linked tables have numbers of their own (267)", table + "<SPECIFYTABLE> \"R\"|\"V\"||\n<READTABLE>\n<SUPPRESS> GH(0,100)\n" + end, "Total;6;S\na;1;U\nb;2;S\nc;3;S\n", rda, "Total,6.0,1 a,1.0,9 b,2.0,11 c,3.0,1", "Table 2: 1 cells have been suppressed\n", ""},
		{"options of other output types (130)", table + "<READTABLE> 1\n<WRITETABLE> (1,2,AR+AS+FL+TR+QU-,\"out.txt\")\n", "a;1;S\nb;2;S\n", rda, "R,V,Status Total,3.0,1 a,1.0,1 b,2.0,1", "", ""},
		{"comments behind commands", table + "<READTABLE> 1 // totals\n<SUPPRESS> OPT(1,1) // all of it\n" + end, "a;1;S\nb;2;S\n", rda, "Total,3.0,1 a,1.0,1 b,2.0,1", "", ""},
		{"five variables (52)", "<OPENMICRODATA> \"m.csv\"\n<OPENMETADATA> \"t.rda\"\n<SPECIFYTABLE> \"R\"\"A\"\"B\"\"C\"\"D\"|\"V\"||\n<SAFETYRULE> FREQ(2,10)\n<READMICRODATA>\n<SUPPRESS> MOD(1,1,0,0,0)\n<WRITETABLE> (1,4,QU-,\"out.txt\")\n",
			"x;1;1;1;1;5\nx;1;1;1;1;6\n", "<SEPARATOR> \";\"\nR 1\n<RECODEABLE>\nA 1\n<RECODEABLE>\nB 1\n<RECODEABLE>\nC 1\n<RECODEABLE>\nD 1\n<RECODEABLE>\nV 2\n<NUMERIC>\n", "five", "Audit: protected\n", ""},
	} {
		out, log, err := written(t, tc.batch, map[string]string{"t.tab": tc.data, "m.csv": tc.data, "t.rda": tc.rda, "r.hrc": "a\nb\n", "empty.hst": "", "last.hst": "b;U\nc;P"})
		said := ""
		if err != nil {
			said = err.Error()
			if i := strings.Index(said, "t.arb:"); i > 0 {
				said = strings.ReplaceAll(said, said[:i], "")
			}
		}
		got := strings.Join(strings.Fields(out), " ")
		if tc.out == "five" && strings.Count(out, "\n") == 32 && strings.Contains(out, "Total,1,1,1,1,11,2,V\n") {
			got = "five"
		}
		if said != tc.err || got != tc.out || !strings.Contains(log, tc.log) {
			t.Errorf("%s\nerror %s\nwant  %s\ngot  %s\nwant %s\n%s", tc.thread, said, tc.err, got, tc.out, log)
		}
	}
}
