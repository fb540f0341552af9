package argus

import "testing"

func TestSummarise(t *testing.T) {
	tab := tabOf(t, sampleRDA, sampleTab, Options{})
	got := map[int]StatusSum{}
	for _, s := range Summarise(tab.Table, nil, WriteOptions{}) {
		got[s.Status] = s
	}
	for _, want := range []StatusSum{
		{1, "Safe", 5, "25", "305.5", "305.5"}, {9, "Unsafe (manual)", 1, "2", "50", "50"}, {10, "Protected", 1, "6", "90.5", "90.5"},
		{11, "Secondary", 1, "3", "28", "28"}, {14, "Empty", 1, "0", "0", "0"}, {0, "Total", 9, "36", "474", "474"}, {3, "Unsafe", 0, "0", "0", "0"},
	} {
		if got[want.Status] != want {
			t.Errorf("%+v, want %+v", got[want.Status], want)
		}
	}
	if len(got) != 13 {
		t.Errorf("%d rows", len(got))
	}
}
