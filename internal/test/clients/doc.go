// Package clients contains only tests: they run the real programs that call τ-ARGUS (rtauargus and sdcTable in
// R, piargus in Python), unmodified, against hitoku under the name TauArgus.exe, and compare the results with
// those of τ-ARGUS.
//
// The sources of these programs are not part of the project: HITOKU_CLIENTS names a folder that has rtauargus,
// sdcTable, sdcHierarchies, piargus and littletree as in their repositories (make clients-test). Without it the
// tests are skipped, and counted.
package clients
