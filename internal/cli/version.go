package cli

import (
	"runtime/debug"
	"strings"
)

// release is set at link time: -ldflags "-X github.com/hitoku/hitoku/internal/cli.release=v1.2.3".
var release string

// Version returns the release, else the module version of the build, else "devel".
func Version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") {
		return info.Main.Version
	}
	return "devel"
}

// Commit returns the commit that the program was built from, with "-modified" appended if files had changed since, and
// its date; both are empty if the build does not record them, as for a module from a proxy.
func Commit() (commit, date string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", ""
	}
	modified := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.time":
			date = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				modified = "-modified"
			}
		}
	}
	if commit != "" {
		commit += modified
	}
	return commit, date
}
