package report

// A riskText explains a metric: what is measured, by which formula of which source,
// against whom, and what the figure does not say. The text of a model, called
// METRIC.MODEL, adds to that of the metric.
type riskText struct {
	Title, What, Formula, Source, Attacker string
	Not                                    []string
}

const (
	formulaGuarantee = "k = 1 + (n − m)·α + (m − 1)·β\nα = min A[v][u′] / A[u][u′],  β = min A[u][v′]·A[v][u′] / (A[u][u′]·A[v][v′])"
	formulaRetention = formulaGuarantee + "\nα = Π x,  β = Π x²,  x = (1 − ρ)/(1 + (V − 1)ρ)"
	formulaDifferent = formulaGuarantee + "\nα = Π x,  β = Π x²,  x = min(q, 1/q),  q = (1 − ρ)/((V − 1)ρ)"
	formulaLaplace   = "k = 1 + (n − 1)·exp(−2 Σ R/σ)"
	formulaSampling  = "R = n₀/(n − m + 1)   (n₀ ≤ n − m + 1),   R = 1   (n₀ > n − m + 1),   k = 1/R"
	formulaDiversity = "distinct l = m,   entropy l = exp(−Σ (r/n) ln (r/n)),   α = r₁/n,   recursive (c,l): r₁ < c·(r_l + … + r_m)"
	formulaCloseness = "t = max D;   equal: D = ½ Σ |Q − P|;   ordered: D = 1/(m − 1)·Σᵢ |Σ_{j≤i} (Q_j − P_j)|"
)

