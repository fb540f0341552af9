package layout

// cycle returns how many labels there are before all of them come again, in the same order, up to the end; 0 if they do
// not.
func cycle(n int, same func(i, j int) bool) int {
	for p := 2; 2*p <= n; p++ {
		if n%p != 0 {
			continue
		}
		all := true
		for i := p; i < n && all; i++ {
			all = same(i, i-p)
		}
		if all {
			return p
		}
	}
	return 0
}

// centred returns, where the labels of inner come again and again in the same order, for each of n rows or columns the
// index of its label of outer: the one beside its group, be it at the beginning, in the middle or at the end. It
// returns nil if a group has several labels, or if all stand at the beginning, where they are found anyway. bare says
// that groups may have no label, for which the index is −1.
func centred(n int, same func(i, j int) bool, outer func(i int) string, bare bool) []int {
	p := cycle(n, same)
	if p == 0 {
		return nil
	}
	at, aside := make([]int, n), false
	seen := map[string]bool{}
	for g := 0; g < n; g += p {
		of := -1
		for i := g; i < g+p; i++ {
			switch s := outer(i); {
			case s == "":
			case of >= 0 && s != outer(of):
				return nil
			case of < 0:
				of = i
				aside = aside || i > g
			}
		}
		switch {
		case of < 0 && !bare:
			return nil
		case of >= 0 && !bare && seen[outer(of)]:
			return nil
		case of >= 0:
			seen[outer(of)] = true
		}
		for i := g; i < g+p; i++ {
			at[i] = of
		}
	}
	if !aside || len(seen) < 2 {
		return nil
	}
	return at
}

// centre gives all rows of a group the label of outer that stands in its middle.
func centre(outer, inner *level, bare bool) {
	at := centred(len(outer.at), func(i, j int) bool { return inner.at[i].key() == inner.at[j].key() }, func(i int) string { return outer.at[i].label }, bare)
	if at == nil || inner.at[0].label == "" {
		return
	}
	old := append([]entry(nil), outer.at...)
	for i, of := range at {
		if outer.at[i] = (entry{}); of >= 0 {
			outer.at[i] = old[of]
		}
	}
}

// letters joins the letters of words that are written from top to bottom beside the rows of a group that ends with its
// total: 北, 海, 道 beside 札幌, 函館, 旭川, 計. A name of two letters, one in each column, stays one: 東, 京.
func letters(outer, inner *level) bool {
	n := len(outer.at)
	one := func(s string) bool { return len([]rune(s)) == 1 }
	totals, most := 0, 0
	for i := range n {
		if s := outer.at[i].label; s != "" && !one(s) || inner.at[i].label == "" && i+1 < n {
			return false
		}
		if isBareTotal(inner.at[i].label) {
			totals++
		}
	}
	type word struct{ from, to int }
	var groups []word
	from := 0
	for i := range n {
		if isBareTotal(inner.at[i].label) {
			groups = append(groups, word{from, i + 1})
			from = i + 1
		}
	}
	if totals < 2 || from < n {
		return false
	}
	seen := map[string]bool{}
	joined := make([]entry, n) // such names, which replace both labels
	words := make([]entry, n)
	for _, g := range groups {
		w, count := "", 0
		for i := g.from; i < g.to; i++ {
			o, in := outer.at[i].label, inner.at[i].label
			if o != "" && one(in) && (g.to-g.from == 1 || !isBareTotal(in)) {
				joined[i] = entry{label: o + in, raw: o + in}
				continue
			}
			if o != "" {
				count++
			}
			w += o
		}
		if g.to-g.from > 1 && (w == "" || seen[w]) {
			return false
		}
		seen[w] = true
		most = max(most, count)
		for i := g.from; i < g.to; i++ {
			words[i] = entry{label: w, raw: w}
		}
	}
	if most < 2 {
		return false
	}
	for i := range n {
		if outer.at[i] = words[i]; joined[i].label != "" {
			outer.at[i], inner.at[i] = joined[i], entry{}
		}
	}
	return true
}
