package layout

import (
	"regexp"
	"strings"

	"github.com/hitoku/hitoku/internal/lazy"
)

var (
	unitLine  = lazy.Regexp(`(?i)(?:単\s*位|單位|单位|단위|unit of measure|unit[éà]|units?|einheit|eenheid|enhet|enhed|yksikkö|unidade?|jednostka)\s*[：:=]?\s*([^）)\]］〕]+)`)
	bracketed = lazy.Regexp(`[（(［\[〔]([^（(［\[〔）)］\]〕]+)[）)］\]〕]\s*$`)
	blackened = lazy.Regexp(`【([^】]+)】\s*$`)
	times1000 = lazy.Regexp(`(?i)^(?:x|×|in)?\s*(1[ ,.\x{00a0}\x{202f}]?(?:000|0{3}[ ,.]?000)|1000000|thousands?|millions?|tausend|千|百万)$`)
	mixed     = lazy.Regexp(`(?i)^(?:in\s+|x\s*)?(1[ ,.]?000|1[ ,.]000[ ,.]000|thousands? of|millions? of|thousand|million|tsd\.?|1\s?000)\s+(\S.*)$`)
)

// countUnits are units of things counted, including all that have no fractions.
var countUnits = wordSet(`人 所 事業所 企業 世帯 戸 社 件 台 個 棟 校 園 隻 頭 羽 経営体 店 施設 回 団体 組 室 床 票 組合 法人 農家 林家 箇所 か所
	farms farm establishments establishment enterprises enterprise persons person people employees number numbers anzahl personen personnes persoons banen jobs offences households dwellings units
	lukumäärä kpl henkilöä antal count counts unternehmen betriebe beschäftigte businesses companies cases births deaths individuals habitants ménages etablissements établissements entreprises vehicles aantal nombre número personas`)

// amountUnits are units of amounts measured.
var amountUnits = wordSet(`円 千円 万円 百万円 億円 十億円 ｔ t トン kg ha a ㎡ m2 km2 ㎢ kl l kwh mwh gwh 時間 日 % ％ ‰ 歳 acres acre hectares dollars $ $1,000 usd eur euro euros € mio.eur mill.eur mioeur milleur millioneuro 1000euroa tsd.eur gbp £ £million £m pounds tonnes tons percent per\ cent prozent pourcent procent procenten index indexes hours days mil.kr mkr tkr kr`)

// rates matches units and names of numbers that never add up.
var rates = lazy.Regexp(`(?i)^[%％‰]$|per ?cent|percent|prozent|procent|pour ?cent|割合|構成比|構成率|比率|百分率|指数|\brates?\b|\bratio\b|\bindex\b|\bshare\b|平均|\baverage\b|\bmean\b|\bmedian\b|増減率|増加率|変化率|利用率|\bper 1,?000\b|\bper capita\b|当たり|あたり`)

// derivedWords matches headings of columns that are computed from others.
var derivedWords = lazy.Regexp(`(?i)(?:^|[^0-9０-９\s])[\s（(]*[%％‰][）)]?(?:\s|$)|構成比|構成率|割合|比率|百分率|指数|順位|増減|増加数|増加率|前年比|前年度比|前期比|対前年|前回比|伸び率|変化率|性比|\b(?:19|20)\d\d\s?=\s?100\b|\bbase 100\b|累計|\bcumul|\bkumul|\bindex\b|per ?cent|percent|\bshare\b|\bchange\b|\bratio\b|prozent|anteil|veränderung|\bpart en\b|évolution|verandering|muutos|osuus|密度|densit|dichte|\bper km|\bje km|par km|par personne|per person|je person|pro kopf|1\s?[人所世帯]+当たり|[１一]?[人所世帯事業所]+当たり|平均|\baverage\b|\bmean\b|durchschnitt|moyen|\bper (?:capita|head|farm|household)\b|\brate\b|procent|\bpct\b|porcentaje|percentual|\bandel\b|aandeel|udział|odset|podíl|megoszlás|arány|구성비|비율|비중|증감|증가율|지수|평균|variaci[óo]n|variazion|variação|förändring|ændring|zmiana|przyrost|změna|přírůstek|változás|değişim|índice|\bindeks`)

