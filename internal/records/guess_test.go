package records

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"pgregory.net/rapid"
)

// Names of places, with every letter of Latin-1 and of CP1252 somewhere.
var westernNames = strings.Fields(`Créteil Sète Évry Béziers Rhône Île Besançon Orléans Nîmes Saint-Étienne Angoulême Fréjus Aÿ L’Haÿ-les-Roses Œting Ajaccio
Köln München Düsseldorf Saarbrücken Gießen Großenhain Überlingen Österreich Ährenthal Göttingen Münster Böblingen Füssen
Århus Ålborg Ærø Ølstykke Tromsø Værnes Malmö Örebro Västerås Göteborg Åland Järvenpää Hämeenlinna Jyväskylä Äänekoski Ylöjärvi
Þórshöfn Ísafjörður Reykjavík Akranes Seyðisfjörður Ólafsvík Ýmir Húsavík Egilsstaðir Súðavík Þingeyri Öræfi Ðakovo
Málaga Cádiz Ávila Coruña Logroño Mérida Córdoba Núria Ibáñez Úbeda Ñuñoa Güímar Álava Ólvega Êxito
Évora Setúbal Bragança Covilhã Portimão Santarém Guimarães Olhão Loulé Açores Conceição Corações Câmara Êvora Ões Ãlvaro
Città Forlì Cefalù Mondovì Niscemì Cantù Nardò Àlex Èrcole Òlbia Ùngheria Ìtala Liège Lœuilly Hénon Ypres Malmédy Böx Ëmile Ïle Noël Haïti Ñ
Škoda Žilina Piešťany Košice`)

var japaneseNames = strings.Fields(`北海道 青森県 岩手県 宮城県 秋田県 山形県 福島県 茨城県 栃木県 群馬県 埼玉県 千葉県 東京都 神奈川県 新潟県 富山県 石川県 福井県 山梨県 長野県 岐阜県 静岡県 愛知県
三重県 滋賀県 京都府 大阪府 兵庫県 奈良県 和歌山県 鳥取県 島根県 岡山県 広島県 山口県 徳島県 香川県 愛媛県 高知県 福岡県 佐賀県 長崎県 熊本県 大分県 宮崎県 鹿児島県 沖縄県
合計 総数 男 女 男性 女性 年齢 地域 産業 製造業 建設業 農業 林業 漁業 鉱業 金額 事業所数 従業者数 売上高 市 区 町 村 さいたま市 つくば市 むつ市 いわき市 みどり市
コンピュータ サービス業 ガス業 プラスチック製品 ゴム製品 トヨタ ニセコ町 南アルプス市 ｻｰﾋﾞｽ業 ﾄｳｷｮｳ ｵｵｻｶ ﾅﾝﾊﾞ A社 B社 X線 第1区 JR東日本 NTT西日本 １０人未満 ２０～２９歳 斎藤 髙橋 﨑山 葛󠄀城`)

// text is a file of lines of names between other columns.
func lines(names []string) string {
	var b strings.Builder
	for n, s := range names {
		b.WriteString(s)
		b.WriteString([]string{",x,70\n", ";12.5\r\n", "   3\n", "\t4\t5\n"}[n%4])
	}
	return b.String()
}

// Drawn names are read in the encoding that they were written in: a file of a few is, and none is read in a wrong one,
// however short.
func TestGuess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, kind := range []struct {
			names []string
			enc   string
		}{{westernNames, CP1252}, {japaneseNames, CP932}} {
			var known []string
			for _, s := range kind.names {
				if b, ok := Encode([]byte(s), kind.enc); ok && !ASCII(b) {
					known = append(known, s)
				}
			}
			names := rapid.SliceOfN(rapid.SampledFrom(known), 1, 30).Draw(t, "names")
			if rapid.Bool().Draw(t, "capitals") {
				for n, s := range names {
					names[n] = strings.ToUpper(s)
				}
			}
			text := lines(names)
			raw, ok := Encode([]byte(text), kind.enc)
			if !ok || utf8.Valid(raw) {
				continue // ẞ, Ÿ; 﨑山 alone
			}
			enc, sure := Guess(raw)
			if sure && enc != kind.enc || (len(names) > 3 || strings.Contains(text, "Cré")) && enc != kind.enc {
				other, _ := Decode(raw, enc)
				t.Fatalf("%q in %s is read as %s (sure: %v): %q; costs %d as Japanese, %d as Western", text, kind.enc, enc, sure, other, japaneseCost(raw), westernCost(raw))
			}
			if len(names) > 8 && !sure {
				t.Fatalf("%q in %s: not sure, costs %d as Japanese, %d as Western", text, kind.enc, japaneseCost(raw), westernCost(raw))
			}
			if enc, sure := Guess([]byte(text)); enc != UTF8 || !sure {
				t.Fatalf("%q in UTF-8 is read as %s", text, enc)
			}
		}
	})
}

