package report

import "maps"

// The words of the page about releases beside their original.

func init() {
	maps.Copy(riskMetrics, releaseMetrics)
	maps.Copy(riskKinds, releaseKinds)
	for lang, texts := range releaseTexts {
		maps.Copy(riskTexts[lang], texts)
	}
	for lang, words := range releaseWords {
		maps.Copy(riskWords[lang], words)
	}
}

var releaseMetrics = map[string]riskMetric{
	"compare": {main: []string{"largest_risk", "loss"}, models: []string{""}},
}

var releaseKinds = map[string][]string{
	"compare": {"risk-compare"},
}

// releaseTables are the lists of their documents that are tables, with the key of the names of their lines.
var releaseTables = []struct{ key, first, second string }{
	{"attacks", "attack", ""}, {"links", "attack", ""}, {"intervals", "column", ""}, {"changes", "measure", ""}, {"marginals", "column", ""}, {"pairs", "a", "b"},
}

var releaseTexts = map[string]map[string]riskText{
	"en": {
		"compare": {
			Title:    "Release against original",
			What:     "The release was attacked with the original at hand: record linkage by distance and by probability, interval disclosure of numbers, singling out, linkability and inference. Risk is how much more often an attack succeeds than on records that the release was not made from, or, without such a control file, than a guess that does not look at the release, as a share of what is left to gain. Loss is told by the propensity score: 0 where nobody can tell records of the release from those of the original, 1 where everybody can.",
			Formula:  "R = (a − c)/(1 − c)   (a, c: shares of successes on the original and the control file)\nloss = 1/(c(1 − c)) · 1/N Σ (p̂ − c)²   (p̂: chance that a record is of the release, by logistic regression; c: the share of the release)",
			Source:   "Giomi and others, PoPETs 2023 (anonymeter); Fellegi and Sunter, JASA 1969; Domingo-Ferrer and Torra 2004; Mateo-Sanz and others, PSD 2004; Snoke and others, JRSS A 2018",
			Attacker: "Knows the quasi-identifiers of persons as the original has them, and the release. Record linkage: of all of them.",
			Not: []string{
				"An attack that fails here proves nothing: another attacker may know more, or do better.",
				"Without a control file, what holds for everybody in the population counts as risk, too.",
				"Loss is that of the columns compared; what a study needs beyond marginals and pairs may be lost without a trace.",
			},
		},
	},
	"ja": {
		"compare": {
			Title:    "公表データと原データの比較",
			What:     "原データを手元に置いて公表データを攻撃しました。距離および確率に基づくレコードリンケージ、数値の区間開示、シングリングアウト、リンカビリティ、属性推定です。リスクは、公表データの元になっていないレコード（対照データ）、それがないときは公表データを見ない推測と比べて攻撃が成功する割合がどれだけ高いかを、残りの余地に対する割合で表します。損失は傾向スコアによります。公表データと原データのレコードを誰も見分けられないとき 0、誰でも見分けられるとき 1 です。",
			Formula:  "R = (a − c)/(1 − c)   (a, c：原データと対照データで成功した割合)\n損失 = 1/(c(1 − c)) · 1/N Σ (p̂ − c)²   (p̂：ロジスティック回帰による、公表データのレコードである確率；c：公表データの割合)",
			Source:   "Giomi ほか, PoPETs 2023（anonymeter）；Fellegi・Sunter, JASA 1969；Domingo-Ferrer・Torra 2004；Mateo-Sanz ほか, PSD 2004；Snoke ほか, JRSS A 2018",
			Attacker: "対象者の準識別子を原データのとおりに知っており、公表データを持っています。レコードリンケージでは全員の準識別子を知っています。",
			Not: []string{
				"ここで失敗した攻撃は、安全であることの証明にはなりません。別の攻撃者はより多くを知り、よりうまく攻撃するかもしれません。",
				"対照データがないときは、母集団の全員に当てはまる事柄もリスクとして数えられます。",
				"損失は比較した列についてのものです。周辺分布と二列の組のほかに研究に必要な情報は、気付かれずに失われることがあります。",
			},
		},
	},
}