// A unitText is a unit as read from a text.
type unitText struct {
	unit  string
	times int64 // multiplier; 0: not stated
}

// parseUnit reads the text of a unit: 人, Mill. EUR, x 1 000, 1,000 acres.
func parseUnit(s string) unitText {
	s = strings.TrimSpace(squeeze(s))
	s = strings.TrimRight(s, "。.;；")
	if m := times1000().FindStringSubmatch(fold(s)); m != nil {
		return unitText{times: timesOf(m[1])}
	}
	if m := mixed().FindStringSubmatch(fold(s)); m != nil && !amountUnits[wordOf(s)] {
		return unitText{unit: m[2], times: timesOf(m[1])}
	}
	return unitText{unit: s}
}

func timesOf(s string) int64 {
	s = strings.ToLower(s)
	if strings.HasPrefix(s, "million") || s == "百万" || strings.Count(s, "000") == 2 {
		return 1000000
	}
	return 1000
}

// isUnit reports whether s is a known unit and nothing else.
func isUnit(s string) bool {
	w := wordOf(s)
	if w == "" {
		return false
	}
	if countUnits[w] || amountUnits[w] || units[fold(s)] {
		return true
	}
	u := parseUnit(s)
	return u.times > 0 && (u.unit == "" || isUnit(u.unit))
}

// unitIn finds the unit in a text like （単位：人） or "Sales (EUR)"; rest is the text without it.
func unitIn(s string) (u unitText, rest string, ok bool) {
	t := squeeze(s)
	if m := unitLine().FindStringSubmatchIndex(t); m != nil {
		first := t[m[0]:m[1]]
		if strings.ContainsAny(first, "：:=") || strings.Contains(first, "単") {
			rest = strings.TrimRight(strings.TrimSpace(t[:m[0]]), "（([［〔 ")
			return parseUnit(t[m[2]:m[3]]), rest, true
		}
	}
	if m := blackened().FindStringSubmatchIndex(t); m != nil {
		return parseUnit(t[m[2]:m[3]]), strings.TrimSpace(t[:m[0]]), true
	}
	if m := bracketed().FindStringSubmatchIndex(t); m != nil && isUnit(t[m[2]:m[3]]) {
		return parseUnit(t[m[2]:m[3]]), strings.TrimSpace(t[:m[0]]), true
	}
	return u, t, false
}

// kindOf returns the kind of what a unit measures, "" if it is unknown.
func kindOf(unit string) string {
	w := wordOf(unit)
	switch {
	case w == "":
		return ""
	case countUnits[w]:
		return ofCounts
	case amountUnits[w], rates().MatchString(unit):
		return ofMagnitudes
	}
	for _, part := range []string{"円", "eur", "euro", "dollar", "usd", "gbp", "£", "€", "$", "acre", "hectare", "トン", "kg", "㎡", "時間"} {
		if strings.Contains(w, part) {
			return ofMagnitudes
		}
	}
	for _, part := range strings.FieldsFunc(unit, func(r rune) bool { return strings.ContainsRune("，、,・/;", r) }) {
		if countUnits[wordOf(part)] {
			return ofCounts
		}
	}
	return ""
}

// whatCounts has nouns by which titles name what they count, and its unit in their language. For a noun of two
// languages, the word behind it tells which.
var whatCounts = []struct {
	noun func() *regexp.Regexp
	unit string
}{
	{lazy.Regexp(`人口|従業者数`), "人"},
	{lazy.Regexp(`世帯数`), "世帯"},
	{lazy.Regexp(`事業所数`), "事業所"},
	{lazy.Regexp(`(?i)^population (\pL*[éèê]\pL*|par|selon|des?|en) `), "personnes"},
	{lazy.Regexp(`(?i)^(bevölkerung|einwohner)\b`), "Personen"},
	{lazy.Regexp(`(?i)^población\b`), "personas"},
}

// counted returns the unit of what a title says is counted, "" if it does not say.
func counted(title string) string {
	for _, w := range whatCounts {
		if w.noun().MatchString(title) {
			return w.unit
		}
	}
	return ""
}
