package lp

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// registry holds the back ends by name. Only init functions fill it, so it needs no lock.
var registry = map[string]func() (Solver, error){}

// known lists the existing back ends, and how to add each to a build that lacks it.
var known = []struct{ name, how string }{
	{"simplex", "import github.com/hitoku/hitoku/lp/simplex"},
	{"clp", "build with -tags clp (needs coinor-libclp-dev)"},
	{"clpdl", "build with -tags clpdl (needs no C compiler; coinor-libclp1 where it runs)"},
	{"lpsolve", "build with -tags lpsolve (needs liblpsolve55-dev)"},
	{"gonum", "import github.com/hitoku/hitoku/lp/gonum"},
}

// Register makes a back end available to Open. Back ends call it from init; it
// panics on a name registered twice.
func Register(name string, open func() (Solver, error)) {
	if _, dup := registry[name]; dup {
		panic("lp: back end registered twice: " + name)
	}
	registry[name] = open
}

// Open returns a new, empty Solver of the back end called name ("" means simplex), or a *BackendError if this build
// does not have it.
func Open(name string) (Solver, error) {
	name = cmp.Or(name, "simplex")
	if open := registry[name]; open != nil {
		return open()
	}
	if open, ok := lent.Load(name); ok {
		return open.(func() (Solver, error))()
	}
	return nil, missing(name)
}

// missing says how to add a back end that this build lacks.
func missing(name string) *BackendError {
	e := &BackendError{Name: name, Have: Backends()}
	for _, k := range known {
		if k.name == name {
			e.How = k.how
		}
	}
	return e
}

// lent holds the back ends of Lend by name; counted is the number of calls of Lend.
var (
	lent    sync.Map
	counted atomic.Int64
)

// Lend makes a solver that is not a back end of its own, such as one that wraps another, available to Open until end is
// called. Its name starts with label and is not listed by Backends. It may be called at any time.
func Lend(label string, open func() (Solver, error)) (name string, end func()) {
	name = fmt.Sprintf("%s#%d", label, counted.Add(1))
	lent.Store(name, open)
	return name, func() { lent.Delete(name) }
}

// Backends returns the names of the back ends in this build, sorted.
func Backends() []string {
	return slices.Sorted(maps.Keys(registry))
}

// Missing returns, for every existing back end that this build lacks, the error that Open would return.
func Missing() []*BackendError {
	var lacking []*BackendError
	for _, k := range known {
		if registry[k.name] == nil {
			lacking = append(lacking, missing(k.name))
		}
	}
	return lacking
}

// A BackendError names a back end that this build lacks and how to add it (How
// is empty for a name nobody knows).
type BackendError struct {
	Name, How string
	Have      []string
}

func (e *BackendError) Error() string {
	if e.How == "" {
		return fmt.Sprintf("lp: no back end %q, want one of %s", e.Name, strings.Join(e.Have, ", "))
	}
	return fmt.Sprintf("lp: back end %q is not in this build: %s; it has %s", e.Name, e.How, strings.Join(e.Have, ", "))
}
