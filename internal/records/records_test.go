package records

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// blocksOf cuts a text.
func blocksOf(c Cutter, text string) (blocks []Block, err error) {
	to := make(chan Block)
	go func() {
		err = c.Cut(context.Background(), strings.NewReader(text), 1, to, nil)
		close(to)
	}()
	for b := range to {
		blocks = append(blocks, b)
	}
	return blocks, err
}

// Records come out as they went into encoding/csv, whatever the size of the blocks, and
// blocks tell their lines.
func TestCutAndSplit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		field := rapid.StringOfN(rapid.SampledFrom([]rune("ab,\"\n é")), 1, 8, -1)
		want := rapid.SliceOfN(rapid.SliceOfN(field, 2, 2), 1, 12).Draw(r, "records")
		var text bytes.Buffer
		w := csv.NewWriter(&text)
		w.WriteAll(want)
		whole := text.String()
		mark := rapid.SampledFrom([]string{"", "\x1a", "\x1a\x1a"}).Draw(r, "end")
		blocks, err := blocksOf(Cutter{Size: rapid.IntRange(1, 40).Draw(r, "size"), Max: 1 << 10}, whole+mark)
		if err != nil {
			r.Fatal(err)
		}
		var got [][]string
		s := Splitter{Sep: ','}
		line, joined := 1, ""
		for _, b := range blocks {
			if b.Line != line {
				r.Errorf("a block of line %d says %d", line, b.Line)
			}
			line += bytes.Count(b.Text, []byte{'\n'})
			joined += string(b.Text)
			for at := 0; at < len(b.Text); {
				next, wrong := s.Split(b.Text, at)
				if !wrong.IsZero() {
					r.Fatal(wrong)
				}
				var one []string
				for _, f := range s.Fields {
					one = append(one, string(f))
				}
				got, at = append(got, one), next
			}
		}
		if joined != whole {
			r.Fatalf("%q, want %q", joined, whole)
		}
		if len(got) != len(want) {
			r.Fatalf("%d records, want %d", len(got), len(want))
		}
		for k := range want {
			if strings.Join(got[k], "|") != strings.Join(want[k], "|") {
				r.Errorf("%q, want %q", got[k], want[k])
			}
		}
	})
}

// A record is refused at its line where it is too long; a line may hold quotes.
func TestCutLong(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		c          Cutter
		text, want string
	}{
		{Cutter{Size: 4, Max: 8}, "a\nb\n\"" + strings.Repeat("c\n", 20), "line 3: a record longer than 8 bytes, or a quote"},
		{Cutter{Size: 4, Max: 8, Lines: true}, "a\nb\n" + strings.Repeat("c", 20), "line 3: line longer than 8 bytes"},
		{Cutter{Size: 4, Max: 8, Lines: true}, "a\nb\n\"" + strings.Repeat("c\n", 20), ""},
	} {
		_, err := blocksOf(tc.c, tc.text)
		if (err == nil) != (tc.want == "") || err != nil && !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%q: %v, want %q", tc.text, err, tc.want)
		}
	}
}

