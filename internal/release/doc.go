// Package release makes a release of microdata under a policy: Propose says of each column of a file what it seems to be, and why; a Policy is what an
// office decided of that; Search finds the recoding, and the values withheld after it, that reach the limits with the least loss; a Claim is what
// anybody can compute of the release alone.
package release
