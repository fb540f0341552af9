package attest

// SLSA is the type of a statement of provenance.
const SLSA = "https://slsa.dev/provenance/v1"

// Provenance is its predicate, of its fields those that a build needs which anybody can repeat.
type Provenance struct {
	BuildDefinition BuildDefinition `json:"buildDefinition"`
	RunDetails      RunDetails      `json:"runDetails"`
}

// A BuildDefinition is what was built from what.
type BuildDefinition struct {
	BuildType            string         `json:"buildType"`
	ExternalParameters   map[string]any `json:"externalParameters"`
	InternalParameters   map[string]any `json:"internalParameters,omitempty"`
	ResolvedDependencies []Subject      `json:"resolvedDependencies"`
}

// RunDetails say who built it.
type RunDetails struct {
	Builder Builder `json:"builder"`
}

// A Builder is known by a URI.
type Builder struct {
	ID string `json:"id"`
}
