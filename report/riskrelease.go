package report

import "maps"

// The words of the page about releases beside their original.

func init() {
	maps.Copy(riskMetrics, releaseMetrics)
	maps.Copy(riskKinds, releaseKinds)
	addWords(riskTexts, releaseTexts)
	addWords(riskWords, releaseWords)
}

// addWords adds what is said in each language.
func addWords[V any](to, more map[string]map[string]V) {
	for lang, words := range more {
		maps.Copy(to[lang], words)
	}
}

// addRiskPage adds the page of a measure whose document is risk-NAME: its texts by language, and words.
func addRiskPage(name string, metric riskMetric, texts map[string]riskText, words map[string]map[string]string) {
	riskMetrics[name], riskKinds[name] = metric, []string{"risk-" + name}
	for lang, text := range texts {
		riskTexts[lang][name] = text
	}
	addWords(riskWords, words)
}

var releaseMetrics = map[string]riskMetric{
	"compare":     {main: []string{"largest_risk", "loss"}, models: []string{""}},
	"mix":         {main: []string{"rho", "m", "k"}, models: []string{""}},
	"posterior":   {main: []string{"risk", "k"}, models: []string{""}},
	"reconstruct": {main: []string{"records"}, models: []string{""}},
	"all":         {main: []string{"verdict"}, models: []string{""}},
}

var releaseKinds = map[string][]string{
	"compare":     {"risk-compare"},
	"mix":         {"risk-mix"},
	"posterior":   {"risk-posterior"},
	"reconstruct": {"risk-reconstruct"},
	"all":         {"risk-all"},
	"pws":         {"risk-pws", "risk-pws-table", "risk-pws-class", "risk-pws-hits"},
}

