package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// TestStopOpening stops the reading of a file before it begins, at its start and when it is read: nothing is open then.
func TestStopOpening(t *testing.T) {
	d := must.Get(newDesk(nil))(t)
	defer d.close()
	path := filepath.Join(t.TempDir(), "t.csv")
	var text strings.Builder
	text.WriteString("a,b,value\nTotal,Total,10000\n")
	for i := range 100 {
		fmt.Fprintf(&text, "a%d,Total,100\nTotal,b%d,100\n", i, i)
		for j := range 100 {
			fmt.Fprintf(&text, "a%d,b%d,1\n", i, j)
		}
	}
	must.Do(t, os.WriteFile(path, []byte(text.String()), 0o600))
	id := must.Get(d.place(path))(t)
	call := func(name, body string) error {
		_, err := d.Call(t.Context(), name, []byte(body), func(any) {})
		return err
	}
	must.Do(t, call("stop", `{"Job":"o1"}`))
	if err := call("open", `{"Job":"o1","Files":["`+id+`"]}`); !errors.Is(err, errStopped) {
		t.Error(err)
	}
	ctx, end := context.WithCancel(t.Context())
	if _, err := d.opened(ctx, openCall{Files: []string{id}}, func(done, total int64) error {
		if done != 0 || int(total) != text.Len() {
			t.Errorf("%d of %d bytes are read at the start", done, total)
		}
		end()
		return ctx.Err()
	}); err == nil {
		t.Error("a reading that was stopped went on")
	}
	ctx, end = context.WithCancel(t.Context())
	if _, err := d.opened(ctx, openCall{Files: []string{id}}, func(done, total int64) error {
		if done == total {
			end()
		}
		return nil
	}); !errors.Is(err, errStopped) {
		t.Error(err)
	}
	if len(d.tables) > 0 {
		t.Error("a table that was stopped is open")
	}
}
