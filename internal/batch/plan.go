package batch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect"
)

// A Task is the work on one input.
type Task struct {
	N       int // place among the inputs of the job, whatever the shard
	Input   string
	Output  string
	Options map[string][]string // as texts; together with the files they make up the key
	Policy  protect.Policy      // made from the options, once they have been read
	Key     string              // see the package comment
	// After is the task before this one in a job with a ledger. Such tasks are done one after another, each
	// taking into account what those before it publish.
	After *Task
	// Known are files that the task reads beside those that its options name; Stated is a text that also
	// determines its result. Both count as content for Key.
	Known  []string
	Stated string

	trees []string           // hierarchies beside the input, which may be those of its dimensions
	read  map[string]content // its files, as they were when Key was made
	tries int                // how often it was done while its files changed
}

// Sum returns the SHA-256 of a file of the task as it was when Key was made, empty if it is not known.
func (t *Task) Sum(path string) string { return t.read[path].sum }

// changed reports whether a file of the task has changed since Key was made.
func (t *Task) changed() bool {
	for path, c := range t.read {
		if !c.holds(path) {
			return true
		}
	}
	return false
}

// Args returns the options as flags, sorted by name.
func (t *Task) Args() []string {
	var args []string
	for _, k := range slices.Sorted(maps.Keys(t.Options)) {
		for _, v := range t.Options[k] {
			args = append(args, "--"+k+"="+v)
		}
	}
	return args
}

// A Shard is part I of N, 1 ≤ I ≤ N; the zero value is the whole job.
type Shard struct{ I, N int }

// ParseShard reads "2/8".
func ParseShard(s string) (Shard, error) {
	var p Shard
	if _, err := fmt.Sscanf(s, "%d/%d", &p.I, &p.N); err != nil || p.String() != s || p.I < 1 || p.I > p.N {
		return Shard{}, i18n.Errorf("%q: want a part and the number of parts, like 2/8", s)
	}
	return p, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// has reports whether task n belongs to the shard.
func (s Shard) has(n int) bool { return s.N == 0 || n%s.N == s.I-1 }

// Plan lists the tasks of a shard in the order of the job's inputs, each input once; the files that match a
// pattern are in the order of their names. Paths are as the job writes them, so the working directory must be
// that of the job file. Keys are not computed yet. An option that names a policy is replaced by the policy's
// fields. The path of an output below the job's folder is that of its input below the working directory; where
// the output's format keeps the values of withheld cells, it stands in the office's folder. With a ledger,
// which is an option of all tasks, each task comes After the one before it, and shards are an error.
func (j *Job) Plan(shard Shard) ([]*Task, error) {
	if err := j.spread(); err != nil {
		return nil, err
	}
	if err := j.chains(shard); err != nil {
		return nil, err
	}
	var tasks []*Task
	from := map[string]string{}
	n := 0
	seen := map[string]bool{}
	var inputs, outputs formats.Files
	named := map[string]bool{} // texts of options that were checked for names of files
	trees := map[string]*folderTrees{}
	matched := make([]bool, len(j.Override))
	office := j.OfficeDir()
	inner := !below(".", j.Output) // the folder of results does not contain the inputs
	if below(real(j.Output), real(office)) || below(real(office), real(j.Output)) {
		return nil, &JobError{File: j.File, Key: "office", Want: i18n.T("%s: want a folder that is neither in nor around that of what is published, %s", office, j.Output)}
	}
	if old := leftover(j.Output); old != "" {
		return nil, &JobError{File: j.File, Key: "output", Want: i18n.T("%s tells costs, by which withheld values can be computed, and stands where what is published does; move it to %s, or remove it", old, office)}
	}
	for _, pattern := range j.Inputs {
		files, err := expand(filepath.FromSlash(pattern))
		if err != nil {
			return nil, &JobError{File: j.File, Key: "inputs", Want: i18n.T("%q: %v", pattern, err)}
		}
		if len(files) == 0 {
			return nil, &JobError{File: j.File, Key: "inputs", Want: i18n.T("%q: no such file", pattern)}
		}
		for _, f := range files {
			f = filepath.Clean(f)
			if info, err := os.Stat(f); seen[f] || err == nil && info.IsDir() {
				continue
			}
			seen[f] = true
			if inner && below(f, j.Output) || below(f, office) && !below(".", office) {
				return nil, &JobError{File: j.File, Key: "output", Want: i18n.T("%s is an input in the folder of results", f)}
			}
			inputs.Add(f)
			for k := range j.Override {
				matched[k] = matched[k] || j.Override[k].matches(filepath.ToSlash(f))
			}
			options, dir := j.For(filepath.ToSlash(f)), j.Output
			if keepsValues(f, options) {
				dir = office
			}
			out := filepath.Join(dir, inside(f))
			if first, dup := from[out]; dup {
				return nil, &JobError{File: j.File, Key: "output", Want: i18n.T("%s and %s would both be written to %s", first, f, out)}
			}
			if rel, err := filepath.Rel(dir, out); err == nil && isOwn(rel) {
				return nil, &JobError{File: j.File, Key: "output", Want: i18n.T("%s is a file of the job itself; an input cannot be called so", out)}
			}
			from[out] = f
			if shard.has(n) {
				t := &Task{N: n, Input: f, Output: out, Options: options}
				addFiles(&inputs, options, named)
				if j.Ledger != "" {
					options[ledgerOption] = []string{j.Ledger}
					if n > 0 {
						t.After = tasks[n-1]
					}
				}
				if of := format(f, options); of != argus.Format && of != formats.JJ {
					folder := filepath.Dir(f)
					if trees[folder] == nil {
						trees[folder] = readTrees(folder)
					}
					t.trees = trees[folder].of(f)
				}
				tasks = append(tasks, t)
			}
			n++
		}
	}
	if n == 0 {
		return nil, &JobError{File: j.File, Key: "inputs", Want: i18n.T("no files, only folders")}
	}
	for _, out := range slices.Sorted(maps.Keys(from)) {
		if f, is := inputs.Find(out); is {
			return nil, &JobError{File: j.File, Key: "output", Want: i18n.T("%s would be overwritten", f)}
		}
		if other, is := outputs.Add(out); is {
			return nil, &JobError{File: j.File, Key: "output", Want: i18n.T("%s and %s would both be written to %s", from[other], from[out], out)}
		}
	}
	for k, ok := range matched {
		if !ok { // settings that somebody meant for a table would silently not apply
			return nil, &JobError{File: j.File, Key: fmt.Sprintf("override[%d].match", k+1), Want: i18n.T("%q: no input matches", j.Override[k].Match)}
		}
	}
	return tasks, nil
}

// addFiles adds the files that options name, either as a whole or after an "=". It looks at each text once.
func addFiles(to *formats.Files, options map[string][]string, seen map[string]bool) {
	for _, values := range options {
		for _, v := range values {
			for rest, ok := v, !seen[v]; ok; _, rest, ok = strings.Cut(rest, "=") {
				if info, err := os.Stat(rest); err == nil && info.Mode().IsRegular() {
					to.Add(rest)
				}
			}
			seen[v] = true
		}
	}
}

// ledgerOption is the option that names a ledger.
const ledgerOption = "ledger"

// chains reports what is not allowed in a job with a ledger.
func (j *Job) chains(shard Shard) error {
	if j.Ledger == "" {
		return nil
	}
	if shard.N > 0 {
		return &JobError{File: j.File, Key: "ledger", Want: i18n.T("its tables are done one after another, as each counts with what those before it publish; run the job without shards")}
	}
	all := []map[string][]string{j.Options}
	for k := range j.Override {
		all = append(all, j.Override[k].Options)
	}
	for _, o := range all {
		if _, own := o[ledgerOption]; own {
			return &JobError{File: j.File, Key: "options.ledger", Want: i18n.T("the job has a ledger itself; leave one of them out")}
		}
	}
	return nil
}

// expand lists the files that match a pattern. The name of an existing file is not a pattern, whatever brackets
// it has.
func expand(pattern string) ([]string, error) {
	if _, err := os.Stat(pattern); err == nil {
		return []string{pattern}, nil
	}
	return filepath.Glob(pattern)
}

// real returns the absolute path of a file with all links resolved, so that each file has exactly one. Of a
// file that does not exist it resolves the folder as far as that exists.
func real(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	for dir, rest := abs, ""; ; {
		if r, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(r, rest)
		}
		if filepath.Dir(dir) == dir {
			return abs
		}
		dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest)
	}
}

