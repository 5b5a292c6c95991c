// Package dispatch sends what was admitted: exactly one physical request, to the
// origin that its credential may go to, within one deadline, and reads the answer
// strictly into a typed result.
//
//	client, err := dispatch.NewClient(dispatch.Config{})
//	answer, report, err := dispatch.Embedding.Send(ctx, client, admitted)
//
// Nothing here retries, follows a redirect, looks for a proxy in the environment
// or stores a credential. What the wire of a protocol looks like is in the folder
// named for it; those packages open no connection.
//
// A caller that sets money aside first takes a Ticket: it is sent or abandoned,
// once, and a ticket that never got a connection proves that nothing was spent.
package dispatch
