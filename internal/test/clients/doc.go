// Package clients holds no code, only tests: they run the real programs that call
// τ-ARGUS (rtauargus and sdcTable in R, piargus in Python), unmodified, against this
// one under the name TauArgus.exe, and compare with what τ-ARGUS gave.
//
// Their sources are not part of the project: HITOKU_CLIENTS names a folder that has
// rtauargus, sdcTable, sdcHierarchies, piargus and littletree as their repositories
// have them (make clients-test). Without it the tests are skipped, and counted.
package clients
