// Package ranking is what the reranking protocols have in common: the texts that
// were sent, and whether the answer ranks them.
package ranking

import (
	"fmt"
	"strconv"

	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/lent"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/rerank"
)

// Texts are the documents of a protocol that takes nothing but text.
func Texts(r rerank.Request) ([]post.Text, error) {
	texts := make([]post.Text, len(r.Documents))
	for i, d := range r.Documents {
		if d.Kind != "text" {
			return nil, fmt.Errorf("document %d is %s, and the protocol takes text", i, d.Kind)
		}
		texts[i] = post.Text(d.Text)
	}
	return texts, nil
}

// An Entry is what an answer says of one document.
type Entry struct {
	Index     wire.Number `json:"index"`
	Relevance wire.Number `json:"relevance_score"`
}

// Answer reads the entries of an answer: each document at most once, as many as
// were asked for, best first, each score within the contract's range.
func Answer(a operations.Admitted[rerank.Request], r wire.Response, m wire.Meta, entries []Entry) (wire.Answer[rerank.Result], *wire.Failure) {
	result, err := read(a, entries)
	if err != nil {
		f := wire.BadAnswer(r, err)
		f.Meta = m
		return wire.Answer[rerank.Result]{}, f
	}
	return wire.Answer[rerank.Result]{Result: result, Meta: m}, nil
}

func read(a operations.Admitted[rerank.Request], entries []Entry) (rerank.Result, error) {
	request := a.Lent(lent.Own())
	n := len(request.Documents)
	want := n
	if top, ok := request.Settings.TopN.Get(); ok && top < int64(n) {
		want = int(top)
	}
	if len(entries) != want {
		return rerank.Result{}, fmt.Errorf("%d scores where %d were asked for", len(entries), want)
	}
	unit := a.Contract().Reranking.ScoreRange == "unit"
	seen := make([]bool, n)
	result := rerank.Result{Scores: make([]rerank.Score, len(entries))}
	for k, e := range entries {
		i, err := strconv.Atoi(string(e.Index))
		if err != nil || i < 0 || i >= n {
			return rerank.Result{}, fmt.Errorf("a score is for document %.20q of %d", string(e.Index), n)
		}
		if seen[i] {
			return rerank.Result{}, fmt.Errorf("document %d has two scores", i)
		}
		seen[i] = true
		score, err := e.Relevance.Decimal()
		if err != nil {
			return rerank.Result{}, fmt.Errorf("the score of document %d: %w", i, err)
		}
		if unit && (score.Compare("0") < 0 || score.Compare("1") > 0) {
			return rerank.Result{}, fmt.Errorf("the score of document %d is %s, not from 0 to 1", i, score)
		}
		if k > 0 && score.Compare(result.Scores[k-1].Score) > 0 {
			return rerank.Result{}, fmt.Errorf("document %d stands behind a worse one", i)
		}
		result.Scores[k] = rerank.Score{Document: int64(i), Score: score}
	}
	return result, nil
}
