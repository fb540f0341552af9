package compare

import (
	"maps"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
)

// shown is what the truth shows that the values of a column stand for, where some contradict it as they were read, or are not known: each of these for the values of the original that went with it, as
// classes do that have names of their own, or that of one of their values. Noise, swapping and synthesis are told from that by chance: records of the same value of the original would have got the
// same by it, or such that divide them in their order ([reader.recoded]). It is not sure where that is no less than a thousandth; nil where some value got several, or most got one that no other got.
func (r *reader) shown(how *reading) (m *Meaning, sure bool) {
	sets, strange := make([]set, len(r.ids)), map[uint32]int{} // and its place
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
	got := map[uint32]uint32{} // by value of the original
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
	for p := range r.pairs { // some records of a value got another of the original, and some did not
		v, changed := got[p[1]]
		if _, had := r.at[v]; changed && had && v != p[0] {
			m.exchanged, m.Guessed = true, true
		}
	}
	return m, sure
}

// recoded is the logarithm of about the chance that values of the original got by chance what they did, one of the others each, so that all records of one got the same; or that each stands on
// values that follow one another, k!·Π n_v!/n! for k of them on n_v of n values.
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
