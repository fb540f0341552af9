package solver

import "time"

// The constants below steer the search. None of them decides what is proved: any value within its range gives a valid
// answer, sooner or later. Each is a record of its default, what it is, its range and where the default comes from,
// which is a measurement (bench/results), the memory or the time that it bounds, the numerics of floating point, or
// judgement; TestParams holds them to that form.

// The course of the search.
const (
	// workerCount: nodes worked on at once; it does not depend on the number of workers, so that the course of the
	// search does not either. Range 1 to 64; judgement.
	workerCount = 4
	// workersFrom: nodes from which a tree is worth several workers. Range 1 to 1000; judgement.
	workersFrom = 8
	// workersPool: divisor of the capacity of the pool once every worker has one of its own. Range 1 to 8; measured.
	workersPool = 2
	// wideGap: gap, relative to the incumbent's cost, above which dives end when their bound is far above the least, to
	// raise the bound of the run. Range 0 to 1; measured.
	wideGap = 0.08
	// treeGap: the same in tables of three variables and more with trees, where dives are cheaper because the
	// relaxation stays warm. Range 0 to 1; measured.
	treeGap = 0.005
	// plungeShare: share of the gap by which the bound of a dive may exceed the least bound of all open nodes. Range 0
	// to 1; measured.
	plungeShare = 0.1
	// loneGap: gap above which the last worker continues its dive nevertheless, to find patterns. Range 0 to 1;
	// measured.
	loneGap = 0.25
	// guidedEvery: nodes between two runs of the builder guided by the relaxation. Range 1 to 1000; judgement.
	guidedEvery = 10
	// tailRoot: rounds of the root over which its progress is judged. Range 1 to 100; measured.
	tailRoot = 15
	// tailRootShare: share of the gap that these rounds must close for the root to go on. Range 0 to 1; measured.
	tailRootShare = 0.005
	// tailDeepShare: the same in large tables with deep trees, which converge slowly and where branching moves nothing.
	// Range 0 to 1; measured.
	tailDeepShare = 0.0002
	// tailNode: rounds of another node over which its progress is judged. Range 1 to 100; measured.
	tailNode = 3
	// tailNodeShare: share of the gap that these rounds must close for the node to go on. Range 0 to 1; measured.
	tailNodeShare = 0.02
	// maxStarts: bytes that the starts of open nodes may take, and as many that their paths may take. Range 1 to 1e12;
	// memory.
	maxStarts = 64 << 20
	// startGuide: value in the guide of the columns of the pattern that beat the start of an earlier run. Range 0 to 1;
	// judgement.
	startGuide = 0.9
)

// Branching: reliability branching (Achterberg, Koch and Martin, Branching rules revisited, Operations Research Letters
// 33(1), 2005).
const (
	// trials: columns tried at a node by a few iterations of the dual simplex method. Range 1 to 100; measured.
	trials = 8
	// reliable: trials on which a pseudocost must rest to be trusted without another. Range 1 to 16; measured.
	reliable = 2
	// trialIterations: iterations of the dual simplex method in a trial. Range 1 to 10000; measured.
	trialIterations = 60
	// lookAhead: trials in a row without a better column after which those of a node end. Range 1 to 100; measured.
	lookAhead = 3
	// lookAheadFrom: node from which trials end this way in tables of two dimensions; in others from the first. Range 0
	// to 10000; measured.
	lookAheadFrom = 50
)

