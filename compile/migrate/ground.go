package migrate

// ground is what the layers below an overlay hold, in either format, as far as
// format 0 needs it to know what it changes.
type ground struct {
	rows map[string]*groundRow // by today's id
}

// A groundRow is a row of a lower layer.
type groundRow struct {
	ID, Provider, Wire, Upstream string
	Operations                   []string // what its contracts grant
}
