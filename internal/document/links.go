package document

// Links is what hitoku links prints: which tables share cells and therefore must be protected together.
type Links struct {
	Head     `kind:"links/1" doc:"which tables share cells, and so have to be protected together"`
	Tables   int            `json:"tables"`
	Clusters []LinksCluster `json:"clusters" doc:"tables of different clusters share no cell"`
	Shares   []LinksShare   `json:"shares,omitempty" doc:"of tables that were read: pairs with cells in common"`
}

// A LinksCluster is a group of tables that share cells.
type LinksCluster struct {
	Fields     []string       `json:"fields,omitempty" doc:"populations or years"`
	Indicators []string       `json:"indicators,omitempty" doc:"what is counted or added up"`
	Sums       []string       `json:"sums,omitempty" doc:"between indicators or fields, as stated"`
	Tables     []LinksPlanned `json:"tables" doc:"what is to be protected, together, in this order"`
}

// A LinksPlanned is a table made from all those with the same variables.
type LinksPlanned struct {
	Tables     []string   `json:"tables" doc:"names of those that it is made of"`
	Dims       []string   `json:"dims"`
	Indicators []string   `json:"indicators,omitempty"`
	Within     [][]string `json:"within,omitempty" doc:"tables that have all of its cells: it needs no protection of its own"`
	Apart      [][]string `json:"apart,omitempty" doc:"tables with which it shares nothing but totals over all variables: where these stay published, the two can be protected apart"`
}

// A LinksShare says what two tables share.
type LinksShare struct {
	First  string `json:"first"`
	Second string `json:"second"`
	Cells  int    `json:"cells" doc:"in common, by their codes"`
}
