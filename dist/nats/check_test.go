package nats

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var hash = strings.Repeat("0a", 32)

func goodTask() *task {
	return &task{Key: hash, Input: "in/a b.csv", Output: "out/in/a b.csv", Files: map[string]string{"in/a b.csv": hash, "r.hrc": hash},
		Options: map[string][]string{"hierarchy": {"R=r.hrc"}, "nil": {"/,-"}, "below": {"5"}}}
}

// A message may ask for nothing outside the folder that a worker makes for it.
func TestTaskStaysInItsFolder(t *testing.T) {
	args, err := goodTask().args()
	want := "--below=5 --hierarchy=R=r.hrc --nil=/,- --workers=1 --json --quiet --output=out/in/a b.csv -- in/a b.csv"
	if got := strings.Join(args, " "); err != nil || got != want {
		t.Fatalf("%s, %v", got, err)
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
		"output as option":     func(m *task) { m.Options["output"] = []string{"x"} },
		"certificate":          func(m *task) { m.Options["certificate"] = []string{"x"} },
		"linked":               func(m *task) { m.Options["linked"] = []string{"true"} },
		"flag in a flag":       func(m *task) { m.Options["nil=x --output"] = []string{"/x"} },
		"output in a name":     func(m *task) { m.Options["output=/x"] = []string{"x"} },
		"dash":                 func(m *task) { m.Options["-o"] = []string{"x"} },
	} {
		m := goodTask()
		spoil(m)
		if args, err := m.args(); err == nil {
			t.Errorf("%s: accepted: %q", name, args)
		}
	}
}

func TestMetadataStayInTheFolder(t *testing.T) {
	for text, ok := range map[string]bool{
		"R 1 5\n<HIERCODELIST> \"r.hrc\"\n":            true,
		"R 1 5\n<CODELIST> lists\\r.cdl\n":             true,
		"R 1 5\n<HIERCODELIST> \"/etc/passwd\"\n":      false,
		"R 1 5\n<hiercodelist> /etc/passwd\n":          false,
		"R 1 5\r  <CODELIST> \"x/../../secret.cdl\"\r": false,
		"R 1 5\n<CODELIST> \"C:\\secret.cdl\"\n":       false,
		"\x1f\x8b compressed":                          false,
	} {
		for _, name := range []string{"t.RDA", "meta.txt"} {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			m := goodTask()
			m.Files = map[string]string{name: hash}
			m.Options["meta"] = []string{"meta.txt"}
			if err := m.checkMetadata(dir); (err == nil) != ok {
				t.Errorf("%s: %q: %v", name, text, err)
			}
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

// Files beside the output would be lost.
func TestFilesBesideTheOutput(t *testing.T) {
	dir := t.TempDir()
	m := &task{Output: "out/t.tab", Files: map[string]string{"out/in.csv": hash}}
	if err := os.MkdirAll(filepath.Join(dir, "out", "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"in.csv", "t.tab"} {
		os.WriteFile(filepath.Join(dir, "out", f), nil, 0o600)
	}
	if f, err := m.beside(dir); f != "" || err != nil {
		t.Errorf("%q, %v", f, err)
	}
	os.WriteFile(filepath.Join(dir, "out", "t.rda"), nil, 0o600)
	if f, err := m.beside(dir); f != filepath.Join("out", "t.rda") || err != nil {
		t.Errorf("%q, %v", f, err)
	}
}
