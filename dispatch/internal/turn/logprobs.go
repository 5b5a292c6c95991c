package turn

import (
	"fmt"

	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/textgen"
)

// A TokenProb is a token with its logarithmic probability, as most wires write it.
type TokenProb struct {
	Token       string      `json:"token"`
	Logprob     wire.Number `json:"logprob"`
	TopLogprobs []TokenProb `json:"top_logprobs"`
}

// notInTop is what stands for a probability that nobody computed.
const notInTop = "-9999"

// Logprobs reads probabilities with their digits.
func Logprobs(in []TokenProb) ([]textgen.TokenProb, error) {
	if len(in) == 0 {
		return nil, nil
	}
	out := make([]textgen.TokenProb, len(in))
	for i := range in {
		d, err := in[i].Logprob.Decimal()
		if err != nil {
			return nil, fmt.Errorf("the logprob of token %d: %w", i, err)
		}
		if d == notInTop {
			d = ""
		}
		out[i] = textgen.TokenProb{Token: in[i].Token, Logprob: d}
		if out[i].Alternatives, err = Logprobs(in[i].TopLogprobs); err != nil {
			return nil, err
		}
	}
	return out, nil
}
