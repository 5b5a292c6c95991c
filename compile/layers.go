package compile

// Layers names the layers, weakest first; a layer's rank is its place here.
var Layers = []string{"bundled", "host", "user", "project", RunLayer}

// The run layer is what one invocation adds.
const (
	RunLayer = "run"
	RunRank  = 4
)
