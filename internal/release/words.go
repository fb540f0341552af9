package release

import (
	"slices"
	"strings"
	"unicode"
)

// A meaning is what a word in the name of a column says about it.
type meaning struct {
	role  Role
	what  string // how it is described to the user
	coded bool   // its values are codes, whose prefixes are coarser, not amounts
	words string // whole words; those ending in * are beginnings of words, and those not in Latin letters are parts of names
}

// meanings are in order of precedence: a name tells who somebody is before it tells what he earns. The
// quasi-identifiers are those of the lists of HIPAA (§164.514(b)(2)), of Eurostat's and Japan's guidelines for
// anonymised microdata, and of registers of persons.
var meanings = []meaning{
	{Identifier, "a name, a number of a person or a way to reach one", false, "name surname firstname lastname forename fullname nom prenom nachname vorname nombre apellido email mail e-mail phone telephone tel mobile fax ssn nhs passport iban account address street adresse strasse rue url ip ipaddress license licence plate vin mrn 氏名 名前 電話 メール 住所 番地 個人番号 マイナンバー 口座 旅券 被保険者番号 識別番号 整理番号"},
	{Identifier, "a number of the record, or of its person or household", false, "id ids uid uuid guid pid personid recordid hid ori_hid identifier key nr no num number lfd kennung 世帯番号 管理番号 受付番号 登録番号 連番 通番 識別子"},
	{Plain, "a weight", false, "weight weights wgt wt poids gewicht ウェイト 乗率 抽出率"},
	{Sensitive, "health", false, "disease diagnos* illness icd icd10 symptom* medication drug drugs treatment disab* health hiv cancer stroke bmi glucose krankheit maladie 病名 傷病 疾患 疾病 診断 障害 健康 症状"},
	{Sensitive, "money", false, "income incomes salary salaries wage wages earning* turnover revenue sales profit debt* asset* savings expend* expenditure rent price balance capital benefit* pension einkommen lohn gehalt umsatz revenu salaire chiffre 所得 収入 年収 給与 賃金 売上 支出 貯蓄 資産 負債 年金 家賃"},
	{Sensitive, "convictions, or what the law protects likewise", false, "religio* party vote politic* union crime criminal offen* conviction sexual* orientation genetic score grade grades note 宗教 信条 政党 犯罪 前科 成績"},
	{Quasi, "when somebody was born", false, "age ages alter âge edad birth* born dob yob naissance geburt* year_of_birth 年齢 年令 生年 誕生"},
	{Quasi, "sex", false, "sex gender geschlecht sexe sexo 性別 男女"},
	{Quasi, "where somebody lives or works", true, "zip zipcode postcode postal plz postleitzahl cp municipal* city town village county state province prefecture region district country nuts nuts1 nuts2 nuts3 lau area location place urbrur urban rural commune departement bundesland kreis gemeinde land latitude longitude lat lon lng 郵便番号 市区町村 市町村 都道府県 地域 県 国"},
	{Quasi, "family", false, "marital* marstat marriage married civil hhcivil household hhsize hh family children relat* relationship kinship familienstand 婚姻 配偶 世帯 続柄 家族 子供 子ども"},
	{Quasi, "origin", true, "race ethnic* nationality citizenship native* origin language birthplace staatsangehörigkeit nationalité 国籍 人種 民族 出身"},
	{Quasi, "education", true, "education* educ school degree diploma bildung 学歴 教育 学校 卒業"},
	{Quasi, "work", true, "occupation* job profession employ* employment workclass work industry sector isco nace isic naics activity beruf branche industrie position staff size 職業 職種 産業 業種 就業 従業 雇用"},
	{Quasi, "dates that others can know", false, "date admission discharge death accident event 日付 年月日 入院 退院 死亡"},
	{Quasi, "the dwelling, or what a visitor sees", false, "roof walls water electcon housing dwelling tenure car cars vehicle height 住宅 建物 構造 自動車"},
}

// told returns the meaning of the name of a column, nil if it has none.
func told(name string) *meaning {
	words := wordsOf(name)
	for k := range meanings {
		for w := range strings.FieldsSeq(meanings[k].words) {
			if isTold(name, words, w) {
				return &meanings[k]
			}
		}
	}
	return nil
}

func isTold(name string, words []string, w string) bool {
	if beginning, ok := strings.CutSuffix(w, "*"); ok {
		return slices.ContainsFunc(words, func(x string) bool { return strings.HasPrefix(x, beginning) })
	}
	if strings.ContainsFunc(w, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Katakana, unicode.Hiragana) }) {
		return strings.Contains(name, w)
	}
	if slices.Contains(words, w) {
		return true
	}
	return strings.EqualFold(name, w)
}

// wordsOf returns the words of a name like birthYear, BIRTH_YEAR or birth-year-2, in lower case without trailing
// digits, and the whole name.
func wordsOf(name string) []string {
	var words []string
	start := 0
	letters := []rune(name)
	put := func(end int) {
		if w := strings.ToLower(strings.TrimRightFunc(string(letters[start:end]), unicode.IsDigit)); w != "" {
			words = append(words, w)
		}
	}
	for i, r := range letters {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			put(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) && unicode.IsLower(letters[i-1]):
			put(i)
			start = i
		}
	}
	put(len(letters))
	return append(words, strings.ToLower(name))
}
