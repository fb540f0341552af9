package solver

// techniques switches parts of the search off, for tests: a true field means that
// the search does without this part. Every one is for speed alone, so the proved
// cost must be the same without it; TestTechniques solves with each of them
// switched off in turn. Whoever adds a part adds a field.
type techniques struct {
	presolve     bool // solve the table as it is
	copies       bool // merge cells that move together
	blocks       bool // solve blocks apart
	singleRow    bool // bound by single relations before building
	subtrees     bool // bound subtrees of a table by regions before the whole
	given        bool // drop levels met by the given cells alone
	inOut        bool // separate between optimum and incumbent
	truncation   bool // cut capacities down to the level before separating
	bottleneck   bool // bound cells by the other cells of their relations
	mirror       bool // the cut of a dual for the level on the other side
	covers       bool // knapsack-cover strengthening
	zeroHalf     bool
	mir          bool // mixed-integer rounding cuts
	bridgeless   bool
	pool         bool // bring pooled cuts back
	poolCapacity bool // keep more than a handful of cuts outside the master
	skip         bool // skip levels that yielded no cut
	reducedCost  bool // fix columns by reduced costs
	fixBelow     bool // fix columns by reduced costs at every node
	surface      bool // end dives far above the least bound
	lookAhead    bool // end trials that find nothing better
	resume       bool // begin a node at the optimum of its parent
	norms        bool // keep the norms of edges through trials in branching
	unended      bool // learn from trials that end before their optimum
	reliability  bool // branch by trials, not by cost
	guided       bool // builder runs guided by the relaxation
	near         bool // separate by the relations near a cell first
	cellByCell   bool // begin with cuts of single cells' problems
	sample       bool // builder runs drawn about the relaxation
	improve      bool // destroy and repair
	regroup      bool // solve the incumbent anew for some sensitive cells
	clean        bool // drop superfluous columns of a built pattern
	together     bool // several of them at once
	company      bool // cheap columns beside a pattern while it is cleaned
	series       bool // clean and vary patterns by classes of cells in series
	recost       bool // cap costs in the master at the incumbent
	purge        bool // remove stale rows from the master
	joint        bool // no programs for many levels where everything is withheld
	farkas       bool // take the back end's Farkas rays for certificates
}