var releaseWords = map[string]map[string]string{
	"en": {
		"internal": "Internal: not to be published, as who guesses a confidential file can check the guess by its checksum. --mask leaves these checksums out.", "nodigest": "left out: the file is confidential",
		"t.attacks": "Attacks", "t.links": "Record linkage", "t.intervals": "Interval disclosure", "t.changes": "Measures before and after", "t.marginals": "Columns", "t.pairs": "Pairs of columns",
		"f.original": "Original", "f.release": "Release", "f.control": "Control file", "f.numbers": "Columns of numbers", "f.seed": "Seed", "f.confidence": "Confidence level", "f.compare.records": "Records of the original", "f.release_records": "Records of the release",
		"f.truth": "Originals known by", "f.matched": "Records with a known original", "f.largest_risk": "Largest risk", "f.largest_attack": "By", "f.loss": "Loss by propensity score", "f.pmse": "Mean squared error of the propensity score", "f.pmse_ratio": "By its expectation for a right model",
		"f.il1s": "Information loss IL1s", "f.marginal_tv": "Marginals, mean total variation", "f.pair_tv": "Pairs of columns, mean total variation", "f.association": "Associations, largest change", "f.copies": "Share of copies", "f.closest_low": "Distance to the closest record, 5th percentile", "f.closest_median": "Distance to the closest record, median", "f.closest_mean": "Distance to the closest record, mean",
		"l.max-loss": "loss at most %s", "role.original": "Original", "role.control": "Control file",
		"v.truth.order": "the order of the records", "v.truth.id": "a column", "v.truth.mapping": "a file",
		"w.attack": "attack", "w.n": "number", "w.success": "successes", "w.rate": "rate", "w.rate_low": "from", "w.rate_high": "to", "w.baseline": "baseline", "w.control": "control", "w.risk_low": "from", "w.risk_high": "to",
		"w.right": "expected right", "w.certain": "certain", "w.hits": "hits s", "w.r": "r(n)", "w.refuted": "r(n) ≤ s", "w.column": "column", "w.average": "within 1–10 % of ranks", "w.sd": "deviation", "w.measure": "measure",
		"w.original": "original", "w.released": "release", "w.tv": "total variation", "w.ks": "Kolmogorov–Smirnov", "w.mean": "mean", "w.released_mean": "release", "w.released_sd": "release", "w.a": "column", "w.b": "column", "w.kind": "measure",
	},
	"ja": {
		"internal": "部内限り：秘密のファイルの内容を推測した者が SHA-256 で確かめられるため、公表しないでください。--mask を付けると省かれます。", "nodigest": "秘密のファイルのため省略",
		"t.attacks": "攻撃", "t.links": "レコードリンケージ", "t.intervals": "区間開示", "t.changes": "前後の指標", "t.marginals": "列", "t.pairs": "列の組",
		"f.original": "原データ", "f.release": "公表データ", "f.control": "対照データ", "f.numbers": "数値の列", "f.seed": "乱数の種", "f.confidence": "信頼水準", "f.compare.records": "原データのレコード数", "f.release_records": "公表データのレコード数",
		"f.truth": "対応の根拠", "f.matched": "元のレコードが分かっているレコード数", "f.largest_risk": "最大のリスク", "f.largest_attack": "その攻撃", "f.loss": "傾向スコアによる損失", "f.pmse": "傾向スコアの平均二乗誤差", "f.pmse_ratio": "正しいモデルでの期待値に対する比",
		"f.il1s": "情報損失 IL1s", "f.marginal_tv": "周辺分布の全変動距離の平均", "f.pair_tv": "列の組の全変動距離の平均", "f.association": "関連の変化の最大値", "f.copies": "複製の割合", "f.closest_low": "最近接レコードとの距離（5 パーセント点）", "f.closest_median": "最近接レコードとの距離（中央値）", "f.closest_mean": "最近接レコードとの距離（平均）",
		"l.max-loss": "損失が %s 以下", "role.original": "原データ", "role.control": "対照データ",
		"v.truth.order": "レコードの順序", "v.truth.id": "列", "v.truth.mapping": "ファイル",
		"w.attack": "攻撃", "w.n": "件数", "w.success": "成功数", "w.rate": "成功率", "w.rate_low": "下限", "w.rate_high": "上限", "w.baseline": "基準", "w.control": "対照", "w.risk_low": "下限", "w.risk_high": "上限",
		"w.right": "正解の期待値", "w.certain": "確実な正解", "w.hits": "正解数 s", "w.r": "r(n)", "w.refuted": "r(n) ≤ s", "w.column": "列", "w.average": "順位 1～10 % 以内", "w.sd": "標準偏差", "w.measure": "指標",
		"w.original": "原データ", "w.released": "公表データ", "w.tv": "全変動距離", "w.ks": "コルモゴロフ–スミルノフ", "w.mean": "平均", "w.released_mean": "公表", "w.released_sd": "公表", "w.a": "列", "w.b": "列", "w.kind": "指標",
	},
}
