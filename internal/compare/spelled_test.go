package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/risk"
)

// spelled reads a release of one column, and tells whether each of its values stands for those of which it was made and for no others.
func spelled(t *testing.T, original []string, code func(string) string) (told string) {
	t.Helper()
	return spelledAs(t, original, code, Reading{})
}

// spelledAs does so with what is known of the column.
func spelledAs(t *testing.T, original []string, code func(string) string, known Reading) (told string) {
	t.Helper()
	dir := t.TempDir()
	release := make([]string, len(original))
	for i, x := range original {
		release[i] = code(x)
	}
	files, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1"}, nil, column(t, dir, "a.csv", original), column(t, dir, "b.csv", release))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Understand(files[0], files[1], nil, 0, nil, known)
	if err != nil {
		return "refused"
	}
	for i, x := range original {
		for j, y := range release {
			if got := m.holds(files[0].ID[0][i], files[1].ID[0][j]); got != (release[i] == y) {
				return fmt.Sprintf("%s in %s: %v", x, y, got)
			}
		}
	}
	var forms []string
	for _, f := range m.Forms {
		forms = append(forms, f.String())
	}
	return strings.Join(forms, ", ")
}

// Values are read as sets in the spellings of offices and programs, where these can mean one thing only.
func TestSpelled(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 41))
	pick := func(n int, of func() string) (list []string) {
		for range n {
			list = append(list, of())
		}
		return list
	}
	age := pick(600, func() string { return fmt.Sprint(rng.IntN(100)) })
	zip := pick(300, func() string { return fmt.Sprint(84700 + rng.IntN(99)) })
	letter := pick(300, func() string { return string(rune('A' + rng.IntN(9))) })
	disease := pick(300, func() string { return fmt.Sprintf("%c%02d%d", 'A'+rng.IntN(3), rng.IntN(20), rng.IntN(4)) })
	word := pick(300, func() string { return []string{"single", "married", "widowed", "divorced"}[rng.IntN(4)] })
	uk := pick(300, func() string {
		return fmt.Sprintf("SW%d %d%c%c", 1+rng.IntN(9), rng.IntN(9), 'A'+rng.IntN(9), 'A'+rng.IntN(9))
	})
	number := func(x string) int { n, _ := strconv.Atoi(x); return n }
	ends := func(low, high string, least, most int) func(string) string { // least and most are the first that are coded
		return func(x string) string {
			switch n := number(x); {
			case n <= least:
				return low
			case n >= most:
				return high
			default:
				return fmt.Sprintf("%d-%d", max(n/10*10, least+1), min(n/10*10+9, most-1))
			}
		}
	}
	mask := func(sign string, n int) func(string) string {
		return func(x string) string { return x[:len(x)-n] + strings.Repeat(sign, n) }
	}
	braces := func(form string, sets ...[]string) func(string) string {
		return func(x string) string {
			for _, set := range sets {
				if slices.Contains(set, x) {
					return fmt.Sprintf(form, strings.Join(set, ","))
				}
			}
			return x
		}
	}
	for name, c := range map[string]struct {
		original []string
		code     func(string) string
		want     string
	}{
		"under, and over":     {age, ends("under 10", "80 and over", 9, 80), "intervals"},
		"Under, over":         {age, ends("Under 10", "over 79", 9, 80), "intervals"},
		"over with its end":   {age, ends("under 10", "over 80", 9, 80), "intervals"},
		"less than, at least": {age, ends("less than 10", "at least 80", 9, 80), "intervals"},
		"up to, more than":    {age, ends("up to 9 years", "more than 79", 9, 80), "intervals"},
		"or less, or older":   {age, ends("9 or less", "80 or older", 9, 80), "intervals"},
		"and younger":         {age, ends("9 and younger", "80 and older", 9, 80), "intervals"},
		"years and over":      {age, ends("10 years and under", "65 years and over", 10, 65), "intervals"},
		"65+":                 {age, ends("<= 9", "65+", 9, 65), "intervals"},
		"waves":               {age, ends("～9歳", "80歳～", 9, 80), "intervals"},
		"decades":             {age, func(x string) string { return fmt.Sprintf("%ds", number(x)/10*10) }, "intervals"},
		"decades with under": {age, func(x string) string {
			return []string{"under 10", fmt.Sprintf("%ds", number(x)/10*10)}[min(1, number(x)/10)]
		}, "intervals"},
		"x":                 {zip, mask("x", 1), "masked values"},
		"X":                 {zip, mask("X", 2), "masked values"},
		"#":                 {zip, mask("#", 1), "masked values"},
		"_":                 {zip, mask("_", 2), "masked values"},
		"?":                 {zip, mask("?", 1), "masked values"},
		"×":                 {zip, mask("×", 1), "masked values"},
		"all masked":        {zip, mask("#", 5), "masked values"},
		"masked letters":    {uk, mask("x", 3), "masked values"},
		"braces":            {letter, braces("{%s}", []string{"A", "B"}, []string{"C", "F"}), "values, sets in braces"},
		"braces of numbers": {age, braces("{%s}", []string{"1", "2", "17"}, []string{"3", "40"}), "values, sets in braces"},
		"braces of words":   {word, braces("{%s}", []string{"single", "widowed"}, []string{"married", "divorced"}), "sets in braces"},
		"ranges of letters": {letter, func(x string) string { return []string{"A-C", "D-F", "G-I"}[(x[0]-'A')/3] }, "ranges of codes"},
		"ranges of codes": {disease, func(x string) string {
			n := number(x[1:3]) / 5 * 5
			return fmt.Sprintf("%c%02d-%c%02d", x[0], n, x[0], n+4)
		}, "ranges of codes"},
	} {
		if got := spelled(t, c.original, c.code); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// What may mean several things, or none, is refused.
func TestNotSpelled(t *testing.T) {
	t.Parallel()
	list := func(values string) []string { return slices.Repeat(strings.Fields(values), 20) }
	one := func(from, to string) func(string) string {
		return func(x string) string {
			if x == from {
				return to
			}
			return x
		}
	}
	// What takes the place of one value, beside all others, is told by the numbers of records, and by nothing else.
	const rest = "values, what no other value stands for"
	for name, c := range map[string]struct {
		original []string
		code     func(string) string
		want     string
	}{
		"a word with x":               {list("mild misled big"), one("mild", "mix"), rest},
		"x is a sign of values":       {list("10x 11x 12y"), one("10x", "1xx"), rest},
		"a word with a hyphen":        {list("Asian White Black"), one("Asian", "Asian-Pac"), rest},
		"numbers of several lengths":  {list("A1 A2 A3 A10 A11"), one("A2", "A2-A3"), rest},
		"a range the wrong way round": {list("A B C"), one("A", "C-A"), rest},
		"braces with a comma within":  {list("a,b a b"), one("a", "{a,b}"), rest},
		"braces of nothing known":     {list("a b c"), one("a", "{x,y}"), rest},
		"day or month first":          {list("03/04/1952 05/06/1952 07/08/1953"), func(x string) string { return x[6:] + "-" + x[:2] }, "refused"},
		"amounts of other sizes":      {list("100 150 200"), func(x string) string { return x[:1] + "k" }, "refused"},
		"a pair that is no range": {list("AK AZ CA NV TX"), func(x string) string {
			switch x {
			case "AK", "TX":
				return "AK-TX"
			}
			return x
		}, "refused"},
	} {
		if got := spelled(t, c.original, c.code); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// Intervals in words of any language, with any signs between their ends, are read where they divide the values of the original; so are parts of dates.
func TestWorded(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 45))
	var age, income, day, middle, large, year, turn, compact, slashed, dotted, wide []string
	for range 500 {
		age = append(age, fmt.Sprint(rng.IntN(90)))
		income = append(income, fmt.Sprint(1000+rng.IntN(8000)))
		day = append(day, fmt.Sprintf("19%02d-%02d-%02d", 50+rng.IntN(20), 1+rng.IntN(12), 1+rng.IntN(28)))
		middle = append(middle, fmt.Sprint(rng.IntN(90)))
		large = append(large, fmt.Sprint(1000000+rng.IntN(3000000)))
		year = append(year, fmt.Sprint(1946+rng.IntN(30)))
		turn = append(turn, fmt.Sprintf("19%02d-%02d-%02d", 88+rng.IntN(4), 1+rng.IntN(3), 1+rng.IntN(28)))
		wide = append(wide, fmt.Sprint(int(100*math.Exp(5*rng.Float64()))))
		compact = append(compact, strings.ReplaceAll(day[len(day)-1], "-", ""))
		slashed = append(slashed, fmt.Sprintf("%02d/%02d/19%02d", 1+rng.IntN(28), 1+rng.IntN(12), 50+rng.IntN(20)))
		dotted = append(dotted, strings.ReplaceAll(slashed[len(slashed)-1], "/", "."))
	}
	number := func(x string) int { n, _ := strconv.Atoi(x); return n }
	bands := func(format, low, high string, less int) func(string) string {
		return func(x string) string {
			switch n := number(x); {
			case n < 20 && low != "":
				return fmt.Sprintf(low, 20)
			case n >= 60 && high != "":
				return fmt.Sprintf(high, 60)
			default:
				return fmt.Sprintf(format, n/10*10, n/10*10+10-less)
			}
		}
	}
	thousands := func(format string, less int) func(string) string {
		return func(x string) string {
			n := number(x) / 1000
			if less > 0 {
				return fmt.Sprintf(format, n, n)
			}
			return fmt.Sprintf(format, n, n+1)
		}
	}
	for name, x := range map[string]struct {
		original []string
		code     func(string) string
		want     string
	}{
		"bis unter":   {age, bands("%d bis unter %d Jahre", "unter %d Jahre", "%d Jahre und älter", 0), "intervals"},
		"bis":         {age, bands("von %d bis %d", "bis unter %d", "ab %d", 1), "intervals"},
		"à":           {age, bands("de %d à %d ans", "moins de %d ans", "%d ans et plus", 1), "intervals"},
		"a":           {age, bands("de %d a %d años", "menos de %d", "%d y más", 1), "intervals"},
		"以上未満":        {age, bands("%d歳以上%d歳未満", "%d歳未満", "%d歳以上", 0), "intervals"},
		"から":          {age, bands("%d歳から%d歳まで", "", "%d歳以上", 1), "intervals"},
		"inequality":  {age, bands("%d<=x<%d", "x<%d", "x>=%d", 0), "intervals"},
		"brackets":    {age, bands("[%d..%d]", "", "", 1), "intervals"},
		"Age":         {age, bands("Age %d-%d", "Age <%d", "Age %d+", 1), "intervals"},
		"grouped":     {income, thousands("$%d,000 - $%d,999", 1), "intervals"},
		"points":      {income, thousands("%d.000 bis unter %d.000", 0), "intervals"},
		"overlap":     {age, func(x string) string { return fmt.Sprintf("class %d of %d", number(x)%7, 7+number(x)%7) }, "refused"},
		"middles":     {middle, func(x string) string { return fmt.Sprint(number(x)/5*5 + 2) }, "numbers rounded half up to multiples of 5"},
		"ends":        {middle, func(x string) string { return fmt.Sprint(number(x)/10*10 + 9) }, "numbers rounded always up to multiples of 10"},
		"quarters":    {day, func(x string) string { return fmt.Sprintf("%s-Q%d", x[:4], (number(x[5:7])+2)/3) }, "parts of dates"},
		"months":      {day, func(x string) string { return x[5:7] + "/" + x[:4] }, "parts of dates"},
		"年月":          {day, func(x string) string { return fmt.Sprintf("%s年%d月", x[:4], number(x[5:7])) }, "parts of dates"},
		"decades":     {day, func(x string) string { return x[:3] + "0s" }, "parts of dates"},
		"month words": {day, func(x string) string { return time.Month(number(x[5:7])).String()[:3] + " " + x[:4] }, "parts of dates"},
		"Monat": {day, func(x string) string {
			return []string{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"}[number(x[5:7])-1] + " " + x[:4]
		}, "parts of dates"},
		"昭和":     {day, func(x string) string { return fmt.Sprintf("昭和%d年", number(x[:4])-1925) }, "parts of dates"},
		"S27.9":  {day, func(x string) string { return fmt.Sprintf("S%d.%d", number(x[:4])-1925, number(x[5:7])) }, "parts of dates"},
		"昭和30年代": {year, func(x string) string { return fmt.Sprintf("昭和%d年代", (number(x)-1925)/10*10) }, "parts of dates"},
		"eras": {turn, func(x string) string {
			switch {
			case x < "1989-01-08":
				return fmt.Sprintf("昭和%d年", number(x[:4])-1925)
			case x < "1990":
				return "平成元年"
			}
			return fmt.Sprintf("H%d", number(x[:4])-1988)
		}, "parts of dates"},
		"years of eras":   {year, func(x string) string { return fmt.Sprintf("昭和%d年", number(x)-1925) }, "parts of dates"},
		"days to months":  {compact, func(x string) string { return x[:4] + "-" + x[4:6] }, "parts of dates"},
		"slashes":         {slashed, func(x string) string { return x[6:] + "-" + x[3:5] }, "parts of dates"},
		"points of dates": {dotted, func(x string) string { return x[3:] }, "parts of dates"},
		"before and since": {day, func(x string) string {
			switch {
			case x < "1955":
				return "before 1955"
			case x >= "1965":
				return "since 1965"
			}
			return x[:7]
		}, "parts of dates"},
		"以前": {year, func(x string) string {
			switch {
			case x <= "1955":
				return "昭和30年以前"
			case x >= "1965":
				return "昭和40年以降"
			}
			return "昭和31年～昭和39年"
		}, "parts of dates"},
		"k": {income, func(x string) string {
			n := number(x) / 500 * 5
			return fmt.Sprintf("%gk-%gk", float64(n)/10, float64(n+5)/10)
		}, "intervals"},
		"2-3k":        {income, func(x string) string { return fmt.Sprintf("%d-%dk", number(x)/1000, number(x)/1000+1) }, "intervals"},
		"brackets, k": {income, func(x string) string { return fmt.Sprintf("(%dk, %dk]", (number(x)-1)/1000, (number(x)-1)/1000+1) }, "intervals"},
		"under, k": {income, func(x string) string {
			switch n := number(x); {
			case n < 2000:
				return "under $2k"
			case n >= 5000:
				return "$5k or more"
			default:
				return fmt.Sprintf("$%dk-$%dk", n/1000, n/1000+1)
			}
		}, "intervals"},
		"万円": {large, func(x string) string {
			return fmt.Sprintf("%d万円以上%d万円未満", number(x)/100000*10, number(x)/100000*10+10)
		}, "intervals"},
		"m":               {large, func(x string) string { return fmt.Sprintf("%.1fm", float64(number(x)/100000)/10) }, "numbers rounded always down to multiples of 100000"},
		"dollars":         {large, func(x string) string { return fmt.Sprintf("$%d,%d00,000", number(x)/1000000, number(x)/100000%10) }, "numbers rounded always down to multiples of 100000"},
		"grouped exactly": {income, func(x string) string { return x[:1] + "," + x[1:] }, "values"},
		"digits":          {income, func(x string) string { return fmt.Sprint((number(x) + 50) / 100 * 100) }, "numbers rounded half up to multiples of 100"},
		"two digits": {wide, func(x string) string {
			n, step := number(x), int(math.Pow10(len(x)-2))
			return fmt.Sprint((n + step/2) / step * step)
		}, "numbers rounded half up, with 2 digits"},
		"Euro":    {income, func(x string) string { return x[:1] + ".000 €" }, "numbers rounded always down to multiples of 1000"},
		"from to": {day, func(x string) string { return x[:7] + "-01/" + x[:7] + "-31" }, "parts of dates"},
	} {
		if got := spelledAs(t, x.original, x.code, Reading{}); got != x.want {
			t.Errorf("%s: %s, want %s", name, got, x.want)
		}
	}
	regions := []string{"A1", "A2", "B1", "B2", "B3"}
	var region []string
	for range 200 {
		region = append(region, regions[rng.IntN(5)])
	}
	for _, sign := range []string{"|", "/", " or "} {
		code := func(x string) string {
			return map[byte]string{'A': "A1" + sign + "A2", 'B': "B1" + sign + "B2" + sign + "B3"}[x[0]]
		}
		if got := spelled(t, region, code); got != "sets in braces" {
			t.Errorf("%q: %s", sign, got)
		}
	}
}

// The ends of half-open intervals and dates, negative numbers among them, are read by what they say.
func TestHalfOpen(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 47))
		var age, code, day, year, signed, rate []string
		for range 500 {
			age = append(age, fmt.Sprint(rng.IntN(90)))
			code = append(code, fmt.Sprintf("%d%04d", 5+rng.IntN(3), rng.IntN(3000)))
			day = append(day, fmt.Sprintf("19%02d-%02d-%02d", 40+rng.IntN(20), 1+rng.IntN(12), 1+rng.IntN(28)))
			year = append(year, fmt.Sprint(1940+rng.IntN(60)))
			signed = append(signed, fmt.Sprint(rng.IntN(81)-40))
			rate = append(rate, fmt.Sprint(rng.IntN(100)))
		}
		number := func(x string) int { n, _ := strconv.Atoi(x); return n }
		down := func(n, by int) int { return n - ((n%by)+by)%by }
		top := func(low, high string, from, to string) func(string) string {
			return func(x string) string {
				switch {
				case x < from:
					return low
				case x >= to:
					return high
				}
				return x[:4]
			}
		}
		for name, c := range map[string]struct {
			original []string
			code     func(string) string
			want     string
		}{
			"points":      {code, func(x string) string { return x[:3] + ".." }, "masked values"},
			"hyphens":     {code, func(x string) string { return x[:1] + "----" }, "masked values"},
			"two hyphens": {code, func(x string) string { return x[:3] + "--" }, "masked values"},
			"in 1940":     {day, func(x string) string { return "in " + x[:4] }, "parts of dates"},
			"in 1940-03":  {day, func(x string) string { return "in " + x[:7] }, "parts of dates"},
			"1940年中":      {day, func(x string) string { return x[:4] + "年中" }, "parts of dates"},
			"before month": {day, func(x string) string {
				if x < "1950-03" {
					return "before 1950-03"
				}
				return x[:7]
			}, "parts of dates"},
			"points of ages": {age, func(x string) string {
				if number(x) >= 60 {
					return "60..."
				}
				return x
			}, "values, intervals"},
			"before, from": {day, top("before 1945", "from 1955", "1945", "1955"), "parts of dates"},
			"-1944, 1955-": {day, top("-1944", "1955-", "1945", "1955"), "parts of dates"},
			"1945年前":       {day, top("1945年より前", "1955年以降", "1945", "1955"), "parts of dates"},
			"years from":   {year, top("before 1950", "from 1985", "1950", "1985"), "values, parts of dates"},
			"years -":      {year, top("1949 or earlier", "1985-", "1950", "1985"), "values, parts of dates"},
			"ages -": {age, func(x string) string {
				if number(x) >= 60 {
					return "60-"
				}
				return x
			}, "values, intervals"},
			"-19, 60..": {age, func(x string) string {
				switch n := number(x); {
				case n < 20:
					return "-19"
				case n >= 60:
					return "60.."
				}
				return x
			}, "values, intervals"},
			"-1949": {year, func(x string) string {
				if x < "1950" {
					return "-1949"
				}
				return x
			}, "values, parts of dates"},
			"1940-49":      {year, func(x string) string { n := down(number(x), 10); return fmt.Sprintf("%d-%d", n, (n+9)%100) }, "intervals"},
			"昭和":           {day, func(x string) string { return "昭和" }, "parts of dates"},
			"negative to":  {signed, func(x string) string { n := down(number(x), 10); return fmt.Sprintf("%d to %d", n, n+9) }, "intervals"},
			"negative [,)": {signed, func(x string) string { n := down(number(x), 10); return fmt.Sprintf("[%d,%d)", n, n+10) }, "intervals"},
			"negative -":   {signed, func(x string) string { n := down(number(x), 10); return fmt.Sprintf("%d-%d", n, n+9) }, "intervals"},
			"minus sign": {signed, func(x string) string {
				n := down(number(x), 10)
				return strings.ReplaceAll(fmt.Sprintf("%d to %d", n, n+9), "-", "−")
			}, "intervals"},
			"から":       {signed, func(x string) string { n := down(number(x), 10); return fmt.Sprintf("%dから%dまで", n, n+9) }, "intervals"},
			"(] years": {age, func(x string) string { n := down(number(x)-1, 10); return fmt.Sprintf("(%d,%d] years", n, n+10) }, "intervals"},
			"[)歳":      {age, func(x string) string { n := down(number(x), 10); return fmt.Sprintf("[%d,%d)歳", n, n+10) }, "intervals"},
			"€ -":      {rate, func(x string) string { n := down(number(x), 10); return fmt.Sprintf("€ %d-%d", n, n+10) }, "intervals"},
			"€ – of 9": {rate, func(x string) string { n := down(number(x), 10); return fmt.Sprintf("€ %d–%d", n, n+9) }, "intervals"},
			"– %":      {rate, func(x string) string { n := down(number(x), 10); return fmt.Sprintf("%d–%d %%", n, n+10) }, "intervals"},
			"％":        {rate, func(x string) string { n := down(number(x), 10); return fmt.Sprintf("%d～%d％", n, n+9) }, "intervals"},
		} {
			if got := spelled(t, c.original, c.code); got != c.want {
				t.Errorf("%s: %s, want %s", name, got, c.want)
			}
		}
	}
}
