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
