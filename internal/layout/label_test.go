package layout

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Labels that are passed over before the expression of times are none of its texts.
func TestMayBeTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`(?i)([MTSHRQFCYjan ]{0,5}[0-3/. -]{0,4})?(19|20|2)?[0-9]{0,3}[ QMTKSIV1-4/().-]{0,5}`).Draw(t, "label")
		if !mayBeTime(s) && times().MatchString(s) {
			t.Fatalf("%q is a time", s)
		}
	})
}

// TestClean: labels whose marks are not searched for, as their ends tell, have none.
func TestClean(t *testing.T) {
	t.Parallel()
	searched := func(s string) string {
		s = squeeze(s)
		for range 3 {
			r := without(colon(), without(leaders(), s))
			if u := without(footnote(), r); !opened(u) {
				r = u
			}
			r = without(before(), r)
			if m := revised().FindStringSubmatch(r); m != nil {
				r = m[1]
			}
			if r = strings.TrimSpace(r); r == "" || r == s {
				break
			}
			s = r
		}
		return s
	}
	piece := rapid.OneOf(rapid.SampledFrom(strings.Split("Ab 東京 2019 速報 確報 （速報） [note [r [注 ［p （注 (注 注 ( ) （ ） ] ］ ※ ＊ * ** † ‡ § ¶ ⁽ ¹ ⁰ ⁾ a) 1/ 12 9 ０ ９ .. ． … ‥ · ・ _ : ： / - p r e \x80 \u2028", " ")),
		rapid.SampledFrom([]string{" ", "\t", "\u3000"}), rapid.StringN(0, 2, -1))
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "label"), "")
		if got, want := clean(s), searched(s); got != want {
			t.Fatalf("%q: %q, want %q", s, got, want)
		}
	})
}

// TestAllOthers: what is left beside the codes that are told is no total of them.
func TestAllOthers(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]bool{"All other identities": false, "Alle übrigen Wirtschaftszweige": false, "Toutes les autres communes": false, "All ages": true, "Alle Altersgruppen": true} {
		if got := isTotalName(label); got != want {
			t.Errorf("%s: %v", label, got)
		}
	}
}

// TestOfWhich: the words before a part of something in other languages, with a blank behind letters that are no ASCII.
func TestOfWhich(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]string{"w tym: kobiety": "kobiety", "därav kvinnor": "kvinnor", "siitä naisia": "naisia", "das quais mulheres": "mulheres", "그 중 여자": "여자", "Dontenville": "", "Varavägen": ""} {
		if got := isMemo(label); got != (want != "") || got && memoName(label) != want {
			t.Errorf("%s: %v, %s", label, got, memoName(label))
		}
	}
}

// TestMemoOfTwo: a memo item is the sum of the codes that its label names one by one, whatever word stands between them and
// also where such a word is in one of the names.
func TestMemoOfTwo(t *testing.T) {
	t.Parallel()
	for _, memo := range []string{"w tym Żonaci i zamężne i Wdowcy", "of which Żonaci i zamężne, Wdowcy", "davon Wdowcy sowie Żonaci i zamężne"} {
		s, err := Open(strings.NewReader("Gmina,Panny,Żonaci i zamężne,Wdowcy,Ogółem,\""+memo+"\"\nRazem,13,9,6,28,15\nAdry,4,1,4,9,5\nBelm,9,8,2,19,10"), "t.csv", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		equals := s.Reading.Tables[0].Dimensions[1].Codes[4].Equals
		if slices.Sort(equals); !slices.Equal(equals, []string{"Wdowcy", "Żonaci i zamężne"}) {
			t.Errorf("%s is the sum of %v", memo, equals)
		}
	}
}

// TestMemoOfCoded: likewise where a number stands before each name.
func TestMemoOfCoded(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader("Area,Total,Under 20,20-34\n10 Adair,2,0,2\n20 Boone,3,2,1\n30 Clay,1,1,0\n40 North,6,3,3\n50 Dover,3,1,2\n60 Elk,7,7,0\n70 South,10,8,2\nAll areas,16,11,5\n120 of which Clay and Dover,4,2,2"), "t.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := s.Reading.Tables[0].Dimensions[0].Codes[8]; len(c.Equals) != 2 {
		t.Errorf("%s is the sum of %v", c.Code, c.Equals)
	}
}

// TestMemoOfMemos: what a memo item is the sum of is named by its label, also where it has a code and they are memo items of sums that
// hold as well.
func TestMemoOfMemos(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("コード|地域|2018|2019\n100|北浜市|3|1\n101|松原市|0|5\n102|北部|3|6\n103|南川市|5|2\n104|西谷町|1|1\n105|南部|6|3\n106|県計|9|9\n107|再掲 松原市・南川市|5|7"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Tables[0].Dimensions[0].Codes[7]; !slices.Equal(c.Equals, []string{"101", "103"}) {
		t.Errorf("%s is the sum of %v", c.Code, c.Equals)
	}
}