// riskTexts are the texts by language and metric.
var riskTexts = map[string]map[string]riskText{
	"en": {
		"k_anonymity": {
			Title:    "k-anonymity",
			What:     "Records with the same values of all quasi-identifiers are a class. k is the number of records in the smallest class: by these columns nobody can be narrowed down to fewer than k records. 1/k is the largest risk of a right link, the average risk is that of a record drawn at random.",
			Formula:  "k = min f,   R = 1/k,   average risk = (1/n) Σ 1/f   (f: records that share the quasi-identifiers of a record)",
			Source:   "Sweeney 2002; prosecutor risk: El Emam and Dankar, JAMIA 2008",
			Attacker: "Knows that the person is in the file, and all quasi-identifiers as they stand there (prosecutor).",
			Not: []string{
				"Columns that are not named as quasi-identifiers are taken to be unknown to the attacker; if he knows one, the risk is higher.",
				"What all records of a class have in common is disclosed without any link; l-diversity and t-closeness measure that.",
				"Whether someone alone in the file is alone in the population is another question; k-map and population uniques answer it.",
			},
		},
		"k_anonymity_entity": {
			Title:    "k-anonymity of persons",
			What:     "A person may have several records. Persons whose records agree, each as often, in whatever order, are a class, and k is the number of persons in the smallest class.",
			Formula:  "k = min f,   R = 1/k   (f: persons with the same multiset of quasi-identifiers)",
			Source:   "Google, Sensitive Data Protection, k-anonymity with entity identifiers; without its limit of 1,000 records a person",
			Attacker: "Knows that the person is in the file, and the quasi-identifiers of all records of that person, but not the identifier.",
			Not: []string{
				"The order of the records and columns that are not named as quasi-identifiers, like times, are taken to be unknown to the attacker.",
				"What all persons of a class have in common is disclosed without any link.",
			},
		},
		"l_diversity": {
			Title:    "l-diversity",
			What:     "How many different values of a sensitive attribute a class holds: distinct l is the smallest number of them, entropy l the smallest effective number, α the largest share of a most frequent value, and recursive (c,l) asks that the most frequent value is not too frequent. The worst class counts, and of several attributes the worst.",
			Formula:  formulaDiversity + "   (r₁ ≥ … ≥ r_m: how often each value occurs in a class of n)",
			Source:   "Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, ACM TKDD 2007; α: Wong, Li, Fu, Wang, KDD 2006",
			Attacker: "Knows the class of the person, and nothing of the sensitive attribute.",
			Not: []string{
				"Values that differ but mean nearly the same, like two stages of one illness, count as different.",
				"An attacker who can rule out some values for the person learns more.",
				"Sensitive attributes are measured each by itself, not in combination.",
			},
		},
		"t_closeness": {
			Title:    "t-closeness",
			What:     "How far the distribution Q of a sensitive attribute in a class is from that over all records, P: half the sum of the differences (equal), or, for numbers, the earth mover's distance over their ranks (ordered). t is the distance of the worst class, of several attributes that of the worst.",
			Formula:  formulaCloseness,
			Source:   "Li, Li, Venkatasubramanian, ICDE 2007",
			Attacker: "Knows the class of the person, and of the sensitive attribute its distribution over all records.",
			Not: []string{
				"t limits what a class tells about its members, not the chance of a right link.",
				"The distribution over all records is taken to be public; what it tells does not count.",
				"The equal distance does not know that some values are alike, the ordered one knows their order only.",
			},
		},
		"k_map": {
			Title:    "k-map",
			What:     "For each record of the file, F is the number of people in the population with its quasi-identifiers. k is the smallest F, δ the largest share f/F of people with the same quasi-identifiers who are in the file.",
			Formula:  "k = min F,   δ = max min(1, f/F)   (f: records of the file, F: people in the population)",
			Source:   "El Emam and Dankar, JAMIA 2008; δ: Nergiz and Clifton, IEEE TKDE 2010",
			Attacker: "Knows the quasi-identifiers of everybody in the population, but not who of them is in the file (journalist).",
			Not:      []string{"Against an attacker who knows that the person is in the file, k-anonymity is the measure."},
		},
		"k_map.attack_table": {
			Title: "k-map, counted in the population",
			What:  "F was counted in the population file.",
			Not:   []string{"The figure is as good as that file: people who lack in it, or values written in another way, make F too small or too large."},
		},
		"k_map.relative_frequency": {
			Title:   "k-map, estimated from frequencies",
			What:    "F was estimated: people in the population times the relative frequencies of the tables given, which are taken as independent of each other.",
			Formula: "F = N·Π q,   k = min F,   δ = max min(1, f/F)   (q: relative frequency in a table)",
			Source:  "Auxiliary tables as in Google's Sensitive Data Protection; El Emam and Dankar, JAMIA 2008",
			Not:     []string{"An estimate: attributes that depend on each other make some combinations much rarer than it says."},
		},
		"k_map.thinning": {
			Title:   "k-map, estimated from a random sample",
			What:    "F was estimated from the size of the class alone: the file is taken as a simple random sample of the population with sampling fraction p. Beside the estimate stand the risk expected, and the chance that F reaches a number.",
			Formula: "F = f/p,   F | f ~ f + NegBin(f, p),   R = E[1/F | f] = ∫₀¹ y^(f−1)·p/(p + (1 − p)y) dy   (p = n/N)",
			Source:  "Negative binomial model of Benedetti and Franconi 1998 with one weight for all",
			Not:     []string{"An estimate that holds for a simple random sample; where some groups are drawn more often than others, use their weights (survey)."},
		},
		"k_map.poisson": {
			Title:   "k-map, Poisson test",
			What:    "Whether F reaches k was tested by the size of the class: a class that is at least as large as the threshold is accepted. The file is taken as a simple random sample of the population.",
			Formula: "threshold = min(k, min{j : Pr(Poisson(k·n/N) ≤ j − 1) ≥ 1 − level})",
			Source:  "El Emam and Dankar, JAMIA 2008",
			Not:     []string{"A test: at the error level given, a class may be accepted that has fewer than k people in the population."},
		},
		"delta_presence": {
			Title:    "δ-presence",
			What:     "How sure one can be that somebody of the population is in the file: f of the F people with the same quasi-identifiers are. δ is the largest share f/F, k the smallest F.",
			Formula:  "δ = max min(1, f/F),   k = min F   (f: records of the file, F: people in the population)",
			Source:   "Nergiz and Clifton, IEEE TKDE 2010; Google, Sensitive Data Protection",
			Attacker: "Knows the quasi-identifiers of everybody in the population, and asks whether a person is in the file.",
			Not:      []string{"δ is about presence in the file; what the file then tells of the person is another matter."},
		},
		"delta_presence.attack_table": {
			Title: "δ-presence, counted in the population",
			What:  "F was counted in the population file.",
			Not: []string{
				"The figure is as good as that file: people who lack in it, or values written in another way, make F too small or too large.",
				"That somebody is not in the file is disclosed where nobody with his quasi-identifiers is (smallest f/F 0); δ does not count that.",
			},
		},
		"delta_presence.relative_frequency": {
			Title:   "δ-presence, estimated from frequencies",
			What:    "F was estimated: people in the population times the relative frequencies of the tables given, which are taken as independent of each other.",
			Formula: "F = N·Π q,   δ = max min(1, f/F),   k = min F   (q: relative frequency in a table)",
			Not:     []string{"An estimate: attributes that depend on each other make some combinations much rarer than it says."},
		},
		"delta_presence.thinning": {
			Title:   "δ-presence, estimated from a random sample",
			What:    "F was estimated: the file is taken as a simple random sample of the population, so that F is f/p and δ the sampling fraction p.",
			Formula: "F = f/p,   δ = p = n/N",
			Not:     []string{"An estimate that holds for a simple random sample only."},
		},
		"special_uniques": {
			Title:    "Special uniques (SUDA)",
			What:     "A set of columns that singles out a record, and of which no part does, is a minimal sample unique. The fewer columns it has, the more easily the record is found. The SUDA score adds them up, and the DIS-SUDA score is the chance that a match with the record is right.",
			Formula:  "SUDA = Σ (m − |S|)! over minimal sample uniques S of m columns;   DIS = 1/(1 + (U/D − U)/(s^q·A)),   D = U·p/(U·p + P·(1 − p))",
			Source:   "Elliot et al., SUDA, 2005; Skinner and Elliot, JRSS B 2002; as sdcMicro computes it",
			Attacker: "Knows some of the quasi-identifiers of a person in the population, but not who was drawn.",
			Not:      []string{"A score, not a probability, but for a simple random sample of the share given."},
		},
		"beta_likeness": {
			Title:    "β-likeness and δ-disclosure",
			What:     "How much likelier a sensitive value is in a class than among all records: β is the largest relative gain, δ the largest difference of logarithms.",
			Formula:  "β = max (q − p)/p,   enhanced: no gain above −ln p;   δ = max |ln(q/p)| over values that occur in the class",
			Source:   "Cao and Karras, PVLDB 2012; Brickell and Shmatikov, KDD 2008",
			Attacker: "Knows the quasi-identifiers of a person, and that the person is in the file.",
			Not:      []string{"Gains are those over the distribution in the file, which is taken as known."},
		},
		"generalise": {
			Title:    "Coarser quasi-identifiers",
			What:     "The quasi-identifiers were made coarser step by step. A generalisation is minimal if it reaches the goal and none with a finer step does; all minimal ones are listed, and what is one step finer was shown to miss the goal.",
			Formula:  "loss = mean of (values that became the same − 1)/(values − 1);   Σ f² over classes",
			Source:   "Samarati, TKDE 2001; LeFevre, DeWitt and Ramakrishnan, SIGMOD 2005; Iyengar, KDD 2002",
			Attacker: "Knows the quasi-identifiers of a person, and that the person is in the file.",
			Not:      []string{"The other columns are published as they are, and what they tell is not regarded."},
		},
		"withhold": {
			Title:    "Values withheld",
			What:     "Values of quasi-identifiers were replaced by * so that every record has the same ones as k − 1 others; * agrees with * alone. As few as possible are withheld, and the bound says below which number no choice gets.",
			Formula:  "bound = Σ over records of min{|S| : at least k records agree outside the columns S}",
			Source:   "Meyerson and Williams, PODS 2004",
			Attacker: "Knows the quasi-identifiers of a person, and that the person is in the file.",
			Not:      []string{"Which values are withheld depends on the data; the other columns are published as they are."},
		},
		"survey": {
			Title:    "Individual risk in a survey",
			What:     "A record stands for as many people as its weight says. The f records of a class then stand for F̂ people, and the risk of each is the expectation of 1/F given f. Shown are the exact value and the approximation in use elsewhere.",
			Formula:  "p = f/F̂,   R = E[1/F | f] = (p/f)·₂F₁(1, 1; f + 1; 1 − p),   approximation p/(f − (1 − p)) from f = 3 on",
			Source:   "Benedetti and Franconi 1998; Franconi and Polettini, PSD 2004",
			Attacker: "Knows the quasi-identifiers of a person in the population, but not who was drawn.",
			Not: []string{
				"A model: the figure is as good as the weights, and of a single small class it is uncertain.",
				"Groups of records that are recognised together are regarded only where households are given.",
			},
		},
		"population_uniques": {
			Title:    "Population uniques",
			What:     "How many people are alone in the population with their quasi-identifiers, estimated from the sizes of the classes in the sample. The rule of Dankar and others chooses between three estimates: up to a sampling fraction of 0.1 the Pitman model, above it the smaller of Zayatz and the sliding negative binomial, and Zayatz where a model does not fit.",
			Formula:  "Pitman: Γ(θ + 1)/Γ(θ + α)·N^α;   Zayatz: Bayes with the hypergeometric law;   sliding negative binomial: K·β^α",
			Source:   "Dankar, El Emam, Neisa, Roffey, BMC Med. Inform. Decis. Mak. 2012, appendix A",
			Attacker: "Knows the quasi-identifiers of a person who is alone with them in the population, and so recognises the record with certainty.",
			Not: []string{
				"An estimate for a simple random sample; samples drawn in another way need their weights.",
				"It counts those who are certain to be recognised. Who shares his quasi-identifiers with one other person is nearly as exposed.",
				"The rule of its authors compares with a third estimate (sliding negative binomial), which is not offered here.",
			},
		},
		"sampling": {
			Title:    "Sampling",
			What:     "m of n records are drawn and published. R bounds the chance that a record that the attacker knows is rightly linked to a published one; k is 1/R.",
			Formula:  formulaSampling,
			Source:   "Kikuchi, How much can the sampling reduce the identification risk? (in Japanese), Claim 4.1, in closed form",
			Attacker: "Knows n₀ of the n records exactly, the target among them, and takes the others to be distributed like those.",
			Not: []string{
				"An upper bound. It is attained for m = 1, else in the limit where unknown records may have values that no known one has.",
				"Who knows all records is not stopped by sampling: if every unknown record may be published, R is 1. So it is where each record is drawn by itself.",
			},
		},
		"sample": {
			Title:    "Sample of a file",
			What:     "m of the n records of the file were drawn without replacement and written. R bounds the chance that a record that the attacker knows is rightly linked to a published one; k is 1/R.",
			Formula:  formulaSampling,
			Source:   "Kikuchi, How much can the sampling reduce the identification risk? (in Japanese), Claim 4.1, in closed form",
			Attacker: "Knows n₀ of the n records exactly, the target among them, and takes the others to be distributed like those. The seed must stay secret.",
			Not: []string{
				"Without n₀ there is no guarantee: the drawing alone says nothing.",
				"An upper bound, which presumes that the order of the records tells nothing.",
			},
		},
		"retention": {
			Title:    "Randomisation by retention–replacement",
			What:     "Each value is kept with chance ρ and else replaced by one of the V values of its attribute; m of the n randomised records are published. Each link of a person with a published record then has a chance of at most 1/k (Pk-anonymity).",
			Formula:  formulaRetention,
			Source:   "Kikuchi, How much can the sampling reduce the identification risk? (in Japanese), Theorem 5.1; Ikarashi, Kikuchi, Chida, Takahashi, IWSEC 2015",
			Attacker: "Knows all records as they were before, and the chances, but neither what was drawn nor the order of the records.",
			Not: []string{
				"k is about links. That a published value is likely the true one, where ρ is large, it does not say.",
				"It holds for the attributes that were randomised, each by itself; others published beside them are not covered.",
			},
		},
		"pram": {
			Title:    "Retention–replacement of a file",
			What:     "Each value of the columns named was kept with chance ρ and else replaced by one of the values of its column, itself included; m of the n randomised records were written. Each link of a person with a published record by these columns has a chance of at most 1/k (Pk-anonymity).",
			Formula:  formulaRetention,
			Source:   "Kikuchi, How much can the sampling reduce the identification risk? (in Japanese), Theorem 5.1; Ikarashi, Kikuchi, Chida, Takahashi, IWSEC 2015",
			Attacker: "Knows all records as they were before, and the chances, but neither the seed nor the order of the records.",
			Not: []string{
				"k is about links. That a published value is likely the true one, where ρ is large, it does not say.",
				"Values taken from the file depend on the data, and the release tells that they occur; declared ones do not.",
			},
		},
		"matrix": {
			Title:    "Randomisation by a matrix (PRAM)",
			What:     "A value u becomes u′ with chance A[u][u′], each record by itself; m of the n randomised records are published. Each link of a person with a published record then has a chance of at most 1/k (Pk-anonymity).",
			Formula:  formulaGuarantee,
			Source:   "Kikuchi, How much can the sampling reduce the identification risk? (in Japanese), Theorem 5.1",
			Attacker: "Knows all records as they were before, and the matrix, but neither what was drawn nor the order of the records.",
			Not: []string{
				"k is about links. That a published value is likely the true one it does not say.",
				"A chance of 0 where another value has a positive one gives k = 1: what comes out can then rule a person out.",
				"A bound: it is attained for m = 1, for m = n and for retention–replacement, else k may be larger.",
			},
		},
		"noise": {
			Title:    "Noise on numbers",
			What:     "Noise of scale σ is added to numeric attributes of the ranges R, each record by itself. Each link of a person with a published record then has a chance of at most 1/k (Pk-anonymity). Of the kinds of noise compared, Laplace noise alone protects in this sense, and bounded attributes alone.",
			Formula:  formulaLaplace + ",   σ = 2 Σ R/ln((n − 1)/(k − 1))",
			Source:   "Paper that extends Pk-anonymity to numeric attributes by Laplace noise (in Japanese), Theorems 5.1, 5.2, 5.3 and 6.1",
			Attacker: "Knows all records as they were before, and the noise's law, but neither what was drawn nor the order of the records.",
			Not: []string{
				"k is about links, not about how closely a single value can be estimated.",
				"σ is the scale; the standard deviation is σ√2. The ranges must be known without the data, or they tell something themselves.",
				"A worst case over all that may come out; rounding or cutting off afterwards does not lower k.",
			},
		},
		"laplace": {
			Title:    "Laplace noise on a file",
			What:     "Values of the columns named, whose ranges are R, were rounded to multiples of a power of two, got discrete Laplace noise of scale σ on these multiples, drawn with whole numbers, and were rounded to decimals. R counts from multiple to multiple. Each link of a person with a published record by these columns has a chance of at most 1/k (Pk-anonymity).",
			Formula:  formulaLaplace,
			Source:   "Paper that extends Pk-anonymity to numeric attributes by Laplace noise (in Japanese), Theorem 6.1",
			Attacker: "Knows all records as they were before, and the noise's law, but neither the seed nor the order of the records.",
			Not: []string{
				"k is about links, not about how closely a single value can be estimated.",
				"Ranges taken from the file depend on the data, and the scale tells them; declared ones do not.",
			},
		},
		"mixed": {
			Title:    "Categories and numbers by one parameter",
			What:     "Categories are kept with chance ρ and else replaced, numbers brought to ranges of 1 are given Laplace noise of scale σ. One ρ decides both. Each link of a person with a published record then has a chance of at most 1/k (Pk-anonymity).",
			Formula:  "k = 1 + (n − 1)·Π ((1 − ρ)/(1 + (V − 1)ρ))²·exp(−2d/σ),   σ = tan(w·(1 − ρ))",
			Source:   "Paper that extends Pk-anonymity to numeric attributes by Laplace noise (in Japanese), section 6.1",
			Attacker: "Knows all records as they were before, and the chances, but neither what was drawn nor the order of the records.",
			Not: []string{
				"With the weight π/4, as printed, σ is at most 1, so that not every k can be reached; π/2 has no such bound.",
				"k is about links, not about how closely a single value can be estimated.",
			},
		},
		"pws": {
			Title:    "Safety test of the PWS Cup 2018",
			What:     "An attack on n persons has s right links. If no set of persons could be linked with a chance above p to the power of its size, s or more hits would have at most the chance u. So many hits refute safety at level α.",
			Formula:  "u(n, s) = Σ_{j≥s} C(n, j)·p^j,   r(n) = min{s : u(n, s) < α},   unsafe iff r(n) ≤ s\na class of K is safe iff 1/K! ≤ p^K",
			Source:   "PWS Cup 2018, details of the safety evaluation (in Japanese), 5 September 2018",
			Attacker: "Made the attack whose hits are counted.",
			Not: []string{
				"Too few hits do not prove safety: another attack may have more.",
				"The contest's own list of r, which takes precedence over its text, was not at hand.",
			},
		},
		"cell": {
			Title:    "Rules for one cell",
			What:     "Rules of disclosure control for the numbers of one cell: how many contribute, how large the largest are, what a coalition of contributors finds out, and how wide the interval is in which the value is known to lie.",
			Formula:  "unsafe: 1 ≤ count < T;   share of the N largest ≥ K %;   count − coalition = 1;   width < W",
			Source:   "Minami, Privacy protection for the use of data (in Japanese), 2024",
			Attacker: "The public, or contributors who share what they know.",
			Not:      []string{"The rules look at one cell. What the other cells and the margins of a table tell of it, hitoku audit finds out."},
		},
	},
	"ja": {
		"k_anonymity": {
			Title:    "k-匿名性",
			What:     "すべての準識別子の値が一致するレコードの集まりを同値類といいます。k は最も小さい同値類のレコード数であり、これらの項目では誰も k 件未満のレコードに絞り込まれません。1/k は正しく再識別される確率の最大値、平均リスクは無作為に選んだレコードについての値です。",
			Formula:  "k = min f,   R = 1/k,   平均リスク = (1/n) Σ 1/f   (f：準識別子が一致するレコードの数)",
			Source:   "Sweeney 2002；検察官リスク：El Emam and Dankar, JAMIA 2008",
			Attacker: "対象者がデータに含まれることと、その準識別子の値すべてをデータのとおりに知っています（検察官モデル）。",
			Not: []string{
				"準識別子に指定しなかった項目は、攻撃者に知られていないものとしています。知られていれば、リスクはこれより高くなります。",
				"同値類のすべてのレコードに共通する値は、再識別されなくても知られます。これは l-多様性と t-近接性で測ります。",
				"データの中で一意な者が母集団でも一意かどうかは、別の問題です。k-マップと母集団一意数で測ります。",
			},
		},
		"k_anonymity_entity": {
			Title:    "個人単位の k-匿名性",
			What:     "1 人が複数のレコードをもつことがあります。レコードの組が、順序を問わず重複の回数まで一致する者の集まりを同値類といい、k は最も小さい同値類の人数です。",
			Formula:  "k = min f,   R = 1/k   (f：準識別子の多重集合が一致する人数)",
			Source:   "Google, Sensitive Data Protection（エンティティ ID を用いる k-匿名性）。ただし 1 人 1,000 レコードという上限は設けていません",
			Attacker: "対象者がデータに含まれることと、その全レコードの準識別子の値を知っていますが、個人の識別番号は知りません。",
			Not: []string{
				"レコードの順序や、日時など準識別子に指定しなかった項目は、攻撃者に知られていないものとしています。",
				"同値類の全員に共通する値は、再識別されなくても知られます。",
			},
		},
		"l_diversity": {
			Title:    "l-多様性",
			What:     "同値類に含まれる機微属性の値の多様さです。distinct l は異なる値の数の最小値、エントロピー l（entropy l）は実効的な値の数の最小値、α は最頻値の割合の最大値であり、再帰的 (c,l)-多様性（recursive）は最頻値が多すぎないことを求めます。最も悪い同値類の値、機微属性が複数のときは最も悪い属性の値をとります。",
			Formula:  formulaDiversity + "   (r₁ ≥ … ≥ r_m：n 件の同値類における各値の件数)",
			Source:   "Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, ACM TKDD 2007；α：Wong, Li, Fu, Wang, KDD 2006",
			Attacker: "対象者の属する同値類を知っていますが、機微属性については何も知りません。",
			Not: []string{
				"同じ病気の異なる段階のように、意味の近い値も異なる値として数えます。",
				"対象者についていくつかの値を除外できる攻撃者は、より多くを知ることになります。",
				"機微属性は一つずつ測っており、その組合せは対象としていません。",
			},
		},
		"t_closeness": {
			Title:    "t-近接性",
			What:     "同値類における機微属性の分布 Q が、全レコードにおける分布 P からどれだけ離れているかを測ります。距離は差の絶対値の和の 2 分の 1（等距離 equal）、または数値の順位についてのアースムーバー距離（順序距離 ordered）です。t は最も離れた同値類の距離、機微属性が複数のときは最も悪い属性の値です。",
			Formula:  formulaCloseness,
			Source:   "Li, Li, Venkatasubramanian, ICDE 2007",
			Attacker: "対象者の属する同値類と、全レコードにおける機微属性の分布を知っています。",
			Not: []string{
				"t は、同値類からその構成員について知られることを制限するもので、再識別の確率を制限するものではありません。",
				"全レコードにおける分布は公開のものとし、そこから知られることは数えていません。",
				"等距離は値どうしの近さを、順序距離は順位以外の近さを考慮しません。",
			},
		},
		"k_map": {
			Title:    "k-マップ",
			What:     "データの各レコードについて、母集団のうち準識別子が一致する人数を F とします。k は F の最小値、δ は準識別子の一致する者のうちデータに含まれる割合 f/F の最大値です。",
			Formula:  "k = min F,   δ = max min(1, f/F)   (f：データのレコード数、F：母集団の人数)",
			Source:   "El Emam and Dankar, JAMIA 2008；δ：Nergiz and Clifton, IEEE TKDE 2010",
			Attacker: "母集団の全員の準識別子を知っていますが、誰がデータに含まれるかは知りません（ジャーナリストモデル）。",
			Not:      []string{"対象者がデータに含まれることを知る攻撃者に対しては、k-匿名性で測ります。"},
		},
		"k_map.attack_table": {
			Title: "k-マップ（母集団ファイルによる）",
			What:  "F は母集団ファイルを数えて求めました。",
			Not:   []string{"結果は母集団ファイルの正確さによります。記載漏れや表記の違いがあると、F は過小または過大になります。"},
		},
		"k_map.relative_frequency": {
			Title:   "k-マップ（度数表からの推定）",
			What:    "F は推定値であり、母集団の人数に、与えられた各表の相対度数を掛けたものです。表どうしは互いに独立とみなしています。",
			Formula: "F = N·Π q,   k = min F,   δ = max min(1, f/F)   (q：各表の相対度数)",
			Source:  "補助表の用い方は Google, Sensitive Data Protection による；El Emam and Dankar, JAMIA 2008",
			Not:     []string{"推定値です。属性の間に関連があると、実際にははるかにまれな組合せがあり得ます。"},
		},
		"k_map.thinning": {
			Title:   "k-マップ（単純無作為標本からの推定）",
			What:    "F は同値類の大きさだけから推定しました。データを抽出率 p の単純無作為標本とみなしています。推定値のほか、リスクの期待値と、F が一定の数に達する確率を示します。",
			Formula: "F = f/p,   F | f ~ f + NegBin(f, p),   R = E[1/F | f] = ∫₀¹ y^(f−1)·p/(p + (1 − p)y) dy   (p = n/N)",
			Source:  "Benedetti and Franconi 1998 の負の二項モデル（全レコード共通のウエイト）",
			Not:     []string{"単純無作為標本について成り立つ推定値です。抽出率が層によって異なるときは、ウエイトを用いてください（標本調査の個別リスク）。"},
		},
		"k_map.poisson": {
			Title:   "k-マップ（ポアソン検定）",
			What:    "F が k に達するかどうかを同値類の大きさで検定しました。大きさがしきい値以上の同値類を合格とします。データを母集団の単純無作為標本とみなしています。",
			Formula: "しきい値 = min(k, min{j : Pr(Poisson(k·n/N) ≤ j − 1) ≥ 1 − 有意水準})",
			Source:  "El Emam and Dankar, JAMIA 2008",
			Not:     []string{"検定であるため、示された有意水準で、母集団の人数が k に満たない同値類が合格することがあります。"},
		},
		"delta_presence": {
			Title:    "δ-存在性（δ-presence）",
			What:     "母集団のある者がデータに含まれることを、どれだけ確実に知り得るかを測ります。準識別子の一致する F 人のうち f 人が含まれるとき、その割合 f/F の最大値が δ、F の最小値が k です。",
			Formula:  "δ = max min(1, f/F),   k = min F   (f：データのレコード数、F：母集団の人数)",
			Source:   "Nergiz and Clifton, IEEE TKDE 2010；Google, Sensitive Data Protection",
			Attacker: "母集団の全員の準識別子を知っており、ある者がデータに含まれるかどうかを知ろうとします。",
			Not:      []string{"δ はデータに含まれるかどうかについての値です。含まれると分かった者について何が知られるかは、別の問題です。"},
		},
		"delta_presence.attack_table": {
			Title: "δ-存在性（母集団ファイルによる）",
			What:  "F は母集団ファイルを数えて求めました。",
			Not: []string{
				"結果は母集団ファイルの正確さによります。記載漏れや表記の違いがあると、F は過小または過大になります。",
				"準識別子の一致する者が 1 人もデータにいなければ、含まれないことが知られます（f/F の最小値が 0）。δ はこれを数えません。",
			},
		},
		"delta_presence.relative_frequency": {
			Title:   "δ-存在性（度数表からの推定）",
			What:    "F は推定値であり、母集団の人数に、与えられた各表の相対度数を掛けたものです。表どうしは互いに独立とみなしています。",
			Formula: "F = N·Π q,   δ = max min(1, f/F),   k = min F   (q：各表の相対度数)",
			Not:     []string{"推定値です。属性の間に関連があると、実際にははるかにまれな組合せがあり得ます。"},
		},
		"delta_presence.thinning": {
			Title:   "δ-存在性（単純無作為標本からの推定）",
			What:    "F は推定値です。データを母集団の単純無作為標本とみなしており、F は f/p、δ は抽出率 p となります。",
			Formula: "F = f/p,   δ = p = n/N",
			Not:     []string{"単純無作為標本についてのみ成り立つ推定値です。"},
		},
		"special_uniques": {
			Title:    "特殊一意（SUDA）",
			What:     "あるレコードを一意に特定し、その一部では特定しない列の組を、極小標本一意といいます。列が少ないほど、そのレコードは見つけられやすくなります。SUDA スコアはこれらを合計したもの、DIS-SUDA スコアはそのレコードとの照合が正しい確率の推定値です。",
			Formula:  "SUDA = Σ (m − |S|)!（S：m 列の極小標本一意）,   DIS = 1/(1 + (U/D − U)/(s^q·A)),   D = U·p/(U·p + P·(1 − p))",
			Source:   "Elliot et al., SUDA, 2005；Skinner and Elliot, JRSS B 2002（sdcMicro と同じ計算）",
			Attacker: "母集団のある者の準識別子の一部を知っていますが、誰が抽出されたかは知りません。",
			Not:      []string{"指定した抽出率の単純無作為標本についての得点です。"},
		},
		"beta_likeness": {
			Title:    "β-likeness・δ-disclosure",
			What:     "センシティブな値が、全体と比べて同値類の中でどれだけ起こりやすいかを示します。β は相対的な増加の最大値、δ は対数の差の最大値です。",
			Formula:  "β = max (q − p)/p,   強化：増加が −ln p を超えない,   δ = max |ln(q/p)|（同値類に現れる値）",
			Source:   "Cao and Karras, PVLDB 2012；Brickell and Shmatikov, KDD 2008",
			Attacker: "ある者の準識別子と、その者がファイルに含まれることを知っています。",
			Not:      []string{"増加は、既知とみなすファイル全体の分布に対するものです。"},
		},
		"generalise": {
			Title:    "準識別子の一般化",
			What:     "準識別子を段階的に粗くしました。目標に達し、それより細かい段階では達しない一般化を極小といいます。極小のものをすべて示し、一段階細かいものが目標に達しないことを確かめています。",
			Formula:  "損失 =（同じになった値 − 1）/（値の数 − 1）の平均,   Σ f²（同値類についての和）",
			Source:   "Samarati, TKDE 2001；LeFevre, DeWitt and Ramakrishnan, SIGMOD 2005；Iyengar, KDD 2002",
			Attacker: "ある者の準識別子と、その者がファイルに含まれることを知っています。",
			Not:      []string{"ほかの列はそのまま公表され、それらが示すことは考慮していません。"},
		},
		"withhold": {
			Title:    "値の秘匿",
			What:     "どのレコードも、ほかの k − 1 件と準識別子が一致するように、値を * に置き換えました。* は * とだけ一致します。秘匿する値をできるだけ少なくし、どの選び方もこれを下回れない数を下界として示します。",
			Formula:  "下界 = Σ（レコードについての和）min{|S|：列 S を除いて k 件以上が一致}",
			Source:   "Meyerson and Williams, PODS 2004",
			Attacker: "ある者の準識別子と、その者がファイルに含まれることを知っています。",
			Not:      []string{"どの値を秘匿したかはデータによります。ほかの列はそのまま公表されます。"},
		},
		"survey": {
			Title:    "標本調査の個別リスク",
			What:     "各レコードは、ウエイトの人数を代表します。同値類の f 件のレコードは F̂ 人を代表し、それぞれのリスクは、f を与えたときの 1/F の期待値です。正確な値と、ほかで使われている近似値を示します。",
			Formula:  "p = f/F̂,   R = E[1/F | f] = (p/f)·₂F₁(1, 1; f + 1; 1 − p),   近似値 p/(f − (1 − p))（f ≥ 3 のとき）",
			Source:   "Benedetti and Franconi 1998；Franconi and Polettini, PSD 2004",
			Attacker: "母集団のある者の準識別子を知っていますが、誰が抽出されたかは知りません。",
			Not: []string{
				"モデルによる値であり、ウエイトの正確さによります。個々の小さな同値類についての値は不確実です。",
				"まとまって識別されるレコードの集まりは、世帯を指定した場合にのみ考慮しています。",
			},
		},
		"population_uniques": {
			Title:    "母集団一意数",
			What:     "準識別子の値が母集団の中で一意な者の数を、標本における同値類の大きさから推定したものです。三つの推定値から Dankar らの規則によって選びます。抽出率が 0.1 以下のときは Pitman モデル、それを超えるときは Zayatz の推定量とスライド負の二項分布による推定値の小さい方、モデルが当てはまらないときは Zayatz の推定量です。",
			Formula:  "Pitman：Γ(θ + 1)/Γ(θ + α)·N^α；   Zayatz：超幾何分布によるベイズ推定；   スライド負の二項分布：K·β^α",
			Source:   "Dankar, El Emam, Neisa, Roffey, BMC Med. Inform. Decis. Mak. 2012 付録 A",
			Attacker: "母集団の中で一意な者の準識別子を知っており、そのレコードを確実に特定します。",
			Not: []string{
				"単純無作為標本についての推定値です。ほかの方法で抽出された標本では、ウエイトが必要です。",
				"確実に特定される者だけを数えます。準識別子の一致する者がほかに 1 人しかいない者も、ほぼ同じ危険にさらされています。",
				"原論文の規則が比べる第三の推定値（スライド型負の二項分布）は、用いていません。",
			},
		},
		"sampling": {
			Title:    "標本抽出",
			What:     "n 件のレコードから m 件を抽出して公表します。R は、攻撃者の知るレコードが公表されたレコードと正しく対応付けられる確率の上界であり、k は 1/R です。",
			Formula:  formulaSampling,
			Source:   "菊池亮「サンプリングを用いた際の個人識別リスクの評価」主張 4.1（閉じた形に直したもの）",
			Attacker: "n 件のうち、対象者を含む n₀ 件のレコードを正確に知っており、ほかのレコードも同じ分布に従うとみなします。",
			Not: []string{
				"上界です。m = 1 のときに達せられ、それ以外では、攻撃者の知らないレコードが、知っているどのレコードにもない値をとり得る場合の極限で達せられます。",
				"全レコードを知る者は、標本抽出だけでは防げません。知らないレコードがすべて公表され得るときは R = 1 となります。レコードごとに独立に抽出するときも同じです。",
			},
		},
		"sample": {
			Title:    "ファイルからの標本抽出",
			What:     "ファイルの n 件のレコードから m 件を非復元抽出して出力しました。R は、攻撃者の知るレコードが公表されたレコードと正しく対応付けられる確率の上界であり、k は 1/R です。",
			Formula:  formulaSampling,
			Source:   "菊池亮「サンプリングを用いた際の個人識別リスクの評価」主張 4.1（閉じた形に直したもの）",
			Attacker: "n 件のうち、対象者を含む n₀ 件のレコードを正確に知っており、ほかのレコードも同じ分布に従うとみなします。乱数の種は秘密にしなければなりません。",
			Not: []string{
				"n₀ を指定しないときは、何も保証されません。抽出しただけでは安全とはいえません。",
				"上界であり、レコードの順序から何も知られないことを前提とします。",
			},
		},
		"retention": {
			Title:    "維持置換撹乱",
			What:     "各値を確率 ρ で維持し、それ以外のときはその属性の V 個の値の一つに置き換え、撹乱した n 件のうち m 件を公表します。このとき、ある者と公表されたレコードとの対応付けが正しい確率は、いずれも 1/k 以下です（Pk-匿名性）。",
			Formula:  formulaRetention,
			Source:   "菊池亮「サンプリングを用いた際の個人識別リスクの評価」定理 5.1；五十嵐・菊池・千田・高橋, IWSEC 2015",
			Attacker: "撹乱前の全レコードと撹乱の確率を知っていますが、乱数の結果とレコードの順序は知りません。",
			Not: []string{
				"k は対応付けについての値です。ρ が大きいとき、公表された値が真の値である見込みが高いことは示しません。",
				"撹乱した属性について、属性ごとに独立に撹乱した場合に成り立ちます。併せて公表するほかの属性は対象外です。",
			},
		},
		"pram": {
			Title:    "ファイルの維持置換撹乱",
			What:     "指定した列の各値を確率 ρ で維持し、それ以外のときはその列の値の一つ（元の値を含む）に置き換え、撹乱した n 件のうち m 件を出力しました。これらの列による、ある者と公表されたレコードとの対応付けが正しい確率は、いずれも 1/k 以下です（Pk-匿名性）。",
			Formula:  formulaRetention,
			Source:   "菊池亮「サンプリングを用いた際の個人識別リスクの評価」定理 5.1；五十嵐・菊池・千田・高橋, IWSEC 2015",
			Attacker: "撹乱前の全レコードと撹乱の確率を知っていますが、乱数の種とレコードの順序は知りません。",
			Not: []string{
				"k は対応付けについての値です。ρ が大きいとき、公表された値が真の値である見込みが高いことは示しません。",
				"値の集合をファイルから求めたときは、それらの値が存在することが公表データから知られます。あらかじめ指定した値なら知られません。",
			},
		},
		"matrix": {
			Title:    "遷移確率行列による撹乱（PRAM）",
			What:     "値 u は、レコードごとに独立に、確率 A[u][u′] で u′ となり、撹乱した n 件のうち m 件を公表します。このとき、ある者と公表されたレコードとの対応付けが正しい確率は、いずれも 1/k 以下です（Pk-匿名性）。",
			Formula:  formulaGuarantee,
			Source:   "菊池亮「サンプリングを用いた際の個人識別リスクの評価」定理 5.1",
			Attacker: "撹乱前の全レコードと遷移確率行列を知っていますが、乱数の結果とレコードの順序は知りません。",
			Not: []string{
				"k は対応付けについての値です。公表された値が真の値である見込みについては示しません。",
				"ほかの値からは起こり得る結果の確率が 0 である値があると、k = 1 となります。結果によって候補から除かれる者が出るためです。",
				"下界です。m = 1、m = n および維持置換撹乱のときに達せられ、それ以外のときの k はこれより大きいことがあります。",
			},
		},
		"noise": {
			Title:    "数値へのノイズ付加",
			What:     "値の範囲の幅が R である数値属性に、尺度 σ のノイズをレコードごとに独立に加えます。このとき、ある者と公表されたレコードとの対応付けが正しい確率は、いずれも 1/k 以下です（Pk-匿名性）。ここで扱うノイズのうち、この意味で保護できるのはラプラスノイズだけであり、保護できるのは有界な属性に限られます。",
			Formula:  formulaLaplace + ",   σ = 2 Σ R/ln((n − 1)/(k − 1))",
			Source:   "数値属性における Pk-匿名性に関する論文（ラプラスノイズ）定理 5.1、5.2、5.3 及び 6.1",
			Attacker: "ノイズを加える前の全レコードとノイズの分布を知っていますが、乱数の結果とレコードの順序は知りません。",
			Not: []string{
				"k は対応付けについての値であり、個々の値をどれだけ正確に推定できるかは示しません。",
				"σ は尺度母数であり、標準偏差は σ√2 です。値の範囲はデータによらずに定める必要があり、そうでないと範囲自体から情報が漏れます。",
				"起こり得るすべての結果についての最悪の場合の値です。後から丸めや打切りを行っても k は下がりません。",
			},
		},
		"laplace": {
			Title:    "ファイルへのラプラスノイズの付加",
			What:     "指定した列（値の範囲の幅 R）の値を 2 の冪の倍数に丸め、その倍数上の尺度 σ の離散ラプラスノイズ（整数のみで生成）を加えた後、十進の桁に丸めました。R は丸めた値の間の幅です。これらの列による、ある者と公表されたレコードとの対応付けが正しい確率は、いずれも 1/k 以下です（Pk-匿名性）。",
			Formula:  formulaLaplace,
			Source:   "数値属性における Pk-匿名性に関する論文（ラプラスノイズ）定理 6.1",
			Attacker: "ノイズを加える前の全レコードとノイズの分布を知っていますが、乱数の種とレコードの順序は知りません。",
			Not: []string{
				"k は対応付けについての値であり、個々の値をどれだけ正確に推定できるかは示しません。",
				"値の範囲をファイルから求めたときは、ノイズの尺度から範囲が知られます。あらかじめ指定した範囲なら知られません。",
			},
		},
		"mixed": {
			Title:    "カテゴリ属性と数値属性の同時撹乱",
			What:     "カテゴリ属性の値は確率 ρ で維持してそれ以外のときは置き換え、幅を 1 に正規化した数値には尺度 σ のラプラスノイズを加えます。どちらも一つの ρ で定まります。このとき、ある者と公表されたレコードとの対応付けが正しい確率は、いずれも 1/k 以下です（Pk-匿名性）。",
			Formula:  "k = 1 + (n − 1)·Π ((1 − ρ)/(1 + (V − 1)ρ))²·exp(−2d/σ),   σ = tan(w·(1 − ρ))",
			Source:   "数値属性における Pk-匿名性に関する論文（ラプラスノイズ）6.1 節",
			Attacker: "撹乱前の全レコードと撹乱の確率を知っていますが、乱数の結果とレコードの順序は知りません。",
			Not: []string{
				"論文のとおり重み π/4 を用いると σ は 1 以下となるため、達成できない k があります。π/2 ならそのような上限はありません。",
				"k は対応付けについての値であり、個々の値をどれだけ正確に推定できるかは示しません。",
			},
		},
		"pws": {
			Title:    "PWS Cup 2018 の安全性検定",
			What:     "n 人に対する攻撃で s 人が正しく対応付けられたとします。どの人の集合についても、全員が正しく対応付けられる確率が p の人数乗以下であれば、s 人以上が正しく対応付けられる確率は u 以下です。これが有意水準 α を下回るほど多ければ、安全とはいえません。",
			Formula:  "u(n, s) = Σ_{j≥s} C(n, j)·p^j,   r(n) = min{s : u(n, s) < α},   r(n) ≤ s のとき安全でない\n大きさ K の同値類は 1/K! ≤ p^K のとき安全",
			Source:   "PWS Cup 2018「安全性評価の詳細」（2018 年 9 月 5 日）",
			Attacker: "正解数を数えた攻撃を行った者です。",
			Not: []string{
				"正解数が少なくても、安全であるとは証明されません。ほかの攻撃では正解数が増えるかもしれません。",
				"本文に優先するとされる r の一覧（R.csv）は入手できませんでした。",
			},
		},
		"cell": {
			Title:    "一つのセルについての規則",
			What:     "一つのセルの数値に対する秘匿の規則です。客体数、上位客体の占有率、結託した客体が知り得ること、値の存在が知られている区間の幅を調べます。",
			Formula:  "安全でない：1 ≤ 客体数 < T；   上位 N 客体の占有率 ≥ K ％；   客体数 − 結託する客体数 = 1；   区間の幅 < W",
			Source:   "南和宏「データ利活用のためのプライバシー保護技術」2024",
			Attacker: "公表された数値を見る者、または互いの値を教え合う客体です。",
			Not:      []string{"一つのセルだけを調べる規則です。表のほかのセルや合計欄から知られることは、hitoku audit で調べます。"},
		},
	},
}
