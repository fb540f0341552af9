package oracle

import "time"

// The constants below steer the search. None of them decides what is proved: any value within its range gives a valid
// answer, sooner or later. Each is a record of its default, what it is, its range and where the default comes from,
// which is a measurement (bench/results), the memory or the time that it bounds, the numerics of floating point, or
// judgement; TestParams holds them to that form and prints them.

// The simplex engine.
const (
	// arcTime: approximate time of the network engine for an arc. Range 1ns to 1ms; measured.
	arcTime = 2 * time.Nanosecond
	// workTime: approximate time of a unit of Router.Work. Range 1ns to 1ms; measured.
	workTime = 1500 * time.Nanosecond
	// modelRange: binary logarithm of the greatest finite bound of a model: with back ends' absolute tolerances near
	// 1e-9, one unit stays visible beside values up to 10^14. Range 1 to 30; numerics.
	modelRange = 20
	// patience: iterations without progress after which a program stops once it has proved that the limit is out of
	// reach; duals are then nearly optimal. Range 1 to 100000; measured.
	patience = 32
	// maxBases: objectives up to which an engine keeps the last basis of each; with more, factorising costs more than
	// is gained. Range 0 to 1000; measured.
	maxBases = 6
	// maxBytes: bytes that the bases of a narrow engine may take, for which starting from the last basis of the same
	// objective always pays. Range 0 to 1e12; measured.
	maxBytes = 32 << 20
	// roundDen: denominator of duals whose fractions are not simple. Range 1 to 1e15; numerics.
	roundDen = 1 << 20
	// huge: sums of bounds from here on count as infinite. Range 1 to 2e18; numerics.
	huge = 1 << 60
	// jointCharge: cost of moving a cell by the largest amount asked for, if meeting an ask is worth 1. Range 0 to 1;
	// judgement.
	jointCharge = 1e-4
	// jointLeast: capacity, relative to that amount, below which cells are fixed: they are of no use and numerically
	// difficult. Range 0 to 1; numerics.
	jointLeast = 1e-7
	// leastGain: relative improvement that a bound of a cell must bring to replace the present one. Range 0 to 1;
	// numerics.
	leastGain = 1e-6
)

// Routes.
const (
	// smallKernel: relations below which any route is quick. Range 0 to 1e9; measured.
	smallKernel = 1000
	// routeIterations: iterations of one route, of which most take a few hundred. Range 1 to 1e9; measured.
	routeIterations = 20000
	// farther: price of a cell that cannot move. Range 1 to 1e15; numerics.
	farther = 1 << 20
	// kernelFirst: rows of a route through the kernel at the start. Range 1 to 10000; measured.
	kernelFirst = 20
	// kernelRows: rows that enter it in each round. Range 1 to 10000; measured.
	kernelRows = 10
	// kernelRounds: rounds once there is a route. Range 1 to 10000; measured.
	kernelRounds = 15
	// kernelStale: rounds without a cheaper route after which it ends. Range 1 to 10000; measured.
	kernelStale = 4
	// kernelBlind: rounds without any route after which it ends. Range 1 to 10000; judgement.
	kernelBlind = 60
	// kernelAll: rounds in all. Range 1 to 10000; judgement.
	kernelAll = 120
	// kernelEntry: work that it takes to look at one entry of the kernel between rounds. Range 0s to 1ms; measured.
	kernelEntry = 4 * time.Nanosecond
	// kernelSteps: iterations of one round. Range 1 to 1e9; judgement.
	kernelSteps = 2000
)

// The network engine.
const (
	// flowBits: resolution of scaled capacities: a limit becomes about 2^40. Range 1 to 60; numerics.
	flowBits = 40
	// manyEntries: entries of potentials for each cell and each node that implied levels may take. Range 1 to 10000;
	// memory.
	manyEntries = 64
)

// Exact arithmetic and elimination.
const (
	// maxNodes: programs that a search over whole numbers solves for an end. Range 1 to 1e9; time.
	maxNodes = 200_000
	// maxStep: largest step that multiples passes on. Range 1 to 9e18; numerics.
	maxStep = 1 << 31
	// guideUnit: greatest unit of a model in which floating point still distinguishes whole numbers from others. Range
	// 1 to 1e9; numerics.
	guideUnit = 1 << 8
	// maxRankSteps: products of an elimination for the rank, a quarter of a second. Range 0 to 1e12; time.
	maxRankSteps = 10e6
	// maxEliminationSteps: products of an elimination for circuits, a few seconds, counted so that the answer does not
	// depend on the machine. Range 0 to 1e12; time.
	maxEliminationSteps = 300e6
	// maxCircuitEntries: entries of the circuits found. Range 0 to 1e12; memory.
	maxCircuitEntries = 10e6
	// maxCircuitNum: numerator and denominator of a circuit's entries. Range 1 to 1e15; numerics.
	maxCircuitNum = 1 << 20
)
