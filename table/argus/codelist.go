package argus

import (
	"io"
	"strings"

	"github.com/hitoku/hitoku/table/tableio"
)

// A Label is what a code stands for.
type Label struct{ Code, Text string }

// readCodelist reads a .cdl file: a code, a comma and its label on each line. Labels
// may hold commas.
func readCodelist(path, encoding string) ([]Label, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readCodelistFrom(f, path, encoding)
}

// readCodelistFrom reads a code list from r, called file in messages.
func readCodelistFrom(r io.Reader, file, encoding string) ([]Label, error) {
	var labels []Label
	first := map[string]int{}
	err := eachLine(r, file, encoding, false, func(line int, text string) error {
		code, label, ok := strings.Cut(text, ",")
		code = Code(unquoted(code))
		switch {
		case !ok:
			return fault(file, line, tableio.Show(text), "want a code, a comma and a label")
		case code == "":
			return fault(file, line, tableio.Show(text), "want a code before the comma")
		case first[code] > 0:
			return fault(file, line, tableio.Show(code), "code given twice, first on line %d", first[code])
		}
		first[code] = line
		labels = append(labels, Label{code, unquoted(label)})
		return nil
	})
	if err != nil {
		return nil, err
	}
	if labels == nil {
		return nil, fault(file, 0, "", "the file is empty, want codes with labels")
	}
	return labels, nil
}

// unquoted is s without blanks around and without the quotes that enclose it.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if n := len(s); n >= 2 && s[0] == '"' && s[n-1] == '"' {
		return s[1 : n-1]
	}
	return s
}
