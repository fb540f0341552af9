package nats

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/batch"
)

var hash = strings.Repeat("0a", 32)

func goodTask() *task {
	return &task{Key: hash, Input: "in/a b.csv", Output: "out/in/a b.csv", Files: map[string]string{"in/a b.csv": hash, "r.hrc": hash},
		Options: map[string][]string{"hierarchy": {"R=r.hrc"}, "nil": {"/,-"}, "below": {"5"}}}
}

// A message may ask for nothing outside the folder that a worker makes for it.
func TestTaskStaysInItsFolder(t *testing.T) {
	if err := goodTask().check(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*task){
		"absolute input":       func(m *task) { m.Input = "/etc/passwd" },
		"input above":          func(m *task) { m.Input = "../a.csv" },
		"absolute output":      func(m *task) { m.Output = "/tmp/x" },
		"output above":         func(m *task) { m.Output = "out/../../x" },
		"no output":            func(m *task) { m.Output = "" },
		"file above":           func(m *task) { m.Files["../x"] = hash },
		"file of another name": func(m *task) { m.Files["x"] = "../" + hash },
		"key":                  func(m *task) { m.Key = "../../x" },
		"hierarchy":            func(m *task) { m.Options["hierarchy"] = []string{"R=/etc/passwd"} },
		"hierarchy above":      func(m *task) { m.Options["hierarchy"] = []string{"R=x/../../y.hrc"} },
		"a=b=file":             func(m *task) { m.Options["hierarchy"] = []string{"R=S=/etc/passwd"} },
		"apriori":              func(m *task) { m.Options["apriori"] = []string{"/etc/passwd"} },
		"meta":                 func(m *task) { m.Options["meta"] = []string{"../x.rda"} },
		"public weights":       func(m *task) { m.Options["public-weights"] = []string{"/etc/passwd"} },
		"unknown flag":         func(m *task) { m.Options["from-file"] = []string{"/etc/passwd"} },
		"roundabout input":     func(m *task) { m.Input = "in/../in/a b.csv" },
		"input with a dot":     func(m *task) { m.Input = "./in/a b.csv" },
		"roundabout output":    func(m *task) { m.Output = "out//x" },
		"output a folder":      func(m *task) { m.Output = "." },
		"roundabout file":      func(m *task) { m.Files["./r.hrc"] = hash },
		"input not a file":     func(m *task) { delete(m.Files, m.Input) },
		"output over a file":   func(m *task) { m.Output = "r.hrc" },
		"absolute file":        func(m *task) { m.Files["/etc/cron.d/x"] = hash },
		"secret seed":          func(m *task) { m.Options["seed"] = []string{"1"} },
		"file of a seed":       func(m *task) { m.Options["seed-file"] = []string{"r.hrc"} },
		"random defence":       func(m *task) { m.Options["defence"] = []string{"random"} },
		"output as option":     func(m *task) { m.Options["output"] = []string{"x"} },
		"certificate":          func(m *task) { m.Options["certificate"] = []string{"x"} },
		"linked":               func(m *task) { m.Options["linked"] = []string{"true"} },
		"flag in a flag":       func(m *task) { m.Options["nil=x --output"] = []string{"/x"} },
		"output in a name":     func(m *task) { m.Options["output=/x"] = []string{"x"} },
		"dash":                 func(m *task) { m.Options["-o"] = []string{"x"} },
	} {
		m := goodTask()
		spoil(m)
		if err := m.check(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Whatever name a file has in the message, and however a path is written: metadata name files of the folder only.
func TestMetadataStayInTheFolder(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte("R 1 5\n<HIERCODELIST> \"/etc/passwd\"\n"))
	z.Close()
	for text, ok := range map[string]bool{
		"R 1 5\n<HIERCODELIST> \"r.hrc\"\n":                     true,
		"R 1 5\n<CODELIST> lists\\r.cdl\n":                      true,
		"R 1 5\n<CODELIST> \"lists (2)/r.cdl\"\n":               true,
		"R 1 5\n<HIERCODELIST> \"/etc/passwd\"\n":               false,
		"R 1 5\n<hiercodelist> /etc/passwd\n":                   false,
		"R 1 5\r  <CODELIST> \"x/../../secret.cdl\"\r":          false,
		"R 1 5\n<CODELIST>\r/etc/passwd\n":                      false,
		"R 1 5\n<CODELIST>\v/etc/passwd\n":                      false,
		"R 1 5\n<CODELIST> \"\u00a0/etc/passwd\"\n":             false, // a blank that is trimmed
		"R 1 5\n<CODELIST> \"\u3000/etc/passwd\"\n":             false,
		"R 1 5\n<CODELIST> \"\xa0/etc/passwd\"\n":               false,
		"R 1 5\n<CODELIST> \"C:\\secret.cdl\"\n":                false,
		"R 1 5\n<CODELIST> \"\\\\host\\share\\x\"\n":            false,
		"\ufeffR 1 5\n<CODELIST> \"/etc/passwd\"\n":             false,
		strings.Repeat("// x\n", 1<<16) + "<CODELIST> \"/x\"\n": false,
		zipped.String():           false,
		"\x1f\x8b no gzip at all": true, // which hitoku cannot read either
	} {
		for name, option := range map[string]string{
			"t.RDA": "", "meta.txt": "meta.txt", "m.txt": "./m.txt", "sub/m.txt": "x/../sub/m.txt", "M.TXT": "m.txt", "any.hrc": "",
		} {
			dir := t.TempDir()
			os.MkdirAll(filepath.Join(dir, "sub"), 0o700)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			m := goodTask()
			m.Files = map[string]string{name: hash}
			if option != "" {
				m.Options["meta"] = []string{option}
			}
			if err := m.checkMetadata(root, dir); (err == nil) != ok {
				t.Errorf("%s as %s: %.80q: %v", name, option, text, err)
			}
			root.Close()
		}
	}
}

// A table is not taken for metadata, which it may be where an option or its name says so.
func TestTablesAreNoMetadata(t *testing.T) {
	for name, c := range map[string]struct {
		options map[string][]string
		ok      bool
	}{
		"t.csv": {nil, true}, "t.jj.gz": {nil, true}, "t.tab": {nil, false}, "t.rda": {map[string][]string{"from": {"tauargus"}}, false},
		"u.csv": {map[string][]string{"meta": {"./u.csv"}}, false}, "v.csv": {map[string][]string{"from": {"tauargus"}}, false},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("<CODELIST> \"/etc/passwd\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		m := &task{Input: name, Files: map[string]string{name: hash}, Options: c.options}
		if err := m.checkMetadata(root, dir); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
		root.Close()
	}
}

// A file that a link leads out of the folder is neither written nor read.
func TestLinksLeadNowhere(t *testing.T) {
	f := connect(t, serve(t), time.Second)
	outside, dir := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	content := []byte("x")
	sum := fmt.Sprintf("%x", sha256.Sum256(content))
	if _, err := f.files.PutBytes(t.Context(), sum, content); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"link/x", "../x", "/etc/x", "a/../../x", "./x"} {
		if err := f.fetch(t.Context(), root, path, sum); err == nil {
			t.Errorf("%s: written", path)
		}
	}
	if err := f.fetch(t.Context(), root, "a/x", sum); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("%v outside, %v", left, err)
	}
}

// What is stored under a hash is what has that hash, or it is not used: the run stops, and the next one stores the
// file anew.
func TestStoreIsChecked(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("in", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("in/x", []byte("true"), 0o666); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\ncat in/x >ran\necho '{\"exit\":0,\"report\":{\"status\":\"optimal\"}}'\n"
	f, ctx, stop, done := runWorker(t, script, 1)
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte("true")))
	// A message that names a hash under which somebody stored something else.
	if _, err := f.files.PutBytes(ctx, sum, []byte("false")); err != nil {
		t.Fatal(err)
	}
	m := &task{Key: hash, Input: "in/x", Output: "out/in/x", Files: map[string]string{"in/x": sum}}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Submitter(ctx, "1", false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := f.js.Publish(ctx, taskPrefix+versionName("1")+"."+hash, b); err != nil {
		t.Fatal(err)
	}
	for {
		if ok, err := has(ctx, f.results, hash); err != nil {
			t.Fatal(err)
		} else if ok {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	batchTask := &batch.Task{Key: hash, Input: "in/x", Output: "out/in/x"}
	r := s.Do(ctx, 0, batchTask)
	if r.Fault == nil || !strings.Contains(r.Fault.Error(), "in/x: the store of the fleet has another file under its hash") || r.Report != nil {
		t.Fatalf("%+v", r)
	}
	// The submitter does not take the name for the content either.
	if r = s.Do(ctx, 0, batchTask); r.Fault != nil || r.Exit != 0 || r.Report.Status != "optimal" {
		t.Errorf("again: %+v", r)
	}
	if got, err := f.files.GetBytes(ctx, sum); err != nil || string(got) != "true" {
		t.Errorf("stored is %q, %v", got, err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A seed does not go into the fleet, by no message and no command line.
func TestNoSeedInAFleet(t *testing.T) {
	for name, want := range map[string]bool{"seed": false, "seed-file": false, "defence-seed": true, "below": true} {
		err := CheckOptions(&batch.Task{Options: map[string][]string{name: {"7"}}})
		if (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && !strings.Contains(err.Error(), "use hitoku batch") {
			t.Errorf("%s: %v has no remedy", name, err)
		}
	}
}

// A worker drops such a message without running anything, and the next one is done.
func TestWorkerRefusesTask(t *testing.T) {
	url := serve(t)
	f := connect(t, url, time.Second)
	m := goodTask()
	m.Options["hierarchy"] = []string{"R=/etc/passwd"}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	queue, err := f.queue(t.Context(), "v")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.js.Publish(t.Context(), taskPrefix+versionName("v")+"."+m.Key, b); err != nil {
		t.Fatal(err)
	}
	msg, err := queue.Next()
	if err != nil {
		t.Fatal(err)
	}
	err = f.do(t.Context(), &Worker{Hitoku: "/nowhere", Version: "v", Slots: 1, Log: t.Logf}, msg)
	if err == nil || !strings.Contains(err.Error(), "refused: --hierarchy=R=/etc/passwd leads out of the job's folder") {
		t.Errorf("%v", err)
	}
	if done, err := has(t.Context(), f.results, m.Key); done || err != nil {
		t.Errorf("a result is stored: %v %v", done, err)
	}
}

// Hierarchies beside the output go with it; other files would be lost.
func TestFilesBesideTheOutput(t *testing.T) {
	dir := t.TempDir()
	m := &task{Output: "out/t.tab", Files: map[string]string{"out/in.csv": hash}}
	if err := os.MkdirAll(filepath.Join(dir, "out", "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"in.csv", "t.tab"} {
		os.WriteFile(filepath.Join(dir, "out", f), nil, 0o600)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if trees, f, err := m.beside(root); f != "" || len(trees) > 0 || err != nil {
		t.Errorf("%q, %q, %v", trees, f, err)
	}
	os.WriteFile(filepath.Join(dir, "out", "t.A.hrc"), []byte("a\n"), 0o600)
	if trees, f, err := m.beside(root); f != "" || len(trees) != 1 || trees[0].Name != "t.A.hrc" || string(trees[0].Content) != "a\n" || err != nil {
		t.Errorf("%q, %q, %v", trees, f, err)
	}
	os.WriteFile(filepath.Join(dir, "out", "t.rda"), nil, 0o600)
	if _, f, err := m.beside(root); f != filepath.Join("out", "t.rda") || err != nil {
		t.Errorf("%q, %v", f, err)
	}
	for name, want := range map[string]bool{"t.A.hrc": true, "t.hrc": false, "t..hrc": false, "u.A.hrc": false, "../t.A.hrc": false, "t./A.hrc": false, "t.A.csv": false} {
		if isTree("out/t.tab", name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

// What is published already is content of a task only where an option names its file.
func TestNoLedgerInAFleet(t *testing.T) {
	dir := t.TempDir()
	for value, want := range map[string]bool{"2023=" + dir: false, dir: false, "2023=last.csv": true} {
		if err := CheckOptions(&batch.Task{Options: map[string][]string{"published": {value}}}); (err == nil) != want {
			t.Errorf("published %s: %v", value, err)
		}
	}
	if err := CheckOptions(&batch.Task{Options: map[string][]string{"ledger": {"releases.toml"}}}); err == nil || !strings.Contains(err.Error(), "use hitoku batch") {
		t.Errorf("ledger: %v", err)
	}
}
