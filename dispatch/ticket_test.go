package dispatch

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/stub"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
)

func ticket(t *testing.T, s *stub.Server) *Ticket[embedding.Result] {
	t.Helper()
	k, err := Embedding.Ticket(newClient(t, s), admit(t, "local/embed-1"))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A ticket is sent or abandoned, once. Only what was never sent is proven unsent.
func TestTicketIsSpentOnce(t *testing.T) {
	s := stub.New(t, answering("embed-1"))
	sent := ticket(t, s)
	if s.Connections() != 0 {
		t.Fatal("a ticket opened a connection")
	}
	if _, _, err := sent.Send(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, report, err := sent.Send(t.Context()); !isUnsent(err, TicketSpent) || report.Proof.Valid() || report.Boundary != "" {
		t.Errorf("sent again: %v, %+v", err, report)
	}
	if sent.Abandon().Valid() {
		t.Error("a ticket that was sent is proven unsent")
	}

	left := ticket(t, s)
	if !left.Abandon().Valid() {
		t.Error("an abandoned ticket proves nothing")
	}
	if left.Abandon().Valid() {
		t.Error("a ticket was abandoned twice")
	}
	if _, report, err := left.Send(t.Context()); !isUnsent(err, TicketSpent) || report.Proof.Valid() {
		t.Errorf("sent after it was abandoned: %v, %+v", err, report)
	}
	if (NotDispatched{}).Valid() {
		t.Error("the zero proof is valid")
	}
	if n := s.Requests(); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

// However many try at the same time, one sends or one abandons.
func TestTicketIsSpentOnceByMany(t *testing.T) {
	s := stub.New(t, answering("embed-1"))
	for range 20 {
		k, before := ticket(t, s), s.Requests()
		var sends, proofs atomic.Int32
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				if i%2 == 0 {
					if k.Abandon().Valid() {
						proofs.Add(1)
					}
				} else if _, _, err := k.Send(t.Context()); err == nil {
					sends.Add(1)
				}
			})
		}
		wg.Wait()
		if sends.Load()+proofs.Load() != 1 || s.Requests()-before != int(sends.Load()) {
			t.Fatalf("%d sends, %d proofs, %d requests", sends.Load(), proofs.Load(), s.Requests()-before)
		}
	}
}

func isUnsent(err error, code UnsentCode) bool {
	u, ok := errors.AsType[*Unsent](err)
	return ok && u.Code == code
}

