//go:build clpdl && (linux || darwin)

package clpdl

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// pathEnv is the environment variable that names the library file instead of the default paths.
const pathEnv = "HITOKU_CLP"

// A LibraryError says that Clp could not be opened, and lists the paths tried.
type LibraryError struct {
	Tried []string
	Err   error // error of the last attempt
}

func (e *LibraryError) Error() string {
	return fmt.Sprintf("clpdl: no library of Clp: tried %q: %v; install it (Debian: coinor-libclp1) or name its file in %s", e.Tried, e.Err, pathEnv)
}

func (e *LibraryError) Unwrap() error { return e.Err }

// A handle is Clp's pointer to one model.
type handle = unsafe.Pointer

// library is the part of Clp_C_Interface.h used here, as of Clp 1.17. Arrays are
// copied by the callee; those returned belong to the model, rays to the caller.
type library struct {
	newModel        func() handle
	deleteModel     func(handle)
	version         func() string
	loadProblem     func(m handle, cols, rows int32, start, index *int32, value, collb, colub, obj, rowlb, rowub *float64)
	addRows         func(m handle, n int32, lo, up *float64, start, cols *int32, values *float64)
	deleteRows      func(m handle, n int32, which *int32)
	chgRowLower     func(handle, *float64)
	chgRowUpper     func(handle, *float64)
	chgColumnLower  func(handle, *float64)
	chgColumnUpper  func(handle, *float64)
	chgObjective    func(handle, *float64)
	primalTolerance func(handle, float64)
	objectiveLimit  func(handle, float64)
	maxIterations   func(handle, int32)
	logLevel        func(handle, int32)
	scaling         func(handle, int32)
	dual            func(handle, int32) int32
	primal          func(handle, int32) int32
	secondary       func(handle) int32
	iterations      func(handle) int32
	columns         func(handle) *float64
	rowDuals        func(handle) *float64
	infeasibleRay   func(handle) *float64
	unboundedRay    func(handle) *float64
	freeRay         func(handle, *float64)
	statuses        func(handle) *byte
	copyStatuses    func(handle, *byte)
}

// open opens the library once for the whole program; it stays open.
var open = sync.OnceValues(func() (*library, error) {
	names := []string{"libClp.so.1", "libClp.so"}
	if runtime.GOOS == "darwin" {
		names = []string{"libClp.1.dylib", "libClp.dylib", "/opt/homebrew/lib/libClp.dylib", "/usr/local/lib/libClp.dylib"}
	}
	if path := os.Getenv(pathEnv); path != "" {
		names = []string{path}
	}
	fault := &LibraryError{Tried: names}
	for _, name := range names {
		lib, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err != nil {
			fault.Err = err
			continue
		}
		c := new(library)
		if err := c.bind(lib); err != nil {
			fault.Err = err
			continue
		}
		return c, nil
	}
	return nil, fault
})

// bind looks up every function, so that an incompatible library is rejected here and not in the middle of a solve.
func (c *library) bind(lib uintptr) error {
	for _, f := range []struct {
		to   any
		name string
	}{
		{&c.newModel, "newModel"}, {&c.deleteModel, "deleteModel"}, {&c.version, "Version"},
		{&c.loadProblem, "loadProblem"}, {&c.addRows, "addRows"}, {&c.deleteRows, "deleteRows"},
		{&c.chgRowLower, "chgRowLower"}, {&c.chgRowUpper, "chgRowUpper"},
		{&c.chgColumnLower, "chgColumnLower"}, {&c.chgColumnUpper, "chgColumnUpper"},
		{&c.chgObjective, "chgObjCoefficients"}, {&c.primalTolerance, "setPrimalTolerance"},
		{&c.objectiveLimit, "setDualObjectiveLimit"}, {&c.maxIterations, "setMaximumIterations"},
		{&c.logLevel, "setLogLevel"}, {&c.scaling, "scaling"}, {&c.dual, "dual"}, {&c.primal, "primal"},
		{&c.secondary, "secondaryStatus"}, {&c.iterations, "numberIterations"},
		{&c.columns, "primalColumnSolution"}, {&c.rowDuals, "dualRowSolution"},
		{&c.infeasibleRay, "infeasibilityRay"}, {&c.unboundedRay, "unboundedRay"}, {&c.freeRay, "freeRay"},
		{&c.statuses, "statusArray"}, {&c.copyStatuses, "copyinStatus"},
	} {
		at, err := purego.Dlsym(lib, "Clp_"+f.name)
		if err != nil {
			return err
		}
		purego.RegisterFunc(f.to, at)
	}
	return nil
}
