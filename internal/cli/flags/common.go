package flags

// JSON prints documents instead of text.
func JSON(to *bool, text string) Flag { return Flag{Name: "json", To: to, Text: text} }

// Quiet leaves out progress.
func Quiet(to *bool) Flag {
	return Flag{Name: "quiet", Short: "q", To: to, Text: "no progress on a terminal"}
}

// Encoding is that of text files.
func Encoding(to *string, of string) Flag {
	return Flag{Name: "encoding", To: to, From: []string{"utf-8", "cp932", "cp1252"}, Text: "encoding of " + of, Else: "found out"}
}
