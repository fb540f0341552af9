// Package release makes a release of microdata under a policy. Propose says what each column of a file seems to be, and
// why; a Policy is what an office decided about that; Search finds the recoding, and the values to withhold after it,
// that meet the limits with the least loss; a Claim is what anybody can compute from the release alone.
package release
