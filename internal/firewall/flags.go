package firewall

import (
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// confidential are the codes of CL_CONF_STATUS that forbid the publication of a value.
const confidential = "CNAOTGMXPDS"

func isConfidential(code string) bool {
	return len(code) == 1 && strings.Contains(confidential, strings.ToUpper(code))
}

// flagged looks at the cells that the input flags as confidential: they may have no number.
func (w *wall) flagged(in *document) error {
	switch {
	case in == nil:
	case in.kind == lines:
		return w.flaggedLines(in)
	case in.kind == cube:
		return w.flaggedCube(in)
	case in.kind == tree:
		return w.flaggedMessage(in)
	}
	return nil
}

// valueNames are names of the column of values beside CONF_STATUS.
var valueNames = map[string]bool{"obs_value": true, "value": true, "obsvalue": true}

// flaggedLines reads the columns CONF_STATUS and EMBARGO_TIME. A line is identified by the fields before its
// value.
func (w *wall) flaggedLines(in *document) error {
	columns := func(fields []string) (value, conf, embargo int) {
		value, conf, embargo = -1, -1, -1
		for c, text := range fields {
			name, _, _ := strings.Cut(strings.ToLower(text), ":")
			if valueNames[name] && value < 0 {
				value = c
			}
			if name == "conf_status" && conf < 0 {
				conf = c
			}
			if strings.HasPrefix(name, "embargo") && embargo < 0 {
				embargo = c
			}
		}
		return value, conf, embargo
	}
	key := func(fields []string, value int) string { return strings.Join(fields[:value], "\x00") }
	secret := map[string]i18n.Text{} // and why
	value, conf, embargo := -1, -1, -1
	in.eachLine(func(_ int, fields []string) bool {
		if value < 0 || conf < 0 && embargo < 0 {
			value, conf, embargo = columns(fields)
			return true
		}
		switch {
		case len(fields) <= max(value, conf, embargo) || digits(fields[value]) == "":
		case conf >= 0 && isConfidential(fields[conf]):
			secret[key(fields, value)] = i18n.T("which the input calls confidential, has a value")
		case embargo >= 0 && fields[embargo] != "":
			secret[key(fields, value)] = keptBack(fields[embargo])
		}
		return true
	})
	if len(secret) == 0 {
		return nil
	}
	var leak *Leak
	now := -1
	w.out.eachLine(func(line int, fields []string) bool {
		if now < 0 {
			now, _, _ = columns(fields)
			return true
		}
		if len(fields) <= now || !isNumber(fields[now]) {
			return true
		}
		if why, ok := secret[key(fields, now)]; ok {
			leak = &Leak{w.file, i18n.T("line %d", line), nil, why}
		}
		return leak == nil
	})
	if leak != nil {
		return leak
	}
	return nil
}

// keptBack returns why a value under an embargo may not be in a file.
func keptBack(until string) i18n.Text {
	return i18n.T("which the input keeps back until %s, has a value (take the day out of the input once it has come)", until)
}

// isNumber reports whether a field is a single number, and neither an interval nor a mark.
func isNumber(text string) bool {
	n := 0
	numbers(strings.TrimLeft(text, "+-"), false, func(string) { n++ })
	return n == 1 && strings.Trim(text, "+-0123456789.,' \u00a0\u202fEe") == ""
}

// flaggedCube reads DATANOTECELL of a PC-Axis file whose notes say that its codes are those of CL_CONF_STATUS.
func (w *wall) flaggedCube(in *document) error {
	if !strings.Contains(in.text, "CL_CONF_STATUS") {
		return nil
	}
	c, err := readCube(in.text)
	if err != nil || len(c.flags) == 0 {
		return nil //nolint:nilerr // a file that this small reader does not follow has no flags for it
	}
	out, err := readCube(w.out.text)
	if err != nil || len(out.data) != len(c.data) {
		return i18n.Errorf("%s: cannot be read again beside its input, whose flags say what is confidential", w.file)
	}
	for at, codes := range c.flags {
		if isNumber(out.data[at]) {
			return &Leak{w.file, i18n.T("value %d of DATA", at+1), codes, i18n.T("which the input calls confidential, has a value")}
		}
	}
	return nil
}

// A pcaxis is what is read of a PC-Axis file: the data in order, and the codes of flagged cells by their index in
// it.
type pcaxis struct {
	data  []string
	flags map[int][]string
}

// readCube reads statements KEY(args)=values; with strings in quotes.
func readCube(s string) (*pcaxis, error) {
	c := &pcaxis{flags: map[int][]string{}}
	values := map[string][]string{}
	var stub, heading []string
	var flags [][2][]string
	for strings.TrimSpace(s) != "" {
		head, rest, ok := strings.Cut(s, "=")
		if !ok {
			break
		}
		name, args, _ := strings.Cut(head, "(")
		name = strings.ToUpper(strings.TrimSpace(name))
		name, _, _ = strings.Cut(name, "[")
		end, inside := 0, false
		for end < len(rest) && (inside || rest[end] != ';') {
			inside = inside != (rest[end] == '"')
			end++
		}
		body := rest[:end]
		s = strings.TrimPrefix(rest[end:], ";")
		switch name {
		case "STUB":
			stub = quoted(body)
		case "HEADING":
			heading = quoted(body)
		case "VALUES":
			if v := quoted(args); len(v) == 1 && !strings.Contains(head, "[") {
				values[v[0]] = quoted(body)
			}
		case "DATANOTECELL":
			flags = append(flags, [2][]string{quoted(args), quoted(body)})
		case "DATA":
			c.data = dataOf(body)
		}
	}
	dims := append(stub, heading...)
	cells := 1
	for _, d := range dims {
		cells *= len(values[d])
		if cells == 0 || int64(cells) > 1<<31 {
			return nil, i18n.Errorf("no values of %s", d)
		}
	}
	if cells != len(c.data) {
		return nil, i18n.Errorf("%d values for %d cells", len(c.data), cells)
	}
flags:
	for _, f := range flags {
		if len(f[0]) != len(dims) || len(f[1]) != 1 || !isConfidential(f[1][0]) {
			continue
		}
		at := 0
		for k, d := range dims {
			n := -1
			for i, v := range values[d] {
				if v == f[0][k] {
					n = i
				}
			}
			if n < 0 {
				continue flags
			}
			at = at*len(values[d]) + n
		}
		if isNumber(c.data[at]) {
			c.flags[at] = f[0]
		}
	}
	return c, nil
}

// quoted returns the strings in quotes; those next to each other without a comma are joined.
func quoted(s string) []string {
	var all []string
	joined := false
	for {
		_, rest, ok := strings.Cut(s, `"`)
		if !ok {
			return all
		}
		text, after, _ := strings.Cut(rest, `"`)
		if joined {
			all[len(all)-1] += text
		} else {
			all = append(all, text)
		}
		s = after
		next := strings.TrimSpace(s)
		joined = strings.HasPrefix(next, `"`)
	}
}

// dataOf returns the values of DATA: numbers, and marks in quotes.
func dataOf(s string) []string {
	var all []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if s[0] == '"' {
			text, rest, _ := strings.Cut(s[1:], `"`)
			all, s = append(all, text), rest
			continue
		}
		end := strings.IndexAny(s, " \t\r\n\"")
		if end < 0 {
			end = len(s)
		}
		all, s = append(all, s[:end]), s[end:]
	}
	return all
}