// The master problem and its pool.
const (
	// cutsPerRound: cuts that enter the relaxation at once. Range 1 to 100000; judgement.
	cutsPerRound = 100
	// maxAge: solves in a row in which a row may be slack before it leaves the master; the pool keeps it. Range 1 to
	// 1000; measured.
	maxAge = 12
	// maxAgeDeep: the same in three dimensions and more, where programs have thousands of rows, few of them tight.
	// Range 1 to 1000; measured.
	maxAgeDeep = 5
	// maxPool: coefficients that a pool keeps, about half a gigabyte. Range 1 to 1e12; memory.
	maxPool = 12 << 20
	// entryTime: work counted for a coefficient when the pool is evaluated or rows are summed for rounding cuts. Range
	// 0s to 1ms; measured.
	entryTime = 5 * time.Nanosecond
	// poolSize: witnesses kept for each level. Range 1 to 10000; memory.
	poolSize = 24
	// maxSources: sources of cuts kept for later runs; every run makes the cuts of all that concern its levels. Range 0
	// to 100000; judgement.
	maxSources = 400
	// maxVectors: vectors of the row space kept for later runs. Range 0 to 100000; judgement.
	maxVectors = 200
	// maxCarried: the most trials that a pseudocost from another table counts as. Range 0 to 16; judgement.
	maxCarried = reliable
	// maxMemory: different parts remembered by a Memory. Range 1 to 100000; memory.
	maxMemory = 64
)

// The sub-problems.
const (
	// shardCount: independent streams of sensitive cells, each with a warm engine that works its cells off in order, so
	// that what is found does not depend on the number of workers. Range 1 to 64; measured.
	shardCount = 4
	// maxSkip: rounds for which a level that yielded no cut may be skipped. Range 1 to 100; judgement.
	maxSkip = 6
	// maxRest: times in a row that a column without success may be left out when programs ask for bridge-less cuts
	// below the root, and at the root of large tables with deep trees. Range 0 to 127; measured.
	maxRest = 20
	// cutsPerShard: cuts of a shard after which its round ends. Range 1 to 100000; judgement.
	cutsPerShard = 60
	// roundWork: work after which a shard's round ends in tables with deep trees if it has found any cut; the next
	// round goes on from there. Range 0 to 1e12; measured.
	roundWork = 2e5
	// smallLevel: ratio of the typical capacity of a cell to a level from which the level counts as small. Range 1 to
	// 1000; measured.
	smallLevel = 16
	// inOutWeight: weight of the relaxation's optimum, beside the incumbent, in the point of in-out separation. Range 0
	// to 1; measured.
	inOutWeight = 0.9
	// innerε: added to every column of that point, so that duals prefer small coefficients where the optimum is 0.
	// Range 0 to 0.1; Magnanti and Wong, Operations Research 29(3), 1981.
	innerε = 1e-3
	// cellsPerShard: cells of each shard, those of the largest levels, whose own problems are solved before the root.
	// Range 1 to 1000; measured.
	cellsPerShard = 10
	// cellRounds: how often the relaxation of such a problem is solved. Range 1 to 100; measured.
	cellRounds = 5
	// nestedCuts: most nested cuts between two of these solves. Range 1 to 1000; measured.
	nestedCuts = 20
)

// Separation of other cuts.
const (
	// bridgesRoot: how often the root asks for bridge-less cuts once its other cuts tail off. Range 0 to 100;
	// judgement.
	bridgesRoot = 3
	// bridgesNode: the same at other nodes. Range 0 to 100; judgement.
	bridgesNode = 1
	// maxHalfSlack: slack above which a row is left out of zero-half cuts, as it can hardly be part of a violated one.
	// Range 0 to 1; judgement.
	maxHalfSlack = 0.4
	// halfShare: share of the gap that zero-half cuts have to close at the root to be kept. Range 0 to 1; judgement.
	halfShare = 0.1
	// halfWork: bound of the elimination for zero-half cuts in regions, rows²·columns/64, a few seconds that nothing
	// interrupts. Range 1 to 1e15; time.
	halfWork = 1e10
	// mixFrom: node from which rounding cuts are separated in three dimensions and more. Range 0 to 100000; measured.
	mixFrom = 32
	// mixSlack: slack, relative to the right-hand side, above which a row is not summed for rounding cuts. Range 0 to
	// 1; judgement.
	mixSlack = 0.2
	// mixRows: rows in a sum for rounding cuts. Range 1 to 100; judgement.
	mixRows = 6
	// mixDivisors: divisors tried for each sum, before halving. Range 1 to 1000; judgement.
	mixDivisors = 10
	// mixFlips: columns of each sum whose complement is tried. Range 0 to 1000; judgement.
	mixFlips = 20
	// mixDiv: denominator of the weights 1/δ, so that a certificate can name them. Range 1 to 1e15; numerics.
	mixDiv = 1 << 20
	// mixDepth: distance over the fractional columns below which a rounding cut is dropped. Range 0 to 1; judgement.
	mixDepth = 0.02
	// mixLeast: least coefficient that is used as a divisor. Range 0 to 1; numerics.
	mixLeast = 1.0 / 64
	// mixLow: least fractional part of a right-hand side: below it cuts are weak and magnify rounding errors. Range 0
	// to 1; numerics.
	mixLow = 0.05
	// mixHigh: greatest fractional part of a right-hand side, for the same reason. Range 0 to 1; numerics.
	mixHigh = 0.999
	// mixRounding: relative rounding error of a sum. Range 0 to 1e-6; numerics.
	mixRounding = 1e-13
)

