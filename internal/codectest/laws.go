package codectest

import (
	"fmt"

	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/rerank"
)

// Vectors says what is wrong with the vectors of a request's answer.
func Vectors(q embedding.Request, r embedding.Result) error {
	if len(r.Vectors) != len(q.Items) {
		return fmt.Errorf("%d vectors for %d items", len(r.Vectors), len(q.Items))
	}
	for i, v := range r.Vectors {
		width := int64(len(v.Floats) + len(v.Bytes))
		if r.ElementType == "binary" || r.ElementType == "ubinary" {
			width *= 8
		}
		if width != r.Dimensions {
			return fmt.Errorf("vector %d has %d numbers, not %d", i, width, r.Dimensions)
		}
	}
	return nil
}

// Ranking says what is wrong with the scores of a request's answer.
func Ranking(q rerank.Request, r rerank.Result) error {
	if len(r.Scores) != len(q.Documents) {
		return fmt.Errorf("%d scores for %d documents", len(r.Scores), len(q.Documents))
	}
	seen := map[int64]bool{}
	for i, s := range r.Scores {
		if s.Document < 0 || s.Document >= int64(len(q.Documents)) || seen[s.Document] || !s.Score.IsKnown() {
			return fmt.Errorf("score %d is %+v", i, s)
		}
		seen[s.Document] = true
	}
	return nil
}
