package rhyming

import _ "embed"

// The JSON Schemas of Request and Result. `make gen` writes them from the types.
var (
	//go:embed request.schema.json
	requestSchema string
	//go:embed result.schema.json
	resultSchema string
)
