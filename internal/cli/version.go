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

// Commit returns the commit that the program was built from and its date, "-modified" behind the first where files
// had changed since; nothing where the build does not tell, as that of a module from a proxy.
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
