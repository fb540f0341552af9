package bench

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// An Instance is a table, or a batch of similar tables, to measure the solver on.
type Instance struct {
	Name   string
	Tables int // more than 1: a batch, solved one after another on one processor
	// Load returns the n-th table, 0 ≤ n < Tables.
	Load func(n int) (*table.Table, error)

	origin string // what the name stands for; instances with equal origins are the same
}

// A Source defines where instances come from besides generators.
type Source struct {
	// Read reads the table in a file.
	Read func(path string) (*table.Table, error)
	// Prepare, if set, changes every drawn table.
	Prepare func(t *table.Table) error
	// Tables is the number of tables of family batch6; 0 means 10,000.
	Tables int
}

// Find returns the instances named by args, in order, each only once:
//
//	mag                 every table of a family, see FamilyNames
//	20x20-fs-7          one drawn table, named as by Spec.Name
//	20x20-fs-1..10      those from several seeds
//	table.jj.gz         a file
//	instances           a directory: the JJ files in it and below, named by
//	                    their path in it
//
// Different instances with the same name are an error.
func (s *Source) Find(args []string) ([]Instance, error) {
	var all []Instance
	at := map[string]string{}
	for _, arg := range args {
		found, err := s.find(arg)
		if err != nil {
			return nil, err
		}
		for _, in := range found {
			first, dup := at[in.Name]
			switch {
			case !dup:
				at[in.Name] = in.origin
				all = append(all, in)
			case first != in.origin:
				return nil, i18n.Errorf("%s and %s are both called %s; give a directory above both", first, in.origin, in.Name)
			}
		}
	}
	return all, nil
}

func (s *Source) find(arg string) ([]Instance, error) {
	if specs, ok := familySpecs(arg); ok {
		return s.drawn(specs), nil
	}
	if arg == batchFamily {
		return []Instance{s.batch()}, nil
	}
	if specs, err := parseSpecs(arg); err != nil {
		return nil, err
	} else if specs != nil {
		return s.drawn(specs), nil
	}
	info, err := os.Stat(arg)
	switch {
	case err != nil && os.IsNotExist(err):
		return nil, i18n.Errorf("%s: no file or directory, no family (%s) and no table like 20x20-fs-7", arg, strings.Join(familyNames(), ", "))
	case err != nil:
		return nil, err
	case info.IsDir():
		return s.directory(arg)
	}
	return []Instance{s.file(arg, stem(filepath.Base(arg)))}, nil
}

// drawn turns specs into instances.
func (s *Source) drawn(specs []Spec) []Instance {
	in := make([]Instance, len(specs))
	for k, spec := range specs {
		in[k] = Instance{Name: spec.Name(), Tables: 1, origin: spec.Name(), Load: func(int) (*table.Table, error) {
			return s.prepare(spec.Table())
		}}
	}
	return in
}

// prepare applies Prepare to a table that was drawn without error.
func (s *Source) prepare(t *table.Table, err error) (*table.Table, error) {
	if err != nil || s.Prepare == nil {
		return t, err
	}
	return t, s.Prepare(t)
}

func (s *Source) file(path, name string) Instance {
	return Instance{Name: name, Tables: 1, origin: path, Load: func(int) (*table.Table, error) {
		t, err := s.Read(path)
		if err == nil {
			t.Name = name
		}
		return t, err
	}}
}

// directory returns the JJ files in dir and below it, in lexical order.
func (s *Source) directory(dir string) ([]Instance, error) {
	var in []Instance
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".jj") {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		in = append(in, s.file(path, stem(filepath.ToSlash(name))))
		return nil
	})
	if err == nil && len(in) == 0 {
		err = i18n.Errorf("%s: no JJ files (.jj, .jj.gz) in this directory", dir)
	}
	return in, err
}

// stem strips the file name extensions of a table.
func stem(name string) string {
	name = strings.TrimSuffix(name, ".gz")
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// parseSpecs parses the name of a drawn table, SHAPE-FAMILY-SEED, or of several with consecutive seeds,
// SHAPE-FAMILY-FIRST..LAST. It returns nothing if s is not such a name.
func parseSpecs(s string) ([]Spec, error) {
	parts := strings.Split(s, "-")
	if len(parts) != 3 {
		return nil, nil
	}
	spec := Spec{Family: parts[1]}
	if share, ok := strings.CutPrefix(parts[1], "mag"); ok && share != "" {
		p, err := strconv.ParseFloat(share, 64)
		if err != nil {
			return nil, nil
		}
		spec.Family, spec.Share = "mag", p
	}
	if !slices.Contains(Families(), spec.Family) {
		return nil, nil
	}
	var err error
	if spec.Shape, err = ParseShape(parts[0]); err != nil {
		return nil, err
	}
	first, last, several := strings.Cut(parts[2], "..")
	if !several {
		last = first
	}
	a, errA := strconv.ParseUint(first, 10, 64)
	b, errB := strconv.ParseUint(last, 10, 64)
	if errA != nil || errB != nil || b < a || b-a >= maxSeeds {
		return nil, i18n.Errorf("%s: seed %q, want a whole number ≥ 0, or a range like 1..10 of at most %d", s, parts[2], maxSeeds)
	}
	var specs []Spec
	for k := range b - a + 1 {
		spec.Seed = a + k
		if err := spec.check(); err != nil {
			return nil, err
		}
		specs = append(specs, spec)
	}
	return specs, nil
}

// maxSeeds bounds a range of seeds.
const maxSeeds = 100_000