// Bounds by single relations and by regions.
const (
	// singleRowRounds: rounds of single relations over which their progress is judged. Range 1 to 100; judgement.
	singleRowRounds = 5
	// singleRowShare: share of the bound by which these rounds must raise it to go on. Range 0 to 1; judgement.
	singleRowShare = 0.01
	// partSlice: work on a part of the table before the next has its turn. Range 1ms to 1h; judgement.
	partSlice = 100 * time.Millisecond
	// firstSurely: cells up to which the search of a network has a first pattern within work.Grace. Range 0 to 1e9;
	// judgement.
	firstSurely = 10_000
	// presolveEach: work that the reductions before the search take for each cell. Range 0s to 1ms; measured.
	presolveEach = time.Microsecond
	// singleRowLeast: work that single relations may take before the search has done as much itself. Range 1ms to 1h;
	// judgement.
	singleRowLeast = 2 * time.Second
	// singleRowTime: share of the work of the search that single relations may take. Range 0 to 100; judgement.
	singleRowTime = 2
	// regionRounds: rounds of a family of regions over which its progress is judged. Range 1 to 100; judgement.
	regionRounds = 8
	// regionShare: share of the bound by which these rounds must raise it for the family to go on. Range 0 to 1;
	// judgement.
	regionShare = 0.005
	// turnShare: share of the bound by which a turn of all families must raise it for another turn. Range 0 to 1;
	// judgement.
	turnShare = 0.005
	// regionCuts: cuts of levels that enter the relaxation of regions at once. Range 1 to 1000000; judgement.
	regionCuts = 3000
	// regionShards: streams into which the regions of a family are divided. Range 1 to 4096; memory.
	regionShards = 64
	// regionScratch: numbers that these streams may keep as scratch. Range 1 to 1e12; memory.
	regionScratch = 4 << 20
	// maxNear: levels above which programs for each cell take too much memory. Range 0 to 1000000; memory.
	maxNear = 4000
	// maxRegion: cells above which a region takes too long. Range 1 to 1000000; time.
	maxRegion = 15_000
	// maxRegions: cells above which all regions of a table take too much memory, some kB a cell. Range 1 to 100000000;
	// memory.
	maxRegions = 200_000
	// subtreeAbove: how far from the optimum towards withholding everything subtrees ask first; in the whole table it
	// is 0. Range 0 to 1; measured.
	subtreeAbove = 0.005
)

