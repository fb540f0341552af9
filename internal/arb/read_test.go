package arb

import (
	"strings"
	"testing"
)

// What files of packages and of SAS hold that τ-ARGUS reads without a word, and what its rules say of statuses.
func TestAsTauArgusReads(t *testing.T) {
	table := "<OPENTABLEDATA> \"t.tab\"\n<OPENMETADATA> \"t.rda\"\n<SPECIFYTABLE> \"R\"|\"V\"||\n"
	micro := "<OPENMICRODATA> \"m.csv\"\n<OPENMETADATA> \"m.rda\"\n<SPECIFYTABLE> \"R\"|\"V\"||\n"
	end := "<WRITETABLE> (1,3,AS+QU-,\"out.txt\")\n"
	rda := "<SEPARATOR> \";\"\n<PROTECT> \"Z\"\nR\n<RECODEABLE>\nV\n<NUMERIC>\nS\n<STATUS>\n"
	levels := "<SEPARATOR> \";\"\nR\n<RECODEABLE>\nV\n<NUMERIC>\nN\n<FREQUENCY>\nS\n<STATUS>\nL\n<NUMERIC> <LOWERPL>\nU\n<NUMERIC> <UPPERPL>\n"
	flat := "<SEPARATOR> \";\"\nR 2\n<RECODEABLE>\nV 3\n<NUMERIC>\n"
	twice := "<SEPARATOR> \";\"\nR 2\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERCODELIST> \"r.hrc\"\n<HIERLEADSTRING> \"@\"\nQ 2\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERCODELIST> \"q.hrc\"\n<HIERLEADSTRING> \"@\"\nV 3\n<NUMERIC>\n"
	for _, tc := range []struct{ name, batch, data, rda, want, log string }{
		{"a protected cell of value 0 is not empty (sdcTable)", table + "<READTABLE>\n" + end, "Total;3;S\na;3;S\nb;0;Z\nc;0;S\n", rda, "Total,3,1 a,3,1 b,0,10 c,0,1", ""},
		{"an empty one is", table + "<READTABLE>\n" + end, "Total;3;S\na;3;S\nb;-;\nc;.;E\n", rda, "Total,3,1 a,3,1 b,-,14 c,-,14", ""},
		{"rules take the place of statuses", table + "<SAFETYRULE> FREQ(3,10)\n<READTABLE>\n" + end, "Total;9;9;U;1;1\na;3;2;S;;\nb;6;7;P;;\n", levels, "Total,9,1 a,3,5 b,6,1", "the rules take the place of the statuses"},
		{"MAN alone does not", table + "<SAFETYRULE> MAN(10)\n<READTABLE>\n" + end, "Total;9;9;U;1;1\na;3;2;S;;\nb;6;7;P;;\n", levels, "Total,9,9 a,3,1 b,6,10", ""},
		{"levels above the value", table + "<READTABLE>\n<SUPPRESS> OPT(1,1)\n" + end, "Total;14;9;S;0;0\na;3;2;U;9;9\nb;11;7;S;;\n", levels, "Total,14,1 a,3,9 b,11,11", "the lower level of 1 cells is cut at their value"},
		{"<freq> of a table", strings.Replace(table, `"V"`, "<freq>", 1) + "<READTABLE>\n" + end, "Total;14;9;S;0;0\na;3;2;S;0;0\nb;11;7;S;;\n", levels, "Total,9,1 a,2,1 b,7,1", ""},
		{"READTABLE 1F", table + "<READTABLE> 1F\n" + end, "Total;99;U\na;3;S\nb;1;S\n", rda, "Total,4,1 a,3,1 b,1,1", ""},
		{"READTABLE 1 where the margins add up", table + "<READTABLE> 1\n" + end, "Total;4;U\na;3;S\nb;1;S\n", rda, "Total,4,9 a,3,1 b,1,1", "written without SUPPRESS: readers can compute its 1 unsafe cells"},
		{"COVER", table + "<COVER>\n<READTABLE>\n" + end, "Total;99;S\na;3;S\nb;1;S\n", rda, "Total,99,1 a,3,1 b,1,1", ""},
		{"ANCO, JJ, SILENT", "<SILENT>\n<ANCO>\n<JJ> \"x.jj\"\n" + table + "<READTABLE>\n" + end, "a;3;S\nb;1;S\n", rda, "Total,4,1 a,3,1 b,1,1", ""},
		{"a missing number of SAS", micro + "<SAFETYRULE> FREQ(1,10)\n<READMICRODATA>\n" + end, "a;.\na;2\nb;1\n", flat, "Total,3,1 a,2,1 b,1,1", "Variable V: 1 amounts are missing and count as 0"},
		{"contributions where records are counted", strings.Replace(micro, `"V"`, "<freq>", 1) + "<SAFETYRULE> FREQ(2,20)|P(20,5)|wgt(0)\n<READMICRODATA>\n" + end, "a;7\na;2\nb;1\n", flat, "Total,3,1 a,2,1 b,1,5", "Table 1 counts records"},
		{"a code twice in a hierarchy that no table uses", micro + "<SAFETYRULE> FREQ(1,10)\n<READMICRODATA>\n" + end, "a;x;2\nb;x;1\n", twice, "Total,3,1 A,3,1 a,2,1 b,1,1", ""},
		{"recoding by codes without records, and without others below them", micro + "<SAFETYRULE> FREQ(1,10)\n<READMICRODATA>\n<RECODE> 1,\"R\",\"r.grc\"\n" + end, "a;x;2\n", strings.ReplaceAll(twice, "q.hrc", "r.hrc"), "Total,2,1 A,2,1", ""},
		{"CLEAR", table + "<READTABLE>\n<CLEAR>\n" + micro + "<SAFETYRULE> FREQ(1,10)\n<READMICRODATA>\n" + end, "a;2\nb;1\n", "<SEPARATOR> \";\"\nR\n<RECODEABLE>\nV\n<NUMERIC>\n", "Total,3,1 a,2,1 b,1,1", ""},
	} {
		m := tc.rda
		if tc.name == "CLEAR" {
			m = flat
		}
		out, log, err := written(t, tc.batch, map[string]string{"t.tab": tc.data, "t.rda": tc.rda, "m.csv": tc.data, "m.rda": m, "r.hrc": "A\n@a\n@b\n", "q.hrc": "x\nx\n", "r.grc": "<TREERECODE>\nA\nb\n"})
		if got := strings.Join(strings.Fields(out), " "); err != nil || got != tc.want || !strings.Contains(log, tc.log) {
			t.Errorf("%s: %v\ngot  %s\nwant %s\n%s", tc.name, err, got, tc.want, log)
		}
	}
}
