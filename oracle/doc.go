// Package oracle compares what opcat sends and reads with the vendors' own
// software: their official Go SDKs, driven against a loopback server that records,
// and their descriptions of their APIs.
//
// It is a module of its own, so that nothing else links an SDK. It holds tests
// alone.
package oracle