// Lines are split at separators outside quotes; blanks may stand around these.
func TestLine(t *testing.T) {
	t.Parallel()
	s := Splitter{Sep: ';'}
	for line, want := range map[string]string{
		"":                   "",
		"a;b":                "a|b",
		` "a;b" ; c;"d ""e"`: `a;b| c|d "e`,
		`a"b;c`:              `a"b|c`,
		`"";`:                "|",
		`a;"b`:               "not closed",
		`"a"b;c`:             "not closed",
	} {
		got := "not closed"
		if s.Line([]byte(line)) {
			got = string(bytes.Join(s.Fields, []byte("|")))
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// Encodings are found by a byte order mark, by what was chosen, or by what the bytes can be.
func TestBegin(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ text, chosen, want, rest string }{
		{"\xef\xbb\xbfa\n", "", UTF8, "a\n"},
		{"\xef\xbb\xbfa\n", CP932, UTF8, "a\n"},
		{"a\n", "", UTF8, "a\n"},
		{"é\n", "", UTF8, "é\n"},
		{"\x93\xfa\x96\x7b\n", "", CP932, "\x93\xfa\x96\x7b\n"},
		{"\xe9\n", "", CP1252, "\xe9\n"},
		{"\x81\n", "", UTF8, "\x81\n"},   // neither
		{"\x8cZ\n", "", UTF8, "\x8cZ\n"}, // ŒZ or 兄
		{"S\xe8te\n", "", CP1252, "S\xe8te\n"},
		{"\x93\xfa\x96\x7b\n", Western, CP1252, "\x93\xfa\x96\x7b\n"},
		{"é\n", Western, UTF8, "é\n"},
		{"é, è, \xe9\n", Western, UTF8, "é, è, \xe9\n"}, // damaged
		{"é, è, \xe9\n", "", UTF8, "é, è, \xe9\n"},
		{"\xc3\x96, \xe9t\xe9, \xe8\n", Western, CP1252, "\xc3\x96, \xe9t\xe9, \xe8\n"},
		{"a\n", Western, Western, "a\n"},
		{"\xe9\n", CP1252, CP1252, "\xe9\n"},
		{"\xff\xfea\x00\n\x00", "", UTF8, "a\n"},
		{"\xfe\xff\x00a", UTF8, UTF8, "a"},
		{"PK\x03\x04", "", "a workbook or another packed file, no text; save the sheet as CSV", ""},
		{"\xff\xfea\x00", CP932, "starts with the byte order mark of UTF-16, but the encoding chosen is cp932", ""},
	} {
		b := bufio.NewReader(strings.NewReader(tc.text))
		b, enc, _, err := Begin(b, tc.chosen)
		if err != nil {
			enc = err.Error()
		}
		if enc != tc.want {
			t.Errorf("%q, %q: %s, want %s", tc.text, tc.chosen, enc, tc.want)
		}
		if rest, _ := io.ReadAll(b); err == nil && string(rest) != tc.rest {
			t.Errorf("%q: %q is left, want %q", tc.text, rest, tc.rest)
		}
	}
}

// What is encoded is decoded to the same; bytes and characters without a meaning are refused.
func TestEncodings(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ enc, text, bytes string }{
		{UTF8, "日é", "日é"}, {CP932, "日a", "\x93\xfaa"}, {CP1252, "é€", "\xe9\x80"},
		{UTF8, "", "\xe9"}, {CP932, "", "\x81"}, {CP1252, "", "\x81"}, {CP932, "é", ""}, {CP1252, "日", ""},
	} {
		if tc.bytes != "" {
			if s, ok := Decode([]byte(tc.bytes), tc.enc); ok != (tc.text != "") || ok && s != tc.text {
				t.Errorf("%s: %q decodes to %q, %v", tc.enc, tc.bytes, s, ok)
			}
		}
		if tc.text != "" {
			if b, ok := Encode([]byte(tc.text), tc.enc); ok != (tc.bytes != "") || ok && string(b) != tc.bytes {
				t.Errorf("%s: %q encodes to %q, %v", tc.enc, tc.text, b, ok)
			}
		}
	}
}

func zipped(text []byte) []byte {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(text)
	w.Close()
	return z.Bytes()
}

// Compressed text is unpacked once, and a damaged file is no short file.
func TestOpen(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("a,1\nb,2\n"), 1000)
	z := zipped(text)
	flipped := bytes.Clone(z)
	flipped[len(z)-5] ^= 1
	for _, tc := range []struct {
		file []byte
		want string
	}{
		{text, ""}, {z, ""},
		{z[:len(z)-4], "the compressed file ends too early; it is cut short"},
		{z[:len(z)-12], "the compressed file ends too early; it is cut short"},
		{flipped, "the compressed file is damaged: gzip: invalid checksum"},
		{[]byte("\x1f\x8bxxxxxxxxxxxx"), "the compressed file is damaged: gzip: invalid header"},
		{zipped(z), "is compressed twice"},
	} {
		b, _, err := Open(bytes.NewReader(tc.file), 16, nil)
		var got []byte
		if err == nil {
			got, err = io.ReadAll(b)
		}
		var f *Fault
		switch {
		case tc.want == "":
			if err != nil || !bytes.Equal(got, text) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		case !errors.As(err, &f) || f.Want.String() != tc.want:
			t.Errorf("%v, want %s", err, tc.want)
		}
	}
}

// TestRuling tells a line below a header that is drawn from one of missing values.
func TestRuling(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"--,------": true, "===,==\r": true, `"---", ----`: true, "___": true,
		"": false, "-,-": false, "--,--": false, "---,": false, "---,5": false, "--=,---": false, "−−−,−−−": false,
	} {
		for _, rest := range []string{"", "\n", "\n1,2\n"} {
			end := 0
			if want {
				end = len(line) + len(rest[:min(1, len(rest))])
			}
			if got := Ruling([]byte(line+rest), ','); got != end {
				t.Errorf("Ruling(%q) = %d, want %d", line+rest, got, end)
			}
		}
	}
}
