package main

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
)

// locale is the language of messages and help that the environment asks for, a tag like ja_JP.UTF-8. Only the program itself asks it.
var locale string

// A language is the value of --lang.
type language string

func (l *language) String() string { return string(*l) }
func (l *language) Type() string   { return "language" }

func (l *language) Set(s string) error {
	if !slices.Contains(catalogue.Languages(), s) {
		return i18n.Errorf("want %s", i18n.Names("or", catalogue.Languages()))
	}
	*l = language(s)
	return nil
}

// speak chooses the language of messages and help, before the command line is parsed so that what is wrong with it is said in it, too.
func speak(args []string) error {
	chosen := locale
	for k, a := range args {
		if a == "--" {
			break
		}
		if v, ok := strings.CutPrefix(a, "--lang="); ok {
			chosen = v
		} else if a == "--lang" && k+1 < len(args) {
			chosen = args[k+1]
		}
	}
	return cli.Speak(chosen)
}