// Each name alone is never surely read in the wrong encoding; nearly all are in the right one.
func TestGuessOne(t *testing.T) {
	for _, kind := range []struct {
		names []string
		enc   string
	}{{westernNames, CP1252}, {japaneseNames, CP932}} {
		right, all := 0, 0
		for _, s := range kind.names {
			raw, ok := Encode([]byte(s), kind.enc)
			if !ok || ASCII(raw) || utf8.Valid(raw) { // 﨑山 in CP932 is a word of Korean
				continue
			}
			all++
			enc, sure := Guess(raw)
			if enc != kind.enc && sure {
				t.Errorf("%s in %s is surely %s: costs %d as Japanese, %d as Western", s, kind.enc, enc, japaneseCost(raw), westernCost(raw))
			}
			if enc == kind.enc && sure {
				right++
			} else {
				t.Logf("%s in %s: %s, costs %d as Japanese, %d as Western", s, kind.enc, enc, japaneseCost(raw), westernCost(raw))
			}
		}
		if t.Logf("%s: %d of %d", kind.enc, right, all); 10*right < 9*all {
			t.Errorf("%s: %d of %d names", kind.enc, right, all)
		}
	}
}

// Every letter of Latin-1 in the midst, at the beginning and at the end of a word is read as it was written.
func TestGuessLetters(t *testing.T) {
	for c := 0xc0; c <= 0xff; c++ {
		r := charmap.Windows1252.DecodeByte(byte(c))
		if r == '×' || r == '÷' {
			continue
		}
		for _, word := range []string{"b" + string(r) + "r", string(r) + "sted", "Mar" + string(r), "B" + string(r) + "l", "la B" + string(r) + "le du Nord"} {
			raw, _ := charmap.Windows1252.NewEncoder().String(strings.Repeat(word+";x\n", 3))
			if enc, sure := Guess([]byte(raw)); enc != CP1252 || !sure {
				s, _ := japanese.ShiftJIS.NewDecoder().String(raw)
				t.Errorf("%s is read as %s, sure: %v: %q; costs %d as Japanese, %d as Western", word, enc, sure, s, japaneseCost([]byte(raw)), westernCost([]byte(raw)))
			}
		}
	}
}

// Words of any letters are read as they were written, whatever they are: of Western letters between those of ASCII, and of
// common kanji and kana.
func TestGuessWords(t *testing.T) {
	letters := rapid.Map(rapid.SampledFrom([]rune("àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþß")), func(r rune) string { return string(r) })
	plain := rapid.StringMatching(`[a-z]{1,4}`)
	western := rapid.Custom(func(t *rapid.T) string {
		s := rapid.StringMatching(`[A-Z][a-z]{0,3}`).Draw(t, "begin") + letters.Draw(t, "letter") + plain.Draw(t, "end")
		if rapid.Bool().Draw(t, "second") {
			s += letters.Draw(t, "letter")
		}
		return s
	})
	char := rapid.Custom(func(t *rapid.T) string {
		lead := rapid.IntRange(0x88, 0x97).Draw(t, "lead")
		trail := rapid.SampledFrom([][2]int{{0x9f, 0xfc}, {0x40, 0x7e}}).Draw(t, "trails")
		b := []byte{byte(lead), byte(rapid.IntRange(trail[0], trail[1]).Draw(t, "trail"))}
		if lead == 0x88 { // kana
			b = []byte{0x83, byte(rapid.IntRange(0x40, 0x7e).Draw(t, "kana"))}
		}
		s, ok := Decode(b, CP932)
		if !ok {
			t.Skip("no character")
		}
		return s
	})
	eastern := rapid.Map(rapid.SliceOfN(char, 2, 6), func(c []string) string { return strings.Join(c, "") })
	rapid.Check(t, func(t *rapid.T) {
		for _, kind := range []struct {
			word *rapid.Generator[string]
			enc  string
		}{{western, CP1252}, {eastern, CP932}} {
			text := lines(rapid.SliceOfN(kind.word, 4, 20).Draw(t, "words"))
			raw, _ := Encode([]byte(text), kind.enc)
			if enc, sure := Guess(raw); enc != kind.enc || !sure {
				t.Fatalf("%q in %s is read as %s, sure: %v; costs %d as Japanese, %d as Western", text, kind.enc, enc, sure, japaneseCost(raw), westernCost(raw))
			}
		}
	})
}

// The second byte of a character may be that of an ASCII letter: it is no letter beside the next character. It was, so that four words were not surely Japanese.
func TestGuessSecondBytes(t *testing.T) {
	for _, names := range []string{"ア院 陰院 陰院 餌院", "餌院 餌院 餌院 餌院"} {
		raw, ok := Encode([]byte(lines(strings.Fields(names))), CP932)
		if enc, sure := Guess(raw); !ok || enc != CP932 || !sure {
			t.Errorf("%s is read as %s, sure: %v; costs %d as Japanese, %d as Western", names, enc, sure, japaneseCost(raw), westernCost(raw))
		}
	}
}

// A byte that is no lead of two is one by itself, at the end of a text as well.
func TestGuessEnds(t *testing.T) {
	t.Parallel()
	for c := 0x80; c < 0x100; c++ {
		for _, text := range []string{string([]byte{byte(c)}), string([]byte{'W', byte(c)}), string([]byte{byte(c), 'W'})} {
			Guess([]byte(text))
		}
	}
}
