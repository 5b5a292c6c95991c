package dispatch

import "errors"

// An Unsent is why a request was not sent. No connection was opened for it.
type Unsent struct {
	Code    UnsentCode
	Message string   // one line; names variables, never what they hold
	Env     []string // the variables that may hold the credential, where it is what is wrong
}

// An UnsentCode tells them apart.
type UnsentCode string

// The codes of what was not sent. An origin that the credential may not be sent
// to is none of them: that is the refusal ORIGIN_DENIED.
const (
	NotAdmitted           UnsentCode = "not_admitted"           // the value was not made by admission
	NoCodec               UnsentCode = "no_codec"               // no codec speaks the protocol that was admitted
	NotEncoded            UnsentCode = "not_encoded"            // the codec found no place for something that was admitted
	HeaderRefused         UnsentCode = "header_refused"         // a header that is the transport's or the credential's to write
	CredentialMissing     UnsentCode = "credential_missing"     // none of the variables is set
	CredentialInvalid     UnsentCode = "credential_invalid"     // what the variable holds fits in no header
	CredentialUnsupported UnsentCode = "credential_unsupported" // requests of this scheme would have to be signed
	TicketSpent           UnsentCode = "ticket_spent"           // the ticket was sent or abandoned before
)

func (u *Unsent) Error() string { return "nothing was sent: " + string(u.Code) + ": " + u.Message }

var errNoBody = errors.New("the codec wrote no body")
