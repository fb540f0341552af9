package main

import (
	"runtime/debug"
	"strings"
)

// release is set at link time: -ldflags "-X main.release=v1.2.3".
var release string

// version returns the release, else the module version of the build, else "devel".
func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") {
		return info.Main.Version
	}
	return "devel"
}