// The first pattern.
const (
	// jointCells: cells above which no program asks for many levels at once. Range 0 to 1e9; memory.
	jointCells = 200_000
	// jointLevels: levels that are asked for at the same time, one by one. Range 1 to 1000; judgement.
	jointLevels = 8
	// jointRounds: number of programs for levels of one size. Range 1 to 1000; judgement.
	jointRounds = 12
	// jointSize: ratio of the largest to the least level of one size. Range 1 to 1e9; numerics.
	jointSize = 64
	// cleanQuestions: questions to exact arithmetic in a clean-up of everything, counted so that without a limit the
	// pattern does not depend on the machine. Range 0 to 1e9; time.
	cleanQuestions = 1000
	// cleanShown: share of the cost last offered at which an intermediate pattern is offered again. Range 0 to 1;
	// judgement.
	cleanShown = 0.85
	// cleanEvery: batches of columns after which this is checked. Range 1 to 1000; judgement.
	cleanEvery = 8
	// cleanMost: columns dropped at once. Range 1 to 100000; judgement.
	cleanMost = 64
	// cleanLeast: least work of a clean-up. Range 0 to 1e12; judgement.
	cleanLeast = 1e5
	// failedFirst: levels remembered that cleaning found not met lately, which are asked first. Range 0 to 1000;
	// judgement.
	failedFirst = 16
	// companyFirst: share of the columns, the cheapest, that are company of the first pattern when it is cleaned. Range
	// 0 to 1; measured.
	companyFirst = 0.6
)

// Better patterns.
const (
	// improveFirst: work of the improver at the start of a search, relative to that of building its first pattern.
	// Range 0 to 100; judgement.
	improveFirst = 3
	// improveShare: work of the improver later, relative to that of separation; a run without success halves it, one
	// with success restores it. Range 0 to 10; judgement.
	improveShare = 0.6
	// improveLeast: least value of that share. Range 0 to 10; judgement.
	improveLeast = 0.02
	// improveSlice: least work of a run of the improver. Range 0 to 1e12; judgement.
	improveSlice = 1e5
	// regroupShare: initial share of rounds for groups of cells, relative to the main search and weighted by free
	// columns and sensitive cells. Range 0 to 10; measured.
	regroupShare = 0.12
	// regroupLoss: factor of that share after an attempt without success; one with success restores it. Range 0 to 1;
	// judgement.
	regroupLoss = 0.85
	// regroupLeast: least value of that share. Range 0 to 10; judgement.
	regroupLeast = 0.03
	// regroupFrom: node from which groups are worth it, as small tables are soon solved. Range 0 to 100000; judgement.
	regroupFrom = 32
	// regroupBegin: cost of beginning the search for a group, in rounds. Range 0 to 100; judgement.
	regroupBegin = 0.2
	// regroupNodes: nodes that end the search for a group, before it has several workers. Range 1 to 1000; judgement.
	regroupNodes = workersFrom
	// regroupMost: sensitive cells of the largest group. Range 1 to 1000; judgement.
	regroupMost = 12
	// sampleShare: share of the separation's work that goes into drawn patterns at first. Range 0 to 100; judgement.
	sampleShare = 1
	// sampleLeast: least value of that share. Range 0 to 100; judgement.
	sampleLeast = 0.15
	// sampleFall: factor of that share after a draw in vain; a cheaper incumbent restores it. Range 0 to 1; judgement.
	sampleFall = 0.95
	// sampleGap: gap from which patterns are drawn. Range 0 to 1; judgement.
	sampleGap = 0.1
	// varyFirst: probability with which the class of a drawn column of the pattern goes first in a variation. Range 0
	// to 1; measured.
	varyFirst = 0.7
	// varySlack: average excess, relative to the incumbent's cost, up to which a variation is continued from. Range 0
	// to 1; measured.
	varySlack = 0.003
	// varyVain: variations in a row that find nothing cheaper after which another chain of them begins in any case.
	// Range 1 to 1e9; measured.
	varyVain = 1000
	// varyFew: the same where the cheapest was found after fewer. Range 1 to 1e9; measured.
	varyFew = 250
	// varyAnew: noise in the order in which all columns are dropped then. Range 0 to 1; judgement.
	varyAnew = 0.6
	// varyBoth: the same for the columns that two chains ended with. Range 0 to 1; judgement.
	varyBoth = 0.3
	// varyEnds: chains, the cheapest of those that have ended, whose ends are kept. Range 2 to 1000; judgement.
	varyEnds = 5
	// varyOffered: share of the incumbent's cost at which a variation is offered: exact verification may take longer
	// than many variations. Range 0 to 1; time.
	varyOffered = 0.995
	// varyShare: share of the separation's work that goes into variations at first. Range 0 to 100; judgement.
	varyShare = 2.5
	// varyLeast: least value of that share. Range 0 to 100; judgement.
	varyLeast = 0.2
	// varyFall: factor of that share after a variation in vain; the cheapest so far restores it. Range 0 to 1;
	// judgement.
	varyFall = 0.9977
	// seriesEntries: numbers of a space of movements, cells × dimensions, above which there is none. Range 1 to 1e12;
	// memory.
	seriesEntries = 20e6
	// seriesLong: size of the space from which cleaning everything takes so long that the builder's pattern is verified
	// first. Range 0 to 1e12; measured.
	seriesLong = 4e6
	// seriesDims: dimensions up to which the program over classes decides whether levels are met. Range 0 to
	// 100000; measured.
	seriesDims = 80
	// stepsUnit: steps of a space or a program in the time of a unit of Router.Work. Range 1 to 1e6; measured.
	stepsUnit = 1500
	// seriesShare: share of the dimensions that a batch takes away. Range 0 to 1; judgement.
	seriesShare = 0.3
	// widenFar: further dimensions beyond those asked for at which a widened space is kept for later calls. Range 0 to
	// 100000; judgement.
	widenFar = 100
	// widenUses: calls for which it is reused. Range 1 to 100000; judgement.
	widenUses = 10
	// widenParts: steps in which dimensions are taken away, in each the dearest first. Range 1 to 1000;
	// judgement.
	widenParts = 6
	// askedFirst: levels lately found not met that are asked before all others. Range 0 to 1000; judgement.
	askedFirst = 4
	// shownMost: movements kept as witnesses of levels. Range 1 to 100000; memory.
	shownMost = 256
)

