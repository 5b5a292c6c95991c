package wire

// BadAnswer is a response that is not what its protocol or its request promises.
// The error says where; it must not repeat what the caller sent.
func BadAnswer(r Response, err error) *Failure {
	return &Failure{Kind: Invalid, Message: Bounded(err.Error()), Status: r.Status}
}
