package office_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/office"
	"github.com/hitoku/hitoku/table/tableio"
)

// A copy of a workbook lacks what is suppressed and what tells it, and has all else where it was.
func TestCopy(t *testing.T) {
	t.Parallel()
	book := must.Get(os.ReadFile("../testdata/establishments.xlsx"))(t)
	read := func(content []byte) *office.Table {
		file := must.Get(office.Read(bytes.NewReader(content), "establishments.xlsx", office.Options{}))(t)
		if a := file.Account(); len(a.Unknown) > 0 {
			t.Fatalf("unknown: %q", a.Unknown)
		}
		return must.Get(file.Table(tableio.Options{}))(t)
	}
	was := read(book)
	suppressed := make([]bool, was.Table.Len())
	hidden := map[string]bool{}
	for i, v := range was.Table.Value {
		if suppressed[i] = !was.Table.Known(i); v == 17 || v == 62 || v == 38 || v == 25 {
			suppressed[i] = true
		}
		hidden[was.Address(i)] = suppressed[i]
	}
	var out bytes.Buffer
	audit := must.Get(was.Write(&out, suppressed))(t)
	if audit.Suppressed != 4 || audit.Blanked == 0 || len(audit.Changes) == 0 {
		t.Errorf("%+v", audit)
	}
	now := read(out.Bytes())
	for i := range now.Table.Len() {
		if at := now.Address(i); now.Table.Known(i) == hidden[at] {
			t.Errorf("%s: known %v, suppressed %v", at, now.Table.Known(i), hidden[at])
		}
	}
}

// A file with a number that nothing explains gives no table until somebody has looked at it, and one that may be read in two ways none before
// somebody decides.
func TestRefusals(t *testing.T) {
	t.Parallel()
	stray := strings.Replace(employees, "(persons),,,", "(persons),,,4711", 1)
	file, err := office.Read(strings.NewReader(stray), "stray.csv", office.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := file.Account().Unknown; len(got) == 0 {
		t.Fatal("no unknown numbers")
	}
	if _, err := file.Table(tableio.Options{}); err == nil {
		t.Error("a table of a file with unknown numbers")
	}
	if file, err = office.Read(strings.NewReader(stray), "stray.csv", office.Options{LeaveAside: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Table(tableio.Options{}); err != nil {
		t.Error(err)
	}
	if _, err := office.Read(strings.NewReader(employees), "employees.csv", office.Options{Layout: []byte("formats = \"wide\"\n")}); err == nil {
		t.Error("a layout with a key that does not exist")
	}
	var bad *tableio.Error
	if _, err := office.Read(strings.NewReader("no numbers here\n"), "none.csv", office.Options{}); !errors.As(err, &bad) {
		t.Errorf("got %v, want a *tableio.Error", err)
	}
}
