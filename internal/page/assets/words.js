// The words of the page in English and Japanese.

const words = {
  open: ["Open", "開く"], drop: ["Drop files here, or choose them", "ファイルをここに置くか、選んでください"], choose: ["Choose files", "ファイルを選ぶ"],
  hier: ["Hierarchies (.hrc, CSV) are chosen together with their table, named TABLE.DIMENSION.hrc, or set below.", "階層ファイル（.hrc、CSV）は 表名.項目名.hrc の名で表と一緒に選ぶか、下で指定します。"],
  local: ["Nothing leaves this machine.", "データはこのパソコンの外に出ません。"],
  sheet: ["Sheet", "シート"], table: ["Table", "表"], compare: ["Runs", "実行結果"], intruder: ["Intruder", "攻撃者の視点"], out: ["Publish", "公表"], micro: ["Microdata", "個票データ"],
  rules: ["Rules", "秘匿ルール"], value: ["value", "値"], "no value": ["no value", "値なし"], fold: ["fold", "折りたたむ"], unfold: ["unfold", "展開する"],
  rows: ["Rows", "表側"], columns: ["Columns", "表頭"], none: ["none", "なし"], response: ["Values", "表示する値"], search: ["Find a cell", "セルを探す"], foldall: ["Fold all", "すべて折りたたむ"], unfoldall: ["Unfold all", "すべて展開"],
  published: ["published", "公表"], sensitive: ["sensitive (primary)", "一次秘匿"], secondary: ["withheld for others (secondary)", "二次秘匿"], must: ["published by order", "公表指定"], before: ["withheld by order or in the file", "秘匿指定"],
  zero: ["zero", "ゼロ"], disclosed: ["disclosed or too narrow", "露見・保護不足"], missing: ["no value in the file", "値なし"],
  protect: ["Protect", "秘匿処理を実行"], stop: ["Stop, keep the best", "停止（最良の結果を保持）"], running: ["searching", "探索中"], auditing: ["auditing", "検査中"],
  cost: ["cost", "費用"], bound: ["bound", "下界"], gap: ["gap", "ギャップ"], seconds: ["seconds", "秒"], status: ["status", "状態"], cells: ["cells", "セル"], withheld: ["withheld", "秘匿数"], lost: ["value lost", "失われる値"], verdict: ["verdict", "判定"],
  nothing: ["nothing to protect: no rule or status makes a cell sensitive", "保護すべきセルなし：秘匿対象とするルール・指定がありません"], protected: ["protected", "安全"], unprotected: ["unprotected", "保護不足"], optimal: ["optimal, proved", "最適（証明済み）"], feasible: ["protected, not proved cheapest", "安全（最適性は未証明）"], unprotectable: ["cannot be protected", "保護不能"],
  choosethis: ["Show", "表示"], shown: ["shown", "表示中"], undo: ["Undo", "元に戻す"], redo: ["Redo", "やり直す"],
  p_below: ["Minimum frequency: withhold below", "最小度数：これ未満を秘匿"], "p_zeros-sensitive": ["zeros too", "0 も秘匿"], p_width: ["Width an interval must have", "秘匿インターバルの最小幅"], p_lpl: ["Distance below", "下側の保護幅"], p_upl: ["Distance above", "上側の保護幅"],
  p_dominance: ["Dominance n,k", "占有性ルール n,k"], "p_p-percent": ["p % rule: p or p,n", "p％ルール: p または p,n"], p_pq: ["pq rule: p,q", "pq ルール: p,q"], p_zero: ["Zero cells: range", "ゼロのセルの範囲"], p_rules: ["Further rules, as τ-ARGUS writes them", "その他のルール（τ-ARGUS の書式）"],
  costs: ["Price of a withheld cell", "秘匿の費用"], p_cost: ["Price of a withheld cell", "秘匿の費用"], p_margins: ["Margins", "周辺（合計）"], given: ["as the file says", "ファイルの通り"], v_count: ["cells (count)", "セル数"], v_value: ["values", "値"], freq: ["respondents", "度数"],
  v_withhold: ["may be withheld", "秘匿してよい"], v_publish: ["are published", "公表する"], p_lower: ["Known to all: not below", "周知の下限"], p_upper: ["Known to all: not above", "周知の上限"],
  method: ["Search", "探索方法"], auto: ["as the size has it", "自動"], v_exact: ["exact", "厳密"], v_modular: ["by sub-tables", "部分表ごと"], aspublished: ["Audit it as it is", "公表済みの表として検査"], p_effort: ["Effort", "探索の程度"], v_quick: ["quick", "速く"], v_proof: ["until proved", "証明まで"], "p_time-limit": ["Stop after", "時間制限"], p_gap: ["Gap that will do", "許容ギャップ"], p_insiders: ["No sole contributor learns another cell", "単独回答者にも露見させない"], p_defence: ["Withstand those who know this procedure", "手法を知る攻撃への防御"], "v_power:0.5": ["√", "√"], "v_weight:2": ["× 2", "× 2"], prefer: ["Last year's published table", "前年の公表表"], certificate: ["With a certificate", "証明書を作る"],
  reading: ["Reading the file", "読み込みの指定"], again: ["Read again", "読み直す"], total: ["Code of totals", "合計のコード"], flag: ["Further flags of reading, one a line, like --no-total=region", "その他の読み込みフラグ（1行に1つ）"],
  cell: ["Cell", "セル"], respondents: ["respondents", "回答者数"], contributors: ["largest contributions", "上位の寄与"], rule: ["sensitive by", "秘匿の理由"], levels: ["protection levels", "保護水準"], interval: ["what a reader can compute", "秘匿インターバル"], follows: ["It follows from what is published", "公表値から導かれる式"], sums: ["sums it is part of", "関係する合計"],
  least: ["Table with the least value", "最小となる表を表示"], most: ["Table with the largest value", "最大となる表を表示"], true: ["True table", "真の表に戻る"], why: ["Why is this withheld?", "なぜ秘匿されたか"], guards: ["Were it published, these could be computed too closely:", "公表すると、次のセルが推定されます:"], guardsnone: ["Alone it guards no cell: others could be chosen.", "このセル単独では何も守っていません（他の選択肢があり得ます）。"],
  publishit: ["Publish it anyway", "それでも公表する"], withholdit: ["Withhold it", "秘匿する"], takeback: ["Take back the decision", "指定を取り消す"], solveagain: ["Solve again from here", "この結果から再計算"],
  byhand: ["Decided by hand", "手動の指定"], audit: ["Intervals of all cells", "全セルのインターバル"], attack: ["Matching attack", "マッチング攻撃"], solo: ["Sole contributors", "単独回答者"], feasibleI: ["from the numbers alone", "公表値だけから"], effective: ["knowing the procedure", "手法も知る場合"], start: ["Start", "開始"],
  savetable: ["Protected file", "秘匿済みファイル"], savereport: ["Report", "報告書"], savestatus: ["Statuses, for the office only", "状態一覧（部内用）"], savecert: ["Certificate", "証明書"], savepolicy: ["Policy", "ポリシー"], saveresult: ["Result as JSON", "結果 (JSON)"], savesvg: ["Drawing of the table", "表の図 (SVG)"], saveseed: ["Secret seed", "秘密のシード"],
  repeat: ["The same without this page", "コマンドで再現する"], symbol: ["Mark for withheld values", "秘匿記号"], uniform: ["all withheld cells alike", "秘匿セルをすべて同じ記号に"], title: ["Title", "表題"], survey: ["Survey", "調査名"], period: ["Reference period", "調査時点"], author: ["Author", "作成者"], language: ["Language of the report", "報告書の言語"],
  print: ["Print", "印刷"], light: ["Light or dark", "明暗"], lang: ["日本語", "English"], lost2: ["The program has ended; the page can be closed.", "プログラムが終了しました。ページを閉じてください。"], nokey: ["This page has no key. Open it again by hitoku open.", "鍵がありません。hitoku open で開き直してください。"],
  open2: ["open", "未判定"], openfar: ["open: a limit came first", "未判定：制限に達しました"], found: ["found so far", "これまでに見つかった範囲"], nomatch: ["no table leads to this pattern", "このパターンになる表はありません"], attackopen: ["The attack reached its limit. Open, neither safe nor unsafe:", "攻撃は制限に達しました。未判定（安全とも危険ともいえない）:"], attackof: ["cells; matching tables found so far:", "セル、これまでに見つかった合致する表:"], notsaved: ["Nothing of the run before is saved.", "変更前の結果は保存できません。"], candidates: ["tables that agree", "公表値に合う表"], matching: ["of them with this pattern", "うち同じ秘匿パターン"], unsettled: ["open: not settled", "未判定"], partly: ["Not all cells could be settled in time; others may be named too.", "時間内に判定できないセルがありました。ほかにもある可能性があります。"],
  changed: ["Rules or decisions changed: what is shown is the run before. Protect again.", "ルールまたは指定が変わりました。表示は変更前の結果です。もう一度実行してください。"],
  first: ["Choose a run with a pattern first.", "先に秘匿処理を実行してください。"], nofile: ["No table is open.", "表が開かれていません。"], understood: ["What was understood", "読み取った内容"], s_title: ["title", "表題"], s_unit: ["unit", "単位"], s_note: ["note", "注"], s_source: ["source", "出典"], s_header: ["header", "表頭"], s_label: ["labels", "表側"], s_value: ["numbers", "数値"], s_total: ["totals", "合計"], s_withheld: ["withheld", "秘匿"], s_mark: ["marks", "記号"], s_derived: ["computed", "計算値"], s_aside: ["left aside", "対象外"],
  range: ["Range of the table", "表の範囲"], headerrows: ["Header rows", "表頭の行数"], labelcolumns: ["Label columns", "表側の列数"], derivedc: ["Computed columns", "計算列"], nototal: ["No total in", "合計のない項目"], picklines: ["Click the number of a row or the letter of a column to say what it is; drag over the sheet to set the range.", "行番号・列名をクリックして内容を指定、シート上をドラッグして範囲を指定。"], callthese: ["What these rows or columns are", "行・列の内容"], row: ["Row", "行"], column: ["Column", "列"], backcorrection: ["Take back the last correction", "直前の修正を取り消す"],
  file: ["File", "ファイル"],
  linked: ["Several files are linked tables: cells with the same codes are the same, and all are protected as one.", "複数のファイルは連結した表として、同じコードのセルを同一とみなして一括で秘匿します。"], columnsare: ["What the columns are", "列の内容"], measures: ["Measures withheld together", "一緒に秘匿する値"], hierarchies: ["Hierarchies and totals", "階層と合計"], flat: ["flat, or as the file has it", "階層なし（ファイルのとおり）"],
  f_dimension: ["dimension", "項目"], f_response: ["value, withheld with the others", "値（一緒に秘匿）"], f_value: ["the value", "値"], f_freq: ["respondents", "回答者数"], f_cost: ["cost", "費用"], f_status: ["status", "状態"], f_unread: ["left aside", "対象外"],
  aslast: ["as last time:", "前回どおり:"], choosefile: ["Choose its file", "ファイルを選ぶ"], laybeside: ["Lay its pattern beside", "その秘匿箇所を並べる"], runprefer: ["Protect, preferring its pattern", "その秘匿箇所を優先して実行"], againstlast: ["as last time, new, no more", "前回と同じ・新規・解除"],
  c_header: ["header", "表頭"], c_label: ["labels", "表側"], c_value: ["cells of the table", "表のセル"], c_total: ["total of the others", "ほかの合計"], c_derived: ["computed", "計算値"], c_out: ["note, or no part of the table", "注・対象外"], c_fill: ["empty labels repeat the one above", "空欄は上と同じ"], c_nofill: ["empty labels are empty", "空欄は空欄のまま"], savelayout: ["Layout", "レイアウト"], usetable: ["Open as a table", "表として開く"],
  qi: ["Quasi-identifiers", "準識別子"], sens: ["Sensitive", "機微属性"], entity: ["Person", "個人 ID"], measure: ["Measure", "計測"], classes: ["Classes by size", "クラスの大きさ"], k: ["k", "k"], uniques: ["uniques", "一意"], records: ["records", "レコード数"], class: ["classes", "クラス数"], risk: ["largest risk 1/k", "最大リスク 1/k"], risk1: ["risk", "リスク"], averagerisk: ["average risk", "平均リスク"], expected: ["expected re-identifications", "再識別の期待数"], size: ["size", "大きさ"], persons: ["persons", "人数"], byclass: ["Classes of most risk", "リスクの高いクラス"], byattribute: ["What each quasi-identifier does", "準識別子ごとの影響"], bysensitive: ["What classes tell of sensitive attributes", "機微属性ごとの露見"], alone: ["alone", "単独"], without: ["without it", "除いた場合"], entropy: ["entropy l", "エントロピー l"], measured: ["Measured.", "計測しました。"], firstlines: ["First lines of the file", "ファイルの先頭"],
  reason_frequency: ["too few respondents", "度数不足"], reason_dominance: ["dominance", "占有性"], "reason_p-percent": ["p %", "p％"], reason_measure: ["linear measure", "線形の秘匿度尺度"], reason_manual: ["by the file or by hand", "ファイル・手動の指定"], reason_zero: ["zero", "ゼロ"], reason_request: ["by request", "請求"],
  proof: ["certificate", "証明書"], 
};

let at = 0;

/** language turns to en or ja. */
export function language(code) {
  if (code) { at = code === "ja" ? 1 : 0; document.documentElement.lang = code; localStorage.setItem("hitoku.lang", code); }
  return at ? "ja" : "en";
}

/** t is a word of the page in its language. */
export const t = (key) => words[key]?.[at] ?? key;

/** field and value are what a field of a policy, and a word that it may be, are called. */
export const field = (name) => words["p_" + name]?.[at] ?? t(name);
export const value = (word) => words["v_" + word]?.[at] ?? t(word);

/** because says why a cell is sensitive. */
export const because = (reason) => words["reason_" + reason]?.[at] ?? reason;

export function firstLanguage() {
  language(localStorage.getItem("hitoku.lang") || (navigator.language.startsWith("ja") ? "ja" : "en"));
}