// What is refused before anything is opened reaches nobody.
func TestRefusedBeforeAnythingIsOpened(t *testing.T) {
	type admitted = operations.Admitted[embedding.Request]
	codec := Embedding.codecs[0]
	with := func(change func(*wire.Request)) Executor[embedding.Request, embedding.Result] {
		changed := codec
		changed.Encode = func(a admitted) (wire.Request, error) {
			q, err := codec.Encode(a)
			change(&q)
			return q, err
		}
		return NewExecutor(changed)
	}
	header := func(name, value string) Executor[embedding.Request, embedding.Result] {
		return with(func(q *wire.Request) { q.Header.Set(name, value) })
	}
	unset := func(string) (string, bool) { return "", false }
	holds := func(value string) func(string) (string, bool) {
		return func(string) (string, bool) { return value, true }
	}
	cases := []struct {
		name     string
		executor Executor[embedding.Request, embedding.Result]
		route    string
		lookup   func(string) (string, bool)
		code     UnsentCode // "": the refusal ORIGIN_DENIED
	}{
		{"the zero value", Embedding, "", nil, NotAdmitted},
		{"no codec", NewExecutor(Embedding.codecs[1:]...), "bearer/embed-1", nil, NoCodec},
		{"the codec cannot", NewExecutor(wire.Codec[embedding.Request, embedding.Result]{Protocol: "openai_embeddings",
			Encode: func(admitted) (wire.Request, error) { return wire.Request{}, errors.New("no place for it") }}), "bearer/embed-1", nil, NotEncoded},
		{"no body", with(func(q *wire.Request) { q.Body = nil }), "bearer/embed-1", nil, NotEncoded},
		{"no URL", with(func(q *wire.Request) { q.URL = "https://\x00" }), "bearer/embed-1", nil, NotEncoded},
		{"a credential of the codec", header("Authorization", "Bearer x"), "bearer/embed-1", nil, HeaderRefused},
		{"the credential's own header", header("X-API-Key", "x"), "header/embed-1", nil, HeaderRefused},
		{"a wish to be sent again", header("idempotency-key", "1"), "bearer/embed-1", nil, HeaderRefused},
		{"a wish to wait", header("Expect", "100-continue"), "bearer/embed-1", nil, HeaderRefused},
		{"a fixed header of the provider", header("X-Team", "red"), "bearer/embed-1", nil, HeaderRefused},
		{"an encoding that is not read", header("Accept-Encoding", "br"), "bearer/embed-1", nil, HeaderRefused},
		{"signed by AWS", Embedding, "signed/embed-1", nil, CredentialUnsupported},
		{"signed by Google", Embedding, "adc/embed-1", nil, CredentialUnsupported},
		{"no credential", Embedding, "bearer/embed-1", unset, CredentialMissing},
		{"an empty credential", Embedding, "bearer/embed-1", holds(""), CredentialMissing},
		{"a credential with a line break", Embedding, "bearer/embed-1", holds(canary + "\n"), CredentialInvalid},
		{"another origin", with(func(q *wire.Request) { q.URL = "https://api.evil.example/v1/embeddings" }), "bearer/embed-1", nil, ""},
		{"another port", with(func(q *wire.Request) { q.URL = "https://api.bearer.example:8443/v1" }), "bearer/embed-1", nil, ""},
		{"without TLS", with(func(q *wire.Request) { q.URL = "http://api.bearer.example/v1" }), "bearer/embed-1", nil, ""},
		{"a user in the URL", with(func(q *wire.Request) { q.URL = "https://a:b@api.bearer.example/v1" }), "bearer/embed-1", nil, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := stub.NewTLS(t, answering("embed-1"))
			client := newClient(t, s, func(config *Config) {
				if c.lookup != nil {
					config.Lookup = c.lookup
				}
			})
			var a admitted
			if c.route != "" {
				a = admit(t, c.route)
			}
			_, report, err := c.executor.Send(t.Context(), client, a)
			if s.Connections() != 0 || s.Requests() != 0 {
				t.Errorf("%d connections, %d requests", s.Connections(), s.Requests())
			}
			if report.Attempts != 0 || report.Boundary != NeverConnected || !report.Proof.Valid() {
				t.Errorf("%+v", report)
			}
			if c.code != "" {
				if !isUnsent(err, c.code) {
					t.Errorf("got %v, want %s", err, c.code)
				}
				return
			}
			if r, ok := errors.AsType[*operations.Refusal](err); !ok || r.Code != operations.OriginDenied || r.Route != c.route || r.Operation != "embedding" {
				t.Errorf("got %v, want %s", err, operations.OriginDenied)
			}
		})
	}
}

// C31: a credential goes to its origins and nowhere else.
func TestOrigins(t *testing.T) {
	for _, c := range []struct {
		stated, url string
		want        bool
	}{
		{"https://api.acme.example", "https://api.acme.example/v1", true},
		{"https://api.acme.example", "https://API.Acme.example:443/v1", true},
		{"https://api.acme.example:443", "https://api.acme.example/v1", true},
		{"https://api.acme.example", "https://api.acme.example:8443/v1", false},
		{"https://api.acme.example", "http://api.acme.example/v1", false},
		{"https://api.acme.example", "https://api.acme.example.evil.example/v1", false},
		{"https://api.acme.example", "https://evil.example/https://api.acme.example", false},
	} {
		if got := originOf(c.stated) == originOf(c.url); got != c.want {
			t.Errorf("%s for %s: %v", c.url, c.stated, got)
		}
	}
}

// The first variable that is set holds the credential.
func TestFirstVariableWins(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"BEARER_KEY": "one", "OLD_BEARER_KEY": "two"}, "Bearer one"},
		{map[string]string{"OLD_BEARER_KEY": "two"}, "Bearer two"},
		{map[string]string{"BEARER_KEY": "", "OLD_BEARER_KEY": "two"}, "Bearer two"},
	} {
		s := stub.NewTLS(t, answering("embed-1"))
		client := newClient(t, s, func(config *Config) {
			config.Lookup = func(name string) (string, bool) { v, ok := c.env[name]; return v, ok }
		})
		if _, _, err := send(t.Context(), client, admit(t, "bearer/embed-1")); err != nil || s.Last().Header.Get("Authorization") != c.want {
			t.Errorf("%v: %v, %q", c.env, err, s.Last().Header.Get("Authorization"))
		}
	}
	// Without a Lookup it is the environment, at the call.
	s := stub.NewTLS(t, answering("embed-1"))
	client := newClient(t, s, func(config *Config) { config.Lookup = nil })
	t.Setenv("BEARER_KEY", "from-the-environment")
	if _, _, err := send(t.Context(), client, admit(t, "bearer/embed-1")); err != nil || s.Last().Header.Get("Authorization") != "Bearer from-the-environment" {
		t.Errorf("%v, %q", err, s.Last().Header.Get("Authorization"))
	}
}

