package document

// A Problem is what --json-errors prints on standard error in place of words.
type Problem struct {
	Head     `kind:"error/1" doc:"why a run failed or stopped, and what was said besides; printed by --json-errors"`
	ExitCode int    `json:"exit_code" doc:"0: done; 1: the verdict is bad; 2: wrong usage or input; 3: stopped by a limit or an interrupt"`
	Kind     string `json:"kind" enum:"remark,verdict,usage,input,system,limit" doc:"remark: done, and something was said; usage: flags, rules, or what they make of the input; input: a file says something else than what is wanted; system: a file cannot be opened, read or written"`
	Message  string `json:"message" doc:"as it is printed without --json-errors, in English"`
	Place
	Errors []Fault  `json:"errors,omitempty" doc:"of runs over several inputs: all of them, in the order in which they came"`
	Said   []string `json:"said,omitempty" doc:"lines that would have been printed besides; of very many the last"`
}

// A Fault is one error.
type Fault struct {
	Kind    string `json:"kind" enum:"usage,input,system,pattern" doc:"pattern: a table has none, or none was found"`
	Message string `json:"message"`
	Place
}

// A Place is where an input is wrong, as far as that is known, and what was wanted there.
type Place struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty" doc:"from 1"`
	Column int    `json:"column,omitempty" doc:"byte in the line, from 1"`
	Field  string `json:"field,omitempty" doc:"header of the column"`
	Value  string `json:"value,omitempty" doc:"what stands there, quoted where it is no plain word, shortened where long"`
	Wanted string `json:"wanted,omitempty"`
}
