package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/page"
	"github.com/hitoku/hitoku/internal/test/must"
)

// TestOpenRelease makes a release on the desk from what is proposed, and saves it only under the rules that it was made by.
func TestOpenRelease(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	var text strings.Builder
	text.WriteString("person,age,sex,illness\n")
	for i := range 60 {
		text.WriteString(strings.Join([]string{"P-" + string(rune('A'+i%26)) + string(rune('a'+i/26)), []string{"31", "32", "33", "51", "52", "58"}[i%6], "fm"[i%2 : i%2+1], []string{"asthma", "fracture", "migraine"}[i/7%3]}, ",") + "\n")
	}
	path := filepath.Join(t.TempDir(), "persons.csv")
	must.Do(t, os.WriteFile(path, []byte(text.String()), 0o600))
	id := d.upload(path)[0]
	p := ask[document.Proposal](d, "propose", call{"File": id})
	var roles []string
	for _, c := range p.Policy.Columns {
		if c.Reason == "" {
			t.Errorf("no reason for %s", c.Name)
		}
		roles = append(roles, c.Role)
	}
	if got := strings.Join(roles, " "); p.Records != 60 || got != "identifier quasi-identifier quasi-identifier sensitive" || p.Policy.Says["k"] != "5" || p.Policy.Confirmed {
		t.Fatalf("%d records, %s, %v", p.Records, got, p.Policy.Says)
	}
	for _, f := range append(p.Fields, p.Steps...) {
		if f.Help["en"] == "" || f.Help["ja"] == f.Help["en"] {
			t.Errorf("%+v", f)
		}
	}
	body := func() call { return call{"File": id, "Policy": p.Policy} }
	if _, err := try[document.MadeRelease](d, "release", body()); err == nil || !strings.Contains(err.Error(), "confirmed = false") {
		t.Errorf("nobody has confirmed the roles: %v", err)
	}
	p.Policy.Confirmed = true
	for field, bad := range map[string]string{"k": "few", "t": "2", "risk": "0"} {
		was := maps.Clone(p.Policy.Says)
		p.Policy.Says[field] = bad
		if _, err := try[document.MadeRelease](d, "release", body()); err == nil || page.FieldOf(err) != field {
			t.Errorf("%s = %s: %v", field, bad, err)
		}
		p.Policy.Says = was
	}
	made := ask[document.MadeRelease](d, "release", body())
	if !made.Kept || len(made.Says) > 0 || made.Boards["en"].Says == made.Boards["ja"].Says || len(made.Boards["en"].Parts) != 4 || !made.Boards["en"].Kept || len(made.Boards["ja"].Figure.Kinds) != 2 {
		t.Fatalf("%+v", made)
	}
	save := func(what string) (*page.File, error) {
		return try[*page.File](d, "out", call{"Release": made.Release, "What": what, "Rules": p.Policy, "Lang": "ja"})
	}
	dir := t.TempDir()
	for what, want := range map[string]string{"release": "age,sex,illness", "statement": "in-toto", "policy": "confirmed = true", "board": "公表してよいか", "seed": ""} {
		f, err := save(what)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if bytes.Contains(f.Content, []byte("P-A")) || bytes.Contains(f.Content, []byte(os.TempDir())) {
			t.Errorf("%s tells of persons or of folders", f.Name)
		}
		if !bytes.Contains(f.Content, []byte(want)) {
			t.Errorf("%s: %.200s", f.Name, f.Content)
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o600))
	}
	var out, words bytes.Buffer
	if code := verb(context.Background(), []string{"verify", filepath.Join(dir, "persons.release.json"), filepath.Join(dir, "persons.release.csv")}, &out, &words); code != 0 || !strings.Contains(out.String(), "confirmed") {
		t.Errorf("exit code %d: %s%s", code, out.String(), words.String())
	}
	p.Policy.Says["k"] = "6"
	for _, what := range []string{"release", "statement", "board", "policy", "seed"} {
		if _, err := save(what); err == nil || !strings.Contains(err.Error(), "roles or limits were changed") {
			t.Errorf("%s is saved under other rules: %v", what, err)
		}
	}
	// The policy that was saved is taken again as what it is, and the session has the release.
	policy := d.upload(filepath.Join(dir, "persons.policy.toml"))[0]
	if x := ask[document.Dropped](d, "dropped", call{"File": policy}); x.Kind != "release" || !x.Release.Confirmed || x.Release.Says["k"] != "5" || x.Release.Columns[0].Role != "identifier" {
		t.Errorf("%+v", x)
	}
	if s := ask[document.SessionState](d, "session", call{}); len(s.Releases) != 1 || s.Releases[0] != made.Release {
		t.Errorf("%+v", s.Releases)
	}
	// Another release takes the place of this one; one that does not keep its limits is not saved.
	p.Policy.Says["inference"] = "0"
	p.Policy.Says["k"] = "2"
	p.Policy.Says["l"] = ""
	last := ask[document.MadeRelease](d, "release", body())
	if last.Kept {
		t.Fatalf("%+v", last.Boards["en"])
	}
	if _, err := save("policy"); err == nil || !strings.Contains(err.Error(), "is not open any more") {
		t.Errorf("the release before: %v", err)
	}
	made = last
	if _, err := save("release"); err == nil || !strings.Contains(err.Error(), "not every limit is kept") {
		t.Errorf("a release that keeps no limit: %v", err)
	}
	if f, err := save("board"); err != nil || !bytes.Contains(f.Content, []byte("html")) {
		t.Error(err)
	}
}

// TestOpenReleaseStop stops a search, of which nothing is left then.
func TestOpenReleaseStop(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := d.upload("../../testdata/microdata/clinic.csv")[0]
	p := ask[document.Proposal](d, "propose", call{"File": id})
	p.Policy.Confirmed = true
	text := must.Get(json.Marshal(call{"File": id, "Policy": p.Policy, "Job": "m"}))(t)
	if _, err := d.Call(context.Background(), "release", text, func(any) { ask[struct{}](d, "stop", call{"Job": "m"}) }); err == nil || !strings.Contains(err.Error(), "stopped before there was a release") {
		t.Error(err)
	}
}
