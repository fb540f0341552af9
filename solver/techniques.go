package solver

// techniques switches parts of the search off, for tests: a true field switches its part off. All parts only save time,
// so the proved cost must be the same without them; TestTechniques solves with each switched off in turn. A new part
// needs a new field.
type techniques struct {
	presolve     bool // simplify the table before the search
	copies       bool // merge cells that move together
	blocks       bool // solve blocks separately
	singleRow    bool // bound by single relations before building
	subtrees     bool // bound subtrees of a table by regions before the whole
	given        bool // drop levels met by the given cells alone
	inOut        bool // separate points between optimum and incumbent
	truncation   bool // cut capacities down to the level before separating
	bottleneck   bool // bound cells by the other cells of their relations
	mirror       bool // use a dual for the level on the other side as well
	covers       bool // knapsack-cover strengthening
	zeroHalf     bool
	mir          bool // mixed-integer rounding cuts
	bridgeless   bool
	pool         bool // return pooled cuts to the master
	poolCapacity bool // keep more than a handful of cuts outside the master
	skip         bool // skip levels that recently yielded no cut
	reducedCost  bool // fix columns by reduced costs
	fixBelow     bool // fix columns by reduced costs at every node
	surface      bool // end dives that are far above the least bound
	lookAhead    bool // end trials that find nothing better
	resume       bool // start a node at the optimum of its parent
	norms        bool // keep edge norms through trials in branching
	unended      bool // learn from trials that stop before their optimum
	reliability  bool // branch by trials, not by cost
	guided       bool // builder runs guided by the relaxation
	near         bool // separate by the relations near a cell first
	cellByCell   bool // begin with cuts from relaxations for single cells
	sample       bool // builder runs drawn around the relaxation
	improve      bool // destroy and repair
	regroup      bool // solve the incumbent anew for some sensitive cells
	clean        bool // drop superfluous columns of a built pattern
	together     bool // drop several columns at once
	company      bool // add cheap columns to a pattern before it is cleaned
	series       bool // clean and vary patterns by classes of cells in series
	recost       bool // cap costs in the master at the incumbent
	purge        bool // remove stale rows from the master
	joint        bool // solve programs for many levels at once when everything is withheld
	farkas       bool // use the back end's Farkas rays for certificates
}
