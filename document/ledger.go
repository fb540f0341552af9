package document

// A Ledger is what hitoku ledger prints: the releases of an office and, of check, what they tell together.
type Ledger struct {
	Head     `kind:"ledger/1" doc:"the releases of an office, and what they tell together"`
	Ledger   string          `json:"ledger" doc:"the file"`
	Releases []LedgerRelease `json:"releases"`
	Verdict  Verdict         `json:"verdict,omitempty" enum:"protected,unprotected,unsettled" doc:"of check: whether every withheld cell that is or may be sensitive meets its levels"`
	Cells    []EarlierCell   `json:"cells,omitempty" doc:"of check: the withheld cells of all releases, and those that sums alone name"`
}

// A LedgerRelease is an entry of a ledger.
type LedgerRelease struct {
	File     string            `json:"file"`
	At       map[string]string `json:"at,omitempty" doc:"where it stands in dimensions that it lacks, like its period"`
	Date     string            `json:"date,omitempty" doc:"of the publication"`
	Note     string            `json:"note,omitempty"`
	SHA256   string            `json:"sha256,omitempty" doc:"of the file, as the ledger has it"`
	Revision bool              `json:"revision,omitempty"`
	Cells    int               `json:"cells,omitempty" doc:"of check: those of the table"`
	Withheld int               `json:"withheld,omitempty" doc:"of check: those withheld"`
}
