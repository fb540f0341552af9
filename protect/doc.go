// Package protect is the procedure of an office, from its tables to what it may publish. It
// joins the tables that share cells, applies a Policy (primary rules, costs, levels, bounds),
// chooses what is withheld, and audits the choice:
//
//	margins published → primary rules → minimum frequency → costs → single cells →
//	distance costs → weight of margins → levels → bounds → search, insiders,
//	singletons or defence → audit → a pattern for every table
//
// Levels come after costs because they may give the table more decimals, and costs in the decimals of the values keep
// bounds integral.
//
// The package opens no file and prints nothing: files that a policy names are read by functions of Options, and what a
// user should know is a Remark. If ctx ends a run, it returns what it has with an error that wraps ctx.Err(). Reaching
// a limit of the policy is not an error; Complete says whether that happened.
package protect
