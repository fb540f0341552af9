package batch

import "strings"

// Program names the build of hitoku in the file path for the keys of tasks: by the version it says it
// has, and where that is none of a commit by the content of the file as well, so that neither a journal
// nor a fleet takes two builds for one. Cost: that of hashing the program, tens of milliseconds.
func Program(version, path string) (string, error) {
	if version != "devel" && !strings.HasSuffix(version, "+dirty") {
		return version, nil
	}
	sum, err := hashFile(path)
	return version + " " + sum, err
}
