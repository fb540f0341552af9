package private

// An Output is a kind of file that verbs write. It tells writers whether others than the owner may read a new
// one.
type Output struct {
	By    string // the verb and the flag that names the file, or its folder; "*" for every verb
	If    string // a flag that must also be given or, after !, must not
	Names string // patterns for its name or its folder's name; empty: named by the flag
	What  string // description
	// Public says that it may be published and gets the system's permissions for new files. Otherwise only its
	// owner can read it.
	Public bool
}

// Outputs that may be published.
var (
	Table       = &Output{By: "suppress --output", What: "protected table", Public: true}
	Changed     = &Output{By: "round --output, adjust --output", What: "table of rounded or adjusted values", Public: true}
	Perturbed   = &Output{By: "cellkey --output", What: "table with noise", Public: true}
	Filled      = &Output{By: "fill --output", What: "filled table", Public: true}
	Job         = &Output{By: "batch, batch task", Names: "*.csv *.tsv *.px *.xlsx *.ods *.json *.txt *.jj *.gz *.tab *.rda *.hrc", What: "protected tables of a job", Public: true}
	Page        = &Output{By: "report --output", If: "mask", What: "page of a table without values of withheld cells", Public: true}
	Masked      = &Output{By: "convert --output", If: "mask", What: "table without values of withheld cells", Public: true}
	Trees       = &Output{By: "*", Names: "*.*.hrc", What: "codes and their trees, beside a table", Public: true}
	Release     = &Output{By: "risk * --output", What: "microdata to be released", Public: true}
	Batch       = &Output{By: "arb", Names: "*.csv *.txt *.tab *.out *.sbs *.jj *.rda *.hrc *.asc *.dat *.prn", What: "outputs of τ-ARGUS; with values of suppressed cells (AS+, SBS, types 5 and 6) for the owner alone", Public: true}
	Attestation = &Output{By: "attest --output", What: "statement about a published table: checksums, no values", Public: true}
	Claimed     = &Output{By: "risk release --statement", What: "statement about a release: checksum, k, l and t of it", Public: true}
	Drawn       = &Output{By: "generate --output, risk pws --write-r, bench csp --output, bench lp --output, experiment --output, experiment --csv, man", What: "instances, parameters and measurements, of no office", Public: true}
)

// ReportPage is for the office, as everything is that is written without an Output.
var ReportPage = &Output{By: "report --output", If: "!mask", What: "page of a table: values, costs, checksums"}

// Outputs are all kinds; the kind of a file is the first that fits.
var Outputs = []*Output{
	{By: "suppress --output", If: "flag", What: "protected table with values of withheld cells"},
	{By: "suppress --output, convert --output, batch task", Names: "*.jj *.jj.gz *.tab *.tab.gz *.rda *_*.hrc", What: "JJ file, table of τ-ARGUS: every value"},
	{By: "batch, batch *", Names: "*.office index.html results.jsonl journal*.jsonl", What: "index.html, results.jsonl, journal*.jsonl: costs, bounds, checksums"},
	{By: "arb", Names: "*.office *.log *.LOG", What: "page and log of a batch file: costs, margins"},
	Table, Changed, Perturbed, Filled, Job, Page, Masked, Trees, Release, Batch, Attestation, Claimed, Drawn,
	{By: "convert --output", If: "!mask", What: "table with all its values"},
	ReportPage,
	{By: "arb --page, round --page, adjust --page, risk all --page, risk release --page, report --page", What: "page for the office"},
	{By: "suppress --status-file", What: "values, statuses, costs"},
	{By: "suppress --certificate, verify --problem", What: "certificate: tables that narrow values down; the problem it is about: every value"},
	{By: "audit --witness, audit --output", What: "witnesses; a marked workbook"},
	{By: "tabulate --output, tabulate --same", What: "table before it is protected; cells with the same records"},
	{By: "cellkey --office, cellkey --ptable-out", What: "true counts, cell keys, noise; the perturbation table"},
	{By: "ledger add", Names: "*.toml *.json", What: "ledger"},
	{By: "batch, batch *", What: "ledger, and seeds that are drawn"},
	{By: "* --save-policy, * --save-layout, risk release --propose", What: "policy, with parameters of rules; layout"},
	{By: "* --seed-file", What: "seed"},
	{By: "risk * --per-record, risk compare --links, risk compare --plot", What: "figures of records and of their releases"},
	{By: "open", Names: "*", What: "what the page of the browser keeps while it is open"},
}
