package layout

import "slices"

// ground replaces computed numbers among the sources of others by their own sources. Where each of two numbers may be
// computed from the other, as a total from a share, only the one that is called computed is taken to be; where both or
// neither are, none is.
func (s *surveyor) ground() {
	for _, said := range []bool{false, true} {
		for at, round := range s.rounds() {
			if round && s.found[at].said == said {
				delete(s.found, at)
			}
		}
	}
	type list = *fieldAt // where it begins in memory, as numbers computed from the same ones share the list
	plain, grounded := map[list]bool{}, map[list][]fieldAt{}
	for _, f := range s.found {
		if len(f.of) == 0 || plain[&f.of[0]] || grounded[&f.of[0]] != nil {
			continue
		}
		if of := &f.of[0]; slices.ContainsFunc(f.of, func(o fieldAt) bool { return s.found[o] != nil }) {
			grounded[of] = s.reach(f.of)
		} else {
			plain[of] = true
		}
	}
	for _, f := range s.found {
		if len(f.of) > 0 && !plain[&f.of[0]] {
			f.of = grounded[&f.of[0]]
		}
	}
}

// reach returns the numbers, each once, from which some numbers are computed in the end and which are not computed. A
// number of another measure tells nothing of the table by itself.
func (s *surveyor) reach(of []fieldAt) []fieldAt {
	all, seen := []fieldAt{}, map[fieldAt]bool{}
	var look func(of []fieldAt)
	look = func(of []fieldAt) {
		for _, o := range of {
			if seen[o] {
				continue
			}
			seen[o] = true
			if f := s.found[o]; f == nil {
				all = append(all, o)
			} else if f.how != asMeasure {
				look(f.of)
			}
		}
	}
	look(of)
	return all
}

// rounds reports of each computed number whether it is computed from itself by way of others. It is Tarjan's search for
// strongly connected components; the nodes are the numbers, and the lists of what they are computed from.
func (s *surveyor) rounds() map[fieldAt]bool {
	type node struct {
		at   fieldAt
		list *fieldAt // of a list: where it begins
	}
	round := map[fieldAt]bool{}
	order, low, on := map[node]int{}, map[node]int{}, map[node]bool{}
	var stack []node
	var visit func(v node, of []fieldAt)
	visit = func(v node, of []fieldAt) {
		order[v] = len(order)
		low[v] = order[v]
		stack, on[v] = append(stack, v), true
		next := func(w node, of []fieldAt) {
			if _, seen := order[w]; !seen {
				visit(w, of)
				low[v] = min(low[v], low[w])
			} else if on[w] {
				low[v] = min(low[v], order[w])
			}
		}
		switch {
		case v.list != nil:
			for _, o := range of {
				if f := s.found[o]; f != nil && f.how != asMeasure {
					next(node{at: o}, f.of)
				}
			}
		case len(of) > 0:
			next(node{list: &of[0]}, of)
		}
		if low[v] < order[v] {
			return
		}
		alone := stack[len(stack)-1] == v
		for on[v] {
			w := stack[len(stack)-1]
			stack, on[w] = stack[:len(stack)-1], false
			if w.list == nil && !alone {
				round[w.at] = true
			}
		}
	}
	for at, f := range s.found {
		if _, seen := order[node{at: at}]; !seen {
			visit(node{at: at}, f.of)
		}
	}
	return round
}