// Presolve.
const (
	// maxMergedCoef: greatest coefficient of merged relations, which keeps them in their type. Range 1 to 2147483647;
	// numerics.
	maxMergedCoef = 1 << 29
)

// Parameters of several values, and those that tests change.
var (
	// nearSizes: relations near a cell in its programs at the root of large tables with deep trees, the second number
	// where the first yields nothing. Range 1 to 1e9; measured.
	nearSizes = [...]int{400, 1200}
	// regionSizes: the same for bounds by regions in tables without variables. Range 1 to 1e9; judgement.
	regionSizes = [len(nearSizes)]int{100, 400}
	// singleRowsFrom: columns from which a search begins with single relations: below, the root has better cuts in a
	// moment. Tests change it. Range 0 to 1e9; judgement.
	singleRowsFrom = 1000
	// companyShares: shares of columns as company, one drawn for each pattern. Range 0 to 1; judgement.
	companyShares = [...]float64{0, 0.3, 0.6, 0.8}
	// varyMore: further dimensions of a variation: few gain little but often, many gain much but seldom. Range 1 to
	// 10000; measured.
	varyMore = [...]int{1, 3, 10, 30}
	// varyOthers: noise in the order in which columns outside the pattern are dropped. Range 0 to 1;
	// judgement.
	varyOthers = [...]float64{0.3, 0.6, 0.9}
	// varyOrder: noise in the order in which all columns are dropped then. Range 0 to 1; judgement.
	varyOrder = [...]float64{0, 0.2, 0.5}
	// slacks: excess over the best cost up to which the improver continues from an attempt, one value a run: none suits
	// tables with many small costs, a few per cent those with few large ones. Range 0 to 1; measured.
	slacks = [...]float64{0.01, 0, 0.05}
)
