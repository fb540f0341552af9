package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExample opens the file of the example in the help at the first try.
func TestExample(t *testing.T) {
	t.Parallel()
	v := open(t, "../../testdata/establishments.xlsx")
	v.opened()
	if js[bool](v, `!!document.querySelector(".problem")`) {
		t.Error(v.says())
	}
}

// TestDirections shows marks that would turn names about, in the name of a file, a dimension, a code and a message, and obeys none of them.
func TestDirections(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "turned\u202efdp.csv")
	if err := os.WriteFile(path, []byte("re\u2066gion,size,value,freq\nTotal,Total,10,10\na\u202eb,Total,4,4\nc,Total,6,6\nTotal,x\u200f,7,7\na\u202eb,x\u200f,3,3\nc,x\u200f,4,4\nTotal,y,3,3\na\u202eb,y,1,1\nc,y,2,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	v := open(t, path)
	v.opened()
	v.click(".cell")
	v.settled()
	for _, tab := range []string{"open", "sheet", "table"} {
		v.tab(tab)
		v.settled()
		v.shot(tab)
		if got := js[string](v, `[document.title, document.body.innerText, ...[...document.querySelectorAll("[title], [aria-label]")].map((e) => e.title + e.ariaLabel)].join(" ")`); strings.ContainsAny(got, "\u202e\u2066\u200f") {
			t.Errorf("%s obeys: %+q", tab, got)
		}
	}
	if got := js[string](v, `document.querySelector("#top").textContent + document.querySelector(".grid").textContent`); !strings.Contains(got, `turned\u202efdp`) || !strings.Contains(got, `a\u202eb`) || !strings.Contains(got, `re\u2066gion`) {
		t.Errorf("%+q", got)
	}
}

// TestStopped stops a file that comes and one that is read, both of which show how far they are.
func TestStopped(t *testing.T) {
	v := open(t)
	v.until(`document.querySelector("#version")`)
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("a,b,value\nTotal,Total,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	js[bool](v, `(() => {
		const f = window.fetch;
		window.fetch = (at, o) => at !== "/api/open" ? f(at, o) : Promise.resolve(new Response(new ReadableStream({ start(c) {
			c.enqueue(new TextEncoder().encode('event: event\ndata: {"reading":{"done":12000000,"total":36000000}}\n\n'));
			o.signal.addEventListener("abort", () => c.error(o.signal.reason));
		} }), { headers: { "Content-Type": "text/event-stream" } }));
		return true;
	})()`)
	v.choose(path)
	v.until(`document.querySelector(".awaited")?.textContent.includes("12 / 36 MB")`)
	v.shot("reading")
	v.click(".awaited button")
	v.until(`!document.querySelector(".awaited")`)
	v.settled()
	if got := v.says(); got != "Stopped" {
		t.Error(got)
	}
	js[bool](v, `(() => { XMLHttpRequest.prototype.send = function () { this.upload.onprogress({ loaded: 1e6, total: 9e6 }); }; XMLHttpRequest.prototype.abort = function () { this.onabort(); }; return true; })()`)
	v.choose(path)
	v.until(`document.querySelector(".awaited")?.textContent.includes("1 / 9 MB")`)
	v.click(".awaited button")
	v.until(`!document.querySelector(".awaited")`)
	v.settled()
}