// isOwn reports whether a name in a folder of results is that of one of the job's own files.
func isOwn(name string) bool {
	journal, _ := filepath.Match(journalPattern, name)
	return journal || name == "results.jsonl" || name == "index.html"
}

// leftover returns a file of the job's own that an earlier version of the program wrote into a folder of what
// is published, empty if there is none.
func leftover(dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, journalPattern))
	if err != nil {
		return ""
	}
	for _, path := range append(files, filepath.Join(dir, "results.jsonl"), filepath.Join(dir, "index.html")) {
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		head, _ := io.ReadAll(io.LimitReader(f, 1<<10))
		f.Close()
		for _, own := range []string{`{"schema":"hitoku/batch-result/`, `{"mark":"`, `{"key":"`, `{"input":"`} {
			if bytes.HasPrefix(head, []byte(own)) {
				return path
			}
		}
		if bytes.Contains(head, []byte("<title>hitoku batch ")) {
			return path
		}
	}
	return ""
}

// inside returns the path of f below the working directory, or only its name if it is elsewhere.
func inside(f string) string {
	if filepath.IsLocal(f) {
		return f
	}
	return filepath.Base(f)
}

// Files returns the files that the task reads: its input, those that an option names, either as a whole or
// after an "=", those that belong to the input, and Known.
func (t *Task) Files() []string {
	files := []string{t.Input}
	for _, arg := range t.Args() {
		if t.Stated != "" && strings.HasPrefix(arg, "--"+ledgerOption+"=") { // Stated has what matters of the ledger
			continue
		}
		for rest, ok := arg, true; ok; {
			if _, rest, ok = strings.Cut(rest, "="); !ok || slices.Contains(files, rest) {
				continue
			}
			if info, err := os.Stat(rest); err == nil && info.Mode().IsRegular() {
				files = append(files, rest)
			}
		}
	}
	for _, f := range slices.Concat(t.companions(), t.trees, t.Known) {
		if info, err := os.Stat(f); err == nil && info.Mode().IsRegular() && !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	return files
}

// key makes the key of t from the content of its files, which t remembers.
func (h hashes) key(t *Task, version string) (string, error) {
	sum := sha256.New()
	t.read = map[string]content{}
	fmt.Fprintf(sum, "%q %q %q %q\n", version, t.Input, t.Output, t.Args())
	if t.Stated != "" {
		fmt.Fprintf(sum, "%q\n", t.Stated)
	}
	if t.After != nil {
		fmt.Fprintf(sum, "after %s\n", t.After.Key)
	}
	for _, f := range t.Files() {
		c, err := h.file(f)
		if err != nil {
			return "", err
		}
		t.read[f] = c
		fmt.Fprintf(sum, "%q %s\n", f, c.sum)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
