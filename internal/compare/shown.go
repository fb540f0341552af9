package compare

import (
	"maps"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
)

// shown returns the meaning that the truth itself shows, for columns where some values contradict their reading or
// could not be read: each of these stands for the original values that went with it, as with classes that have names of
// their own or that of one of their values. Noise, swapping and synthesis are excluded by chance: they would rarely
// give all records of an original value the same released one, or released values that divide the original ones in
// their order ([reader.recoded]). sure is false if that chance is a thousandth or more; shown returns nil if an
// original value got several released ones or, when not sure, if most got one that no other got.
func (r *reader) shown(how *reading) (m *Meaning, sure bool) {
	sets, strange := make([]set, len(r.ids)), map[uint32]int{} // released values that need explaining, with their places
	at := map[uint32]int{}
	for n, id := range r.ids {
		at[id] = n
		var ok bool
		if sets[n], _, ok = r.read(id, r.texts[n], r.emptied, how); !ok {
			strange[id] = n
		}
	}
	for p := range r.pairs {
		if n := at[p[0]]; !r.contains(sets[n], p[1]) {
			strange[p[0]] = n
		}
	}
	got := map[uint32]uint32{} // by original value: the released one it got
	for p := range r.pairs {
		n, is := strange[p[0]]
		if !is || r.contains(sets[n], p[1]) {
			continue
		}
		if _, had := got[p[1]]; had {
			return nil, false
		}
		got[p[1]] = p[0]
	}
	sure = len(got) > 0 && r.recoded(got) < math.Log(0.001)
	different := map[uint32]bool{}
	for _, v := range got {
		different[v] = true
	}
	if !sure && 2*len(different) > len(got) {
		return nil, false
	}
	for _, n := range strange {
		sets[n] = set{}
	}
	for p := range r.pairs {
		if n, is := strange[p[0]]; is {
			sets[n].list = append(sets[n].list, p[1])
		}
	}
	m = r.put(sets)
	m.Kind, m.Forms = Sets, []i18n.Text{i18n.T("values that the truth shows")}
	for p := range r.pairs { // some records of a value got another original value, and some did not
		v, changed := got[p[1]]
		if _, had := r.at[v]; changed && had && v != p[0] {
			m.exchanged, m.Guessed = true, true
		}
	}
	return m, sure
}

// recoded returns about the log of the chance that the pattern in got is accidental: that all records of an original
// value got the same of the other values, or that each of k released values stands for original values that follow one
// another, which for n_v of n values has the chance k!·Π n_v!/n!.
func (r *reader) recoded(got map[uint32]uint32) float64 {
	count := map[uint32]int{}
	for n, id := range r.ids {
		count[id] = r.count[n]
	}
	same := 0.0
	order := r.domain.ids
	if r.numeric {
		order = nil
		for _, p := range r.numbers {
			order = append(order, r.domain.ids[p])
		}
	}
	runs, n, of := 0, 0, map[uint32]int{}
	last, some := uint32(0), false
	for _, o := range order {
		v, ok := got[o]
		if !ok {
			continue
		}
		if records := r.pairs[[2]uint32{v, o}]; records > 1 {
			same += float64(records-1) * math.Log(min(1, float64(count[v])/float64(r.release.N-count[o])))
		}
		if !some || v != last {
			runs++
		}
		last, some = v, true
		n++
		of[v]++
	}
	if runs > len(of) {
		return same
	}
	lg := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
	divided := lg(len(of)) - lg(n)
	for _, x := range slices.Sorted(maps.Values(of)) {
		divided += lg(x)
	}
	return min(same, divided)
}
