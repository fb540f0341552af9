package formats

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/firewall"
	"github.com/hitoku/hitoku/internal/test/must"
)

// TestSaveNew: where other values stand behind those of a table, no file has one of them beside its cell or, long as it is, anywhere.
func TestSaveNew(t *testing.T) {
	t.Parallel()
	in := must.Get(ReadFrom(strings.NewReader("r,value\na,12347\nb,33\nTotal,12380\n"), "t", Options{}))(t)
	in.Behind = in.Table
	in.Table = in.Table.Clone()
	for i, v := range in.Table.Value {
		in.Table.Value[i] = v / 5 * 5
	}
	for text, leaks := range map[string]bool{
		"r,value\na,12345\nb,30\nTotal,12380\n": false, "r,value,v\na,12345,1\nb,30,33\nTotal,12380,2\n": true, "r,value\na,12347\nb,30\nTotal,12380\n": true,
		"r,value\na,12345\nb,30\nTotal,12380\n# 12 347\n": true,
	} {
		path := filepath.Join(t.TempDir(), "out.csv")
		err := SaveNew(in, path, func(w io.Writer) error { _, err := fmt.Fprint(w, text); return err })
		var leak *firewall.Leak
		if _, missing := os.Stat(path); errors.As(err, &leak) != leaks || (missing != nil) != leaks {
			t.Errorf("%q: %v, want a leak: %v", text, err, leaks)
		}
	}
}
