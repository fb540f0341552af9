package batch

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
)

// A Job is what a job file says, as TOML:
//
//	inputs = ["tables/*.csv"]
//	output = "protected"
//	office = "protected.office" # what is not to be published; default the name of output with .office
//	ledger = "releases.toml"    # what is published already; default none
//	timeout = "10m"             # of one table, whatever the options say; default none
//	memory = "4GB"              # of the whole process; default none
//
//	[options]                   # flags of the verb
//	below = 5
//	hierarchy = ["REGION=region.hrc"]
//
//	[[override]]
//	match = "tables/big*.csv"
//	options = { time-limit = "10m", width = false }
//
// Paths are relative to the job file. An option is a string, a number, true, or a
// list of strings and numbers, one flag each; false takes away what was said before.
// Of several overrides that match an input the later ones hold.
type Job struct {
	File   string // the job file
	Inputs []string
	Output string // folder of what is to be published
	Office string // folder of what is not: journals, results, index; empty: see OfficeDir
	// Ledger lists what is published already; with it tables are done one after another, see Plan. Empty: each
	// table by itself.
	Ledger   string
	Timeout  time.Duration
	Memory   int64 // bytes; 0: no limit
	Options  map[string][]string
	Override []Override
}

// An Override holds for the inputs that match a pattern, as in path.Match, or that are under the folder it
// names.
type Override struct {
	Match   string
	Options map[string][]string
}

// A JobError says what is wrong with a job file.
type JobError struct {
	File string
	Line int // 0: not known
	Key  string
	Want i18n.Text
}

func (e *JobError) Error() string { return e.Message().String() }

func (e *JobError) Message() i18n.Text {
	t := i18n.T("%s", e.File)
	if e.Line > 0 {
		t = t.Plus(":%d", e.Line)
	}
	if e.Key != "" {
		t = t.Plus(": %s", e.Key)
	}
	return t.Plus(": %s", e.Want)
}

// ReadJob reads a job file. The error is a *JobError or that of reading the file.
func ReadJob(file string) (*Job, error) {
	text, err := budget.ReadFile(file, budget.Settings)
	if large, ok := errors.AsType[*budget.TooLargeError](err); ok {
		return nil, &JobError{File: file, Want: large.Message()}
	}
	if err != nil {
		return nil, err
	}
	return parseJob(file, text)
}

func parseJob(file string, text []byte) (*Job, error) {
	var raw struct {
		Inputs   []string
		Output   string
		Office   string
		Ledger   string
		Timeout  string
		Memory   string
		Options  map[string]any
		Override []struct {
			Match   string
			Options map[string]any
		}
	}
	fail := func(key, format string, args ...any) (*Job, error) {
		return nil, &JobError{File: file, Key: key, Want: i18n.T(format, args...)}
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	meta, err := budget.DecodeTOML(bytes.NewReader(text), &raw)
	if fault, ok := errors.AsType[*budget.TOMLError](err); ok {
		return nil, &JobError{File: file, Line: fault.Line, Want: fault.Want}
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return fail(unknown[0].String(), "no such key; want inputs, output, office, ledger, timeout, memory, options or override")
	}
	j := &Job{File: file, Inputs: raw.Inputs, Output: raw.Output, Office: raw.Office, Ledger: raw.Ledger}
	switch {
	case len(raw.Inputs) == 0:
		return fail("inputs", `want a list of files or patterns, like ["tables/*.csv"]`)
	case raw.Output == "":
		return fail("output", "want a folder for the results")
	}
	if raw.Timeout != "" {
		if j.Timeout, err = time.ParseDuration(raw.Timeout); err != nil || j.Timeout <= 0 {
			return fail("timeout", "%q: want a time like 30s or 10m", raw.Timeout)
		}
	}
	if raw.Memory != "" {
		if j.Memory, err = parseBytes(raw.Memory); err != nil {
			return fail("memory", "%q: want a size like 500MB or 4GB", raw.Memory)
		}
	}
	var key string
	if j.Options, key, err = options(raw.Options); err != nil {
		return fail("options."+key, "%v", err)
	}
	for n, o := range raw.Override {
		name := fmt.Sprintf("override[%d]", n+1)
		if _, err := path.Match(o.Match, ""); o.Match == "" || err != nil {
			return fail(name+".match", `%q: want a pattern of inputs, like "big*.csv"`, o.Match)
		}
		over := Override{Match: path.Clean(filepath.ToSlash(o.Match))}
		if over.Options, key, err = options(o.Options); err != nil {
			return fail(name+".options."+key, "%v", err)
		}
		j.Override = append(j.Override, over)
	}
	return j, nil
}

// OfficeDir returns the folder of the files that are for the office only: Office, else the folder beside Output
// with its name and .office. Relative paths are relative to the job file.
func (j *Job) OfficeDir() string {
	if j.Office != "" {
		return filepath.Clean(j.Office)
	}
	return private.Dir(j.Output)
}

// below reports whether path is dir or lies in it.
func below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// options turns values into the texts of flags. A flag without a value becomes the text "true", one that is
// taken away an empty list.
func options(raw map[string]any) (o map[string][]string, key string, err error) {
	o = map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		list, ok := raw[key].([]any)
		switch v := raw[key]; {
		case v == false:
			o[key] = []string{}
			continue
		case !ok:
			list = []any{v}
		case len(list) == 0:
			return nil, key, i18n.New("an empty list; want values, or false for none")
		}
		for _, v := range list {
			text, err := option(v)
			if err != nil {
				return nil, key, err
			}
			o[key] = append(o[key], text)
		}
	}
	return o, "", nil
}

func option(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case bool:
		if v {
			return "true", nil
		}
	}
	return "", i18n.Errorf("%v: want a string, a number, true, false, or a list of strings and numbers", v)
}

// parseBytes reads sizes such as 500MB, 4GB or 4GiB; all prefixes are powers of 1,024.
func parseBytes(s string) (int64, error) {
	digits := strings.TrimRight(s, "KMGTiB ")
	shift, ok := map[string]int{"": 0, "B": 0, "KB": 10, "MB": 20, "GB": 30, "TB": 40}[strings.ReplaceAll(strings.TrimSpace(s[len(digits):]), "i", "")]
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || !ok || !(n > 0) || n*math.Exp2(float64(shift)) > 1<<62 {
		return 0, i18n.New("not a size")
	}
	return int64(n * math.Exp2(float64(shift))), nil
}

// For returns the options of one input, a slash-separated path.
func (j *Job) For(input string) map[string][]string {
	o := map[string][]string{}
	maps.Copy(o, j.Options)
	for _, over := range j.Override {
		if !over.matches(input) {
			continue
		}
		maps.Copy(o, over.Options)
	}
	maps.DeleteFunc(o, func(_ string, v []string) bool { return len(v) == 0 })
	return o
}

func (o *Override) matches(input string) bool {
	if ok, _ := path.Match(o.Match, input); ok {
		return true
	}
	if !strings.Contains(o.Match, "/") {
		if ok, _ := path.Match(o.Match, path.Base(input)); ok {
			return true
		}
	}
	return strings.HasPrefix(input, o.Match+"/")
}