// D25: what an answer says about who served it is judged by what the contract
// promises, and reported.
func TestServedModel(t *testing.T) {
	for _, c := range []struct {
		promise, served string
		want            Match
		kind            wire.Kind
	}{
		{"exact", "exact-1", SameModel, ""},
		{"exact", "exact-1-20261014", OtherModel, wire.ModelMismatch},
		{"exact", "exact-2", OtherModel, wire.ModelMismatch},
		{"exact", "", UnnamedModel, wire.ModelUnnamed},
		{"dated", "dated-1", SameModel, ""},
		{"dated", "dated-1-20261014", DatedModel, ""},
		{"dated", "dated-1-2026-10-14", DatedModel, ""},
		{"dated", "dated-1-2610", DatedModel, ""},
		{"dated", "dated-1.1-20261014", OtherModel, wire.ModelMismatch},
		{"dated", "dated-1-mini", OtherModel, wire.ModelMismatch},
		{"dated", "dated-1-2026/10/14", OtherModel, wire.ModelMismatch},
		{"dated", "", UnnamedModel, wire.ModelUnnamed},
		{"resolved", "jev-1.14.0", ResolvedModel, ""},
		{"resolved", "resolved-1", SameModel, ""},
		{"resolved", "", UnnamedModel, wire.ModelUnnamed},
		{"echo", "echo-1", EchoedModel, ""},
		{"echo", "echo-1-20261014", OtherModel, wire.ModelMismatch},
		{"echo", "", UnnamedModel, wire.ModelUnnamed},
		{"absent", "", UnnamedModel, ""},
		{"absent", "absent-1", SameModel, ""},
		{"absent", "another", OtherModel, ""},
		{"", "", UnnamedModel, ""},
		{"", "embed-1", SameModel, ""},
		{"", "embed-1-20261014", DatedModel, ""},
		{"", "another", OtherModel, ""},
	} {
		t.Run(c.promise+" "+c.served, func(t *testing.T) {
			s := stub.New(t, answering(c.served))
			model := "embed-1"
			if c.promise != "" {
				model = c.promise + "-1"
			}
			answer, report, err := send(t.Context(), newClient(t, s), admit(t, "local/"+model))
			if want := (Served{Asked: model, Model: c.served, Match: c.want}); report.Served != want {
				t.Errorf("%+v, want %+v", report.Served, want)
			}
			if c.kind == "" {
				if err != nil || len(answer.Result.Vectors) != 1 {
					t.Errorf("%v, %+v", err, answer)
				}
				return
			}
			f := wantFailure(t, s, report, err, c.kind)
			if len(answer.Result.Vectors) != 0 {
				t.Errorf("an answer came along: %+v", answer)
			}
			if n, ok := f.Usage.Get("input_token"); !ok || n != 3 || f.Status != http.StatusOK || report.Boundary != Complete {
				t.Errorf("what was billed is lost: %+v, %+v", f, report)
			}
		})
	}
}

// A failure that names a model says of it what an answer would: what was cut off,
// refused or misspelt may be another model's too. It stays the failure that it is.
func TestServedModelOfAFailure(t *testing.T) {
	for served, want := range map[string]Match{"dated-1": SameModel, "dated-1-20261014": DatedModel, "dated-2": OtherModel, "": ""} {
		s := stub.New(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Replace(vector(served), "[0.5,0.25]", "[]", 1))
		})
		_, report, err := send(t.Context(), newClient(t, s), admit(t, "local/dated-1"))
		wantFailure(t, s, report, err, wire.Invalid)
		if want := (Served{Asked: "dated-1", Model: served, Match: want}); report.Served != want {
			t.Errorf("%+v, want %+v", report.Served, want)
		}
	}
}
