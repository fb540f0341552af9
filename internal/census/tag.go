package census

import (
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
)

// A Tag says what a column contains, and so how its values match the categories of a table.
type Tag string

// The tags. Exact: a value is the code or the label of its category. Age: a number of years, in the narrowest
// band that contains it ("30～34歳", "30-34", "85歳以上", "85+", "Under 5 years"). Date: a date of birth, matched by
// the age on a given day. Region: a code of Japanese regions of 2, 5 or 6 digits, or a name.
const (
	Exact  Tag = "exact"
	Age    Tag = "age"
	Date   Tag = "date"
	Region Tag = "region"
)

// Tags lists all tags.
var Tags = []string{string(Exact), string(Age), string(Date), string(Region)}

// A Matcher finds the category of a value.
type Matcher struct {
	tag  Tag
	on   time.Time
	code map[string]int
	band []band
}

// A band is the ages from low to high.
type band struct{ low, high, at int }

// NewMatcher prepares the matching of a variable; on is the day on which ages are computed from dates of birth.
func NewMatcher(v Variable, tag Tag, on time.Time) *Matcher {
	m := &Matcher{tag: tag, on: on, code: map[string]int{}}
	for i := range v.Codes {
		for _, text := range []string{v.Codes[i], v.Labels[i]} {
			for _, key := range m.keys(text) {
				if _, dup := m.code[key]; !dup {
					m.code[key] = i
				}
			}
		}
		low, high, ok := years(v.Labels[i])
		if !ok {
			low, high, ok = years(v.Codes[i])
		}
		if ok {
			m.band = append(m.band, band{low, high, i})
		}
	}
	return m
}

// keys returns what two texts for the same region or category have in common: a code of five digits, or a name.
func (m *Matcher) keys(text string) []string {
	text = strings.TrimSpace(text)
	if m.tag != Region {
		return []string{text}
	}
	text = norm.NFKC.String(text)
	if code, name, ok := strings.Cut(text, " "); ok && digits(code) {
		return []string{region(code), strings.TrimSpace(name)}
	}
	return []string{region(text)}
}

// region returns the code of a region with five digits, that of a prefecture padded with zeros.
func region(text string) string {
	switch {
	case !digits(text):
	case len(text) == 1:
		return "0" + text + "000"
	case len(text) == 2:
		return text + "000"
	case len(text) == 6:
		return text[:5] // the sixth digit is a check digit
	}
	return text
}

func digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// Match returns the category of a value, −1 for none.
func (m *Matcher) Match(value string) int {
	switch m.tag {
	case Age, Date:
		age, ok := m.age(value)
		if !ok {
			return -1
		}
		best, width := -1, 0
		for _, b := range m.band {
			if age >= b.low && age <= b.high && (best < 0 || b.high-b.low < width) {
				best, width = b.at, b.high-b.low
			}
		}
		return best
	}
	for _, key := range m.keys(value) {
		if at, ok := m.code[key]; ok {
			return at
		}
	}
	return -1
}

// age returns the age that a value tells.
func (m *Matcher) age(value string) (int, bool) {
	value = strings.TrimSpace(value)
	if m.tag == Age {
		n, err := strconv.Atoi(strings.TrimSuffix(norm.NFKC.String(value), "歳"))
		return n, err == nil && n >= 0
	}
	born, err := ParseDate(value)
	if err != nil || born.After(m.on) {
		return 0, false
	}
	n := m.on.Year() - born.Year()
	if m.on.Month() < born.Month() || m.on.Month() == born.Month() && m.on.Day() < born.Day() {
		n--
	}
	return n, true
}

// ParseDate reads 2001-02-03, 2001/2/3 or 20010203.
func ParseDate(text string) (time.Time, error) {
	for _, layout := range []string{"2006-1-2", "2006/1/2", "20060102"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, i18n.Errorf("%q: want a date like 2001-02-03", text)
}

// oldest is the upper end of an open-ended band.
const oldest = 999

var (
	bandFromTo = lazy.Regexp(`^(?:age[sd]? )?(\d{1,3}) ?(?:歳|years?)? ?(?:-|~|–|—|to|から) ?(\d{1,3}) ?(?:歳|years?)?(?: old| of age)?$`)
	bandFrom   = lazy.Regexp(`^(?:age[sd]? )?(\d{1,3}) ?(?:歳|years?)? ?(?:\+|以上|~|-|and over|and older|years and over|or over|or more)(?: years)?$`)
	bandBelow  = lazy.Regexp(`^(?:(?:under|below|less than) (\d{1,3}) ?(?:years?)?|(\d{1,3}) ?歳?未満)$`)
	bandOne    = lazy.Regexp(`^(?:age[sd]? )?(\d{1,3}) ?(?:歳|years?)?(?: old)?$`)
)

// years reads the ages that the label of a category names.
func years(label string) (low, high int, ok bool) {
	text := strings.ToLower(strings.TrimSpace(norm.NFKC.String(label)))
	text = strings.NewReplacer("〜", "~", "∼", "~", "‐", "-", "−", "-").Replace(text)
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	if m := bandFromTo().FindStringSubmatch(text); m != nil {
		low, high = number(m[1]), number(m[2])
		return low, high, low <= high
	}
	if m := bandFrom().FindStringSubmatch(text); m != nil {
		return number(m[1]), oldest, true
	}
	if m := bandBelow().FindStringSubmatch(text); m != nil {
		high = number(m[1] + m[2])
		return 0, high - 1, high > 0
	}
	if m := bandOne().FindStringSubmatch(text); m != nil {
		return number(m[1]), number(m[1]), true
	}
	return 0, 0, false
}
