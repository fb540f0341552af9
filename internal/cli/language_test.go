package cli

import "testing"

func TestSpeak(t *testing.T) {
	defer Speak()
	for _, tc := range []struct {
		tags []string
		want string
	}{
		{nil, "en"},
		{[]string{"ja_JP.UTF-8"}, "ja"},
		{[]string{"fr_FR", "ja"}, "ja"},
		{[]string{"C.UTF-8", "ja"}, "en"},
		{[]string{"en-GB", "ja"}, "en"},
		{[]string{"../../etc/passwd"}, "en"},
	} {
		if err := Speak(tc.tags...); err != nil || Speaks().Tag != tc.want {
			t.Errorf("%q: %s, %v", tc.tags, Speaks().Tag, err)
		}
	}
}
