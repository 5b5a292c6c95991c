package migrate

// output is what a migration writes, in today's shapes.
type output struct{}