// releaseTables are the lists of their documents that are tables, with the key of the names of their lines.
var releaseTables = []struct{ key, first, second string }{
	{"attacks", "attack", ""}, {"links", "attack", ""}, {"intervals", "column", ""}, {"changes", "measure", ""}, {"marginals", "column", ""}, {"pairs", "a", "b"}, {"columns", "column", ""}, {"values", "value", ""}, {"figures", "measure", "of"}, {"without", "column", ""}, {"next", "step", "of"},
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
		"all": {
			Title:    "All measures of the records",
			What:     "What all measures of records by their classes say in one pass, against the limits, and what to do next. k: the smallest class; a minimal sample unique singles out a record by as few columns as possible; l, α, t, β and δ: what a class tells of a sensitive attribute.",
			Formula:  "k = min f;   l = number of values in a class;   α = r₁/n;   t = max ½ Σ |q − p|;   β = max (q − p)/p;   δ = max |ln(q/p)|   (p, q: shares of a value among all records and in a class)",
			Source:   "Sweeney 2002; Machanavajjhala and others 2007; Li and others 2007; Cao and Karras 2012; Brickell and Shmatikov 2008; Elliot and others 2005",
			Attacker: "Knows that the person is in the file, and the quasi-identifiers as they stand there.",
			Not: []string{
				"Columns that are not named as quasi-identifiers are taken to be unknown to the attacker.",
				"Limits are choices: that they are kept does not prove that nobody can be identified.",
			},
		},
		"mix": {
			Title:    "Columns of a file randomised and with noise in one pass",
			What:     "Each value of the columns was changed by itself: kept or replaced, by a matrix of chances, bit by bit, or by Laplace noise. Each link of a person with a published record by these columns has a chance of at most 1/k (Pk-anonymity): the ratios α and β of the columns multiply.",
			Formula:  "k = 1 + (n − m)·α + (m − 1)·β,   α = Π α_c,  β = Π β_c;   noise: α_c = exp(−R/σ),  β_c = α_c²",
			Source:   "Kikuchi, How much can the sampling reduce the identification risk? (in Japanese), Theorem 5.1; Laplace noise for Pk-anonymity (in Japanese), section 6.1",
			Attacker: "Knows the whole table and the mechanism with its parameters, but not the seed, and not the order of the records.",
			Not: []string{
				"The guarantee is that of one release: two of the same records tell more.",
				"With each record drawn by itself the k is that of a release that holds all records.",
			},
		},
		"posterior": {
			Title:    "Risk of a sample, against who knows a file",
			What:     "The chance that a record of the known file is a given published one like it, by the law of Bayes for this file and this sample. Beside it stands the bound that holds for all files and samples of these sizes.",
			Formula:  "R = E[1/N_v · Π (N_w)_b] / E[Π (N_w)_b]   (N_w: known records with value w and those of the unknown that have it; (x)_b = x(x − 1)…(x − b + 1), b published)",
			Source:   "Kikuchi, How much can the sampling reduce the identification risk? (in Japanese), section 4.3",
			Attacker: "Knows the records of the file exactly and that they are in the table, and takes each other record to have values of a known one, with the chance it has among them, or values of its own with the chance given.",
			Not: []string{
				"An attacker who knows more of the other records than that learns more.",
				"Columns that are not compared are taken to be unknown.",
			},
		},
		"reconstruct": {
			Title:    "Distribution before randomisation",
			What:     "How many records had each value before the release was randomised: the most likely numbers, and, where the mechanism has as many values after as before, the unbiased estimate with its standard error.",
			Formula:  "c_v ← c_v Σ_j A[v][j] o_j / Σ_w A[w][j] c_w;   unbiased: cA = o   (o: records of the release)",
			Source:   "Agrawal and Srikant, SIGMOD 2000; Kooiman, Willenborg and Gouweleeuw 1997",
			Attacker: "None: this is for analysts, who know the mechanism and its parameters.",
			Not: []string{
				"Estimates of one column: how columns go together takes their joint matrix.",
				"The likely numbers are biased where some are near 0.",
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
		"all": {
			Title:    "レコードの全指標",
			What:     "同値類に基づく全指標を一度に求め、基準と比べ、次にすべきことを示します。k は最小の同値類の大きさ、最小標本一意は最も少ない列で一件を特定する組、l・α・t・β・δ は同値類から機微属性について分かることを表します。",
			Formula:  "k = min f;   l = 同値類の値の数;   α = r₁/n;   t = max ½ Σ |q − p|;   β = max (q − p)/p;   δ = max |ln(q/p)|   (p, q：全体と同値類における値の割合)",
			Source:   "Sweeney 2002；Machanavajjhala ほか 2007；Li ほか 2007；Cao・Karras 2012；Brickell・Shmatikov 2008；Elliot ほか 2005",
			Attacker: "対象者がファイルに含まれることと、その準識別子を記載のとおりに知っています。",
			Not: []string{
				"準識別子に指定しない列は、攻撃者に知られていないとみなします。",
				"基準は選択によるものです。基準を満たしても、誰も識別されないことの証明にはなりません。",
			},
		},
		"mix": {
			Title:    "複数の列の撹乱とノイズ付加",
			What:     "列の各値を独立に変えました。維持または置換、遷移確率行列、ビットごとの置換、ラプラスノイズのいずれかです。これらの列によって、ある者と公表されたレコードとの対応付けが正しい確率は、いずれも 1/k 以下です（Pk-匿名性）。各列の比 α, β を掛け合わせます。",
			Formula:  "k = 1 + (n − m)·α + (m − 1)·β,   α = Π α_c,  β = Π β_c;   ノイズ：α_c = exp(−R/σ),  β_c = α_c²",
			Source:   "菊池亮「サンプリングを用いた際の個人識別リスクの評価」定理 5.1；ラプラスノイズによる Pk-匿名化の論文 6.1 節",
			Attacker: "表の全体と、撹乱の方法およびパラメータを知っていますが、乱数の種とレコードの順序は知りません。",
			Not: []string{
				"一回の公表についての保証です。同じレコードを二回公表すると、より多くが知られます。",
				"レコードごとに独立に抽出するときの k は、全レコードが公表される場合のものです。",
			},
		},
		"posterior": {
			Title:    "ファイルを知る攻撃者に対する標本のリスク",
			What:     "既知のファイルのレコードが、同じ値をもつ公表レコードである確率を、このファイルとこの標本についてベイズの定理で求めました。同じ大きさのすべてのファイルと標本に成り立つ上界も示します。",
			Formula:  "R = E[1/N_v · Π (N_w)_b] / E[Π (N_w)_b]   (N_w：値 w をもつ既知および未知のレコード数；(x)_b = x(x − 1)…(x − b + 1), b は公表数)",
			Source:   "菊池亮「サンプリングを用いた際の個人識別リスクの評価」4.3 節",
			Attacker: "ファイルのレコードを正確に知り、それらが表に含まれることも知っています。ほかのレコードは、既知のレコードにおける割合で既知の値をもつか、指定した確率で新しい値をもつとみなします。",
			Not: []string{
				"ほかのレコードについてそれ以上を知る攻撃者には、より多くが知られます。",
				"比較に用いない列は、攻撃者に知られていないとみなします。",
			},
		},
		"reconstruct": {
			Title:    "撹乱前の分布の再構築",
			What:     "撹乱前に各値をもっていたレコード数の推定です。最も確からしい数と、撹乱の前後で値の数が等しいときは不偏推定値とその標準誤差を示します。",
			Formula:  "c_v ← c_v Σ_j A[v][j] o_j / Σ_w A[w][j] c_w;   不偏推定：cA = o   (o：公表データのレコード数)",
			Source:   "Agrawal・Srikant, SIGMOD 2000；Kooiman・Willenborg・Gouweleeuw 1997",
			Attacker: "攻撃者ではなく、撹乱の方法とパラメータを知る分析者のためのものです。",
			Not: []string{
				"一つの列についての推定です。列どうしの関係には同時の行列が必要です。",
				"0 に近い数があるとき、最も確からしい数は偏ります。",
			},
		},
	},
}

var releaseWords = map[string]map[string]string{
	"en": {
		"internal": "Internal: not to be published, as who guesses a confidential file can check the guess by its checksum. --mask leaves these checksums out.", "nodigest": "left out: the file is confidential",
		"f.verdict": "Verdict", "f.date": "Date", "f.author": "Author", "f.tags": "Taken to the categories of the population",
		"v.verdict.kept": "kept", "v.verdict.broken": "NOT KEPT", "v.verdict.empty": "no records", "v.verdict.none": "–",
		"t.figures": "Measures", "t.without": "k without one column", "t.next": "What to do next", "w.of": "of", "w.value": "value", "w.limit": "limit", "w.verdict": "verdict", "w.step": "step", "w.k": "k", "w.sample_uniques": "records alone",
		"v.step.drop": "Leave out columns that tell who the records are", "v.step.generalise": "Make quasi-identifiers coarser, this one first (hitoku risk generalise)", "v.step.suppress": "Or leave out the records in small classes", "v.step.sensitive": "Coarser classes, or coarser values of sensitive attributes", "v.step.population": "If the file is a sample: population uniques; with a register or census table k-map", "v.step.page": "When the release is made: compare it with the original (hitoku risk compare)",
		"v.measure.k-anonymity: k": "k-anonymity: k", "v.measure.classes": "classes", "v.measure.records alone": "records alone", "v.measure.records in classes below the limit of k": "records in classes below the limit of k", "v.measure.largest risk 1/k": "largest risk 1/k", "v.measure.average risk": "average risk", "v.measure.expected re-identifications": "expected re-identifications",
		"v.measure.records that they single out": "records that they single out", "v.measure.distinct l": "distinct l", "v.measure.entropy l": "entropy l", "v.measure.α, share of the most frequent value": "α, share of the most frequent value", "v.measure.t-closeness: t": "t-closeness: t", "v.measure.β-likeness: β": "β-likeness: β", "v.measure.δ-disclosure: δ": "δ-disclosure: δ",
		"t.columns": "Columns changed", "t.values": "Values", "f.mix.share": "Each record with chance", "f.group": "Fewest records that lack the same numbers", "f.mechanism": "Mechanism", "f.steps": "Steps", "f.settled": "Settled", "f.mean": "Mean", "f.attribute": "Column", "f.known": "Known records", "f.new": "An unknown record is new with chance",
		"f.published_new": "Published records like no known one", "f.bound": "Bound by n₀ and m alone", "f.bound_exact": "The bound, exactly", "f.k_without_sampling": "k without sampling", "f.k_of_this_size": "k of a sample of this size", "f.truth_file": "Truth", "f.guess": "Guess F′", "f.r_file": "r of", "f.absent": "Pseudonyms that the truth has not",
		"role.known":  "Known records",
		"w.mechanism": "mechanism", "w.values": "values", "w.from": "from", "w.rho": "ρ", "w.range": "range", "w.sigma": "σ", "w.digits": "decimals", "w.beta": "β", "w.count": "most likely", "w.unbiased": "unbiased", "w.error": "standard error", "w.known": "known", "w.published": "published",
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
		"f.verdict": "判定", "f.date": "日付", "f.author": "作成者", "f.tags": "母集団の分類への対応付け",
		"v.verdict.kept": "満たす", "v.verdict.broken": "満たさない", "v.verdict.empty": "レコードなし", "v.verdict.none": "–",
		"t.figures": "指標", "t.without": "一列を除いたときの k", "t.next": "次にすべきこと", "w.of": "対象", "w.value": "値", "w.limit": "基準", "w.verdict": "判定", "w.step": "手順", "w.k": "k", "w.sample_uniques": "標本一意",
		"v.step.drop": "個人を特定する列を除く", "v.step.generalise": "準識別子を粗くする。まずこの列から（hitoku risk generalise）", "v.step.suppress": "または小さい同値類のレコードを除く", "v.step.sensitive": "同値類または機微属性の値を粗くする", "v.step.population": "標本であれば母集団一意を、台帳や国勢調査の表があれば k-マップを求める", "v.step.page": "公表データができたら原データと比較する（hitoku risk compare）",
		"v.measure.k-anonymity: k": "k-匿名性の k", "v.measure.classes": "同値類の数", "v.measure.records alone": "標本一意数", "v.measure.records in classes below the limit of k": "k の基準を下回る同値類のレコード数", "v.measure.largest risk 1/k": "最大のリスク 1/k", "v.measure.average risk": "平均のリスク", "v.measure.expected re-identifications": "期待再識別数",
		"v.measure.records that they single out": "最小標本一意で特定されるレコード数", "v.measure.distinct l": "l（異なる値の数）", "v.measure.entropy l": "エントロピー l", "v.measure.α, share of the most frequent value": "α（最頻値の割合）", "v.measure.t-closeness: t": "t-近接性の t", "v.measure.β-likeness: β": "β-類似性の β", "v.measure.δ-disclosure: δ": "δ-開示の δ",
		"t.columns": "変更した列", "t.values": "値", "f.mix.share": "各レコードの抽出確率", "f.group": "同じ数が欠けているレコードの最小数", "f.mechanism": "撹乱の方法", "f.steps": "反復回数", "f.settled": "収束", "f.mean": "平均", "f.attribute": "列", "f.known": "既知のレコード", "f.new": "未知のレコードが新しい値をもつ確率",
		"f.published_new": "既知のどのレコードとも異なる公表レコード数", "f.bound": "n₀ と m だけによる上界", "f.bound_exact": "同　正確な値", "f.k_without_sampling": "標本抽出をしないときの k", "f.k_of_this_size": "この大きさの標本の k", "f.truth_file": "正解", "f.guess": "推定対応表 F′", "f.r_file": "r のファイル", "f.absent": "正解にない仮名の数",
		"role.known":  "既知のレコード",
		"w.mechanism": "方法", "w.values": "値の数", "w.from": "出所", "w.rho": "ρ", "w.range": "幅", "w.sigma": "σ", "w.digits": "桁数", "w.beta": "β", "w.count": "最も確からしい数", "w.unbiased": "不偏推定値", "w.error": "標準誤差", "w.known": "既知", "w.published": "公表",
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
