package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/protect"
)

// A page of docs has the fields of policies between these marks.
var fieldMarks = regexp.MustCompile(`(?ms)^<!-- fields -->\n.*?^<!-- end of fields -->$`)

// documentFields fills the tables of fields in a page.
func documentFields(page string) string {
	return fieldMarks.ReplaceAllStringFunc(page, func(string) string { return "<!-- fields -->\n" + fieldTable() + "<!-- end of fields -->" })
}

// fieldTable says of every field of a policy what it may be, and what it goes with; fields that are alike share a row.
func fieldTable() string {
	var rows []string
	fields := map[string]string{}
	for _, f := range append(new(protect.Policy).Fields(), new(protect.Change).Fields()...) {
		var not []string
		for _, x := range f.Excludes {
			not = append(not, quoted(x))
		}
		for _, x := range f.Clashes {
			with := quoted(x.With)
			if x.If != "" {
				with = quoted(x.If) + ": " + with
			}
			not = append(not, with)
		}
		var with []string
		for _, x := range slices.Concat(f.Needs, f.One) {
			with = append(with, quoted(x))
		}
		row := fmt.Sprintf("%s|%s|%s|", valueWords(&f), i18n.T("%s", i18n.Names(map[bool]string{true: "and", false: "or"}[f.One == nil], with)), strings.Join(not, ", "))
		if fields[row] == "" {
			rows, fields[row] = append(rows, row), quoted(f.Name)
		} else {
			fields[row] += ", " + quoted(f.Name)
		}
	}
	var b strings.Builder
	b.WriteString("|fields|value|with|not with|\n|---|---|---|---|\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "|%s|%s\n", fields[row], row)
	}
	return b.String()
}

// quoted is a field, or FIELD=VALUE, in a table of docs.
func quoted(condition string) string { return "`" + strings.ReplaceAll(condition, "=", " ") + "`" }

// valueWords says what a field may be.
func valueWords(f *flags.Flag) string {
	of := ""
	if f.Range != "" {
		of = " in " + f.Range
	}
	before, arg, _ := strings.Cut(f.Text, "`")
	arg, after, _ := strings.Cut(arg, "`")
	if arg != "" {
		arg = "`" + strings.ReplaceAll(arg, "|", `\|`) + "`"
	}
	if forms, _, colon := strings.Cut(after, ":"); before == "" && colon && len(forms) < 20 { // `k` or k,d: ...
		arg += forms
	}
	if _, text := f.To.(option.Value); text && f.Offer != nil && arg != "" {
		arg = strings.Join(f.Offer, ", ") + ", " + arg
	}
	switch to := f.To.(type) {
	case *bool:
		return "true"
	case *int, *int64:
		return "whole number" + of
	case *float64:
		return "number" + of
	case *[]string, option.List:
		return "list of " + arg
	case option.Value:
		if arg == "" {
			arg = strings.ReplaceAll(to.Type(), "|", `, `)
		}
	}
	if f.From != nil {
		return strings.Join(f.From, ", ")
	}
	return arg
}
