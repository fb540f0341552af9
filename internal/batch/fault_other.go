//go:build !unix && !windows

package batch

// machineErrors is empty where the system's numbers are not known.
var machineErrors []error
