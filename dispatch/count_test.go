package dispatch

import (
	"errors"
	"io"
	"math/big"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/stub"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// nobody answers each request with a failure: what counts here is what arrives.
func nobody(t testing.TB, serve func(testing.TB, http.HandlerFunc) *stub.Server) *stub.Server {
	return serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, `{"error":{"message":"nobody is here"}}`)
	})
}

// home is the stub that a URL's scheme leads to.
type home struct{ secure, plain *stub.Server }

func (h home) of(url string) *stub.Server {
	if strings.HasPrefix(url, "http://") {
		return h.plain
	}
	return h.secure
}

func (h home) requests() int    { return h.secure.Requests() + h.plain.Requests() }
func (h home) connections() int { return h.secure.Connections() + h.plain.Connections() }

// isSent reports whether a call was let out, to whatever end. What was not is a
// refusal, a wrong request, or something that has no codec or cannot be signed.
func isSent(err error) bool {
	_, failed := errors.AsType[*wire.Failure](err)
	return err == nil || failed
}

// Every bundled row is asked to perform each operation that it has a contract for, and
// one row in five each of the others. One without a contract opens no connection; one that is admitted sends exactly one request,
// for the model that was meant, over one connection: each call has to connect anew.
func TestEveryRouteAndOperation(t *testing.T) {
	c := bundled(t)
	h := home{nobody(t, stub.NewTLS), nobody(t, stub.New)}
	clients := map[*stub.Server]*Client{h.secure: newClient(t, h.secure), h.plain: newClient(t, h.plain)}
	sent, refused, nth := 0, 0, 0
	for row := range c.Rows() {
		nth++
		provider, _ := c.Provider(row.Provider)
		terms := fitting(&provider, &row)
		for i, m := range members {
			contract, own := row.Contract(m.op.Name)
			if !own && (nth+i)%5 != 0 {
				continue
			}
			var wishes []wish
			if own {
				wishes = demanded(contract.Settings)
			}
			it, err := m.encode(c, row.ID, terms, nil, wishes...)
			if err != nil {
				it.url = "https://"
			}
			client := clients[h.of(it.url)]
			requests, connections := h.requests(), h.connections()
			report, err := m.send(t.Context(), client, c, row.ID, terms, wishes...)
			client.Close()
			requests, connections = h.requests()-requests, h.connections()-connections
			switch {
			case !own && (isSent(err) || requests+connections > 0):
				t.Errorf("%s cannot do %s, and %d requests over %d connections were made: %v", row.ID, m.op.Name, requests, connections, err)
			case isSent(err) && (requests != 1 || connections != 1 || report.Attempts != 1):
				t.Errorf("%s for %s: %d requests, %d connections, %+v", row.ID, m.op.Name, requests, connections, report)
			case !isSent(err) && (requests+connections > 0 || report.Attempts != 0 || !report.Proof.Valid()):
				t.Errorf("%s for %s is refused, and %d requests over %d connections were made: %v", row.ID, m.op.Name, requests, connections, err)
			case isSent(err):
				sent++
				if r := h.of(it.url).Last(); string(r.Body) != string(it.body) || !strings.HasSuffix(it.url, r.Host+r.URI) {
					t.Errorf("%s for %s: %s%s got %s, want %s at %s", row.ID, m.op.Name, r.Host, r.URI, r.Body, it.body, it.url)
				}
			default:
				refused++
			}
		}
	}
	t.Logf("%d sent, %d refused", sent, refused)
	if sent < 300 || refused < 1000 {
		t.Errorf("%d sent, %d refused: that is not the bundled catalog", sent, refused)
	}
}

// Each bundled route is asked for one thing that it does not take: a setting that
// its contract does not name or refuses, another operation, another model's name.
// Nothing of it opens a connection.
func TestForbiddenReachesNobody(t *testing.T) {
	c := bundled(t)
	s := nobody(t, stub.NewTLS1)
	client := newClient(t, s)
	tried := 0
	ask := func(route string, m member, terms operations.Terms, wishes ...wish) {
		tried++
		_, err := m.send(t.Context(), client, c, route, terms, wishes...)
		if n := s.Requests(); n > 0 || s.Connections() > 0 || isSent(err) {
			t.Fatalf("%s for %s with %v is forbidden, and %d requests were sent: %v", route, m.op.Name, wishes, n, err)
		}
	}
	for row := range c.Rows() {
		provider, _ := c.Provider(row.Provider)
		terms := fitting(&provider, &row)
		for _, m := range members {
			contract, own := row.Contract(m.op.Name)
			if !own {
				ask(row.ID, m, terms)
				continue
			}
			wishes := demanded(contract.Settings)
			ask(row.ID+"-unserved", m, terms, wishes...)
			for _, setting := range m.op.Settings {
				w := wish{setting.Name, values(setting)[0]}
				if s, named := contract.Settings.Setting(w.name); w.name == "max_output_tokens" || w.name == "dimensions" || w.name == "element_type" || named && s.Word != "refused" {
					continue
				}
				ask(row.ID, m, terms, append(wishes, w)...)
				break
			}
		}
	}
	if tried < 3000 {
		t.Errorf("only %d requests were tried", tried)
	}
}

// demanded are the settings without which a contract takes no request.
func demanded(s *catalog.Settings) []wish {
	var w []wish
	if s == nil {
		return nil
	}
	for _, x := range s.Named {
		for _, r := range x.Rules {
			if r.Required.Or(false) && len(r.Values) > 0 && r.When == nil {
				w = append(w, wish{x.Name, r.Values[0].String()})
			}
		}
	}
	return w
}

// random is a request that nobody would think of: any row, any operation, any
// settings, half of them with values that the contract speaks of.
func random(r *rand.Rand, rows []catalog.Row) (catalog.Row, member, []wish) {
	row := rows[r.IntN(len(rows))]
	m := members[r.IntN(len(members))]
	if len(row.Contracts) > 0 && r.IntN(4) > 0 {
		name := row.Contracts[r.IntN(len(row.Contracts))].Operation
		m = members[slices.IndexFunc(members, func(m member) bool { return m.op.Name == name })]
	}
	contract, _ := row.Contract(m.op.Name)
	wishes := demanded(contract.Settings)
	for range r.IntN(4) {
		if len(m.op.Settings) == 0 {
			break
		}
		s := m.op.Settings[r.IntN(len(m.op.Settings))]
		value := anyValue(r, s)
		if contract.Settings != nil && len(contract.Settings.Named) > 0 && r.IntN(3) > 0 {
			named := contract.Settings.Named[r.IntN(len(contract.Settings.Named))]
			s = m.op.Settings[slices.IndexFunc(m.op.Settings, func(o op.Setting) bool { return o.Name == named.Name })]
			value = anyValue(r, s)
			if len(named.Rules) > 0 && r.IntN(4) > 0 {
				rule := named.Rules[r.IntN(len(named.Rules))]
				switch {
				case len(rule.Values) > 0:
					value = rule.Values[r.IntN(len(rule.Values))].String()
				case rule.Max.IsKnown():
					value = string(rule.Max)
				}
			}
		}
		if !slices.ContainsFunc(wishes, func(w wish) bool { return w.name == s.Name }) {
			wishes = append(wishes, wish{s.Name, value})
		}
	}
	return row, m, wishes
}

func anyValue(r *rand.Rand, s op.Setting) string {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	switch {
	case s.Name == "response_schema":
		return "true"
	case s.Kind == shape.Enum:
		return pick(s.Values...)
	case s.Kind == shape.Bool:
		return pick("true", "false")
	case s.Kind == shape.Number:
		return pick("0", "0.5", "1", "1.5", "2", "-1", "3")
	case s.Kind == shape.Count:
		return pick("1", "2", "16", "256", "1024", "100000000")
	}
	return pick("1", "2", "5")
}

// forbidden is what any reader of the catalog would refuse: no contract, a setting
// that the contract does not name or refuses, a value outside of a plain rule, two
// settings that exclude each other. It says nothing of what is left.
func forbidden(row *catalog.Row, m member, wishes []wish) string {
	contract, ok := row.Contract(m.op.Name)
	if !ok {
		return "no contract"
	}
	asked := func(name string) bool {
		return slices.ContainsFunc(wishes, func(w wish) bool { return w.name == name })
	}
	for _, w := range wishes {
		s, named := contract.Settings.Setting(w.name)
		switch {
		case w.name == "dimensions" || w.name == "element_type" || w.name == "max_output_tokens": // facts of their own speak for them
		case !named:
			return w.name + " is not named"
		case s.Word == "refused":
			return w.name + " is refused"
		case len(s.Rules) == 1 && s.Rules[0].When == nil && !within(s.Rules[0], w.value):
			return w.name + " = " + w.value + " breaks its rule"
		}
	}
	if contract.Settings != nil {
		for _, group := range contract.Settings.Exclusive {
			n := 0
			for _, name := range group {
				if asked(name) {
					n++
				}
			}
			if n > 1 {
				return strings.Join(group, " and ") + " exclude each other"
			}
		}
	}
	return ""
}

func within(r catalog.SettingRule, value string) bool {
	if len(r.Values) > 0 {
		return slices.ContainsFunc(r.Values, func(v catalog.Value) bool { return v.String() == value })
	}
	n, ok := new(big.Rat).SetString(value)
	return (!r.Min.IsKnown() || ok && n.Cmp(r.Min.Rat()) >= 0) && (!r.Max.IsKnown() || ok && n.Cmp(r.Max.Rat()) <= 0)
}

// Of random requests, what is forbidden reaches nobody, and what is allowed is
// exactly one request whose body carries each setting that was admitted and no
// other.
func TestRandomRequests(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 10_000
	}
	c := bundled(t)
	h := home{nobody(t, stub.NewTLS1), nobody(t, stub.New)}
	h.secure.Forget()
	h.plain.Forget()
	clients := map[*stub.Server]*Client{h.secure: newClient(t, h.secure), h.plain: newClient(t, h.plain)}
	rows := slices.Collect(c.Rows())
	r := rand.New(rand.NewPCG(4, 5))
	terms := map[string]operations.Terms{}
	sent, carried := 0, 0
	for range n {
		row, m, wishes := random(r, rows)
		with, ok := terms[row.ID]
		if !ok {
			p, _ := c.Provider(row.Provider)
			with = fitting(&p, &row)
			terms[row.ID] = with
		}
		it, err := m.encode(c, row.ID, with, nil, wishes...)
		why := forbidden(&row, m, wishes)
		if err != nil && why == "" && !errors.As(err, new(*operations.Refusal)) && !errors.Is(err, errNoCodecYet) {
			why = err.Error() // the request itself is wrong
		}
		requests, connections := h.requests(), h.connections()
		report, err := m.send(t.Context(), clients[h.of(it.url)], c, row.ID, with, wishes...)
		requests, connections = h.requests()-requests, h.connections()-connections
		switch {
		case why != "" && (isSent(err) || requests+connections > 0):
			t.Fatalf("%s for %s with %v is forbidden (%s), and %d requests were sent: %v", row.ID, m.op.Name, wishes, why, requests, err)
		case !isSent(err):
			if requests+connections > 0 || report.Attempts != 0 {
				t.Fatalf("%s for %s with %v is refused, and %d requests were sent: %v", row.ID, m.op.Name, wishes, requests, err)
			}
			continue
		case requests != 1 || connections > 1 || report.Attempts != 1:
			t.Fatalf("%s for %s with %v: %d requests, %d connections, %+v", row.ID, m.op.Name, wishes, requests, connections, report)
		}
		sent++
		if body := h.of(it.url).Last().Body; string(body) != string(it.body) {
			t.Fatalf("%s for %s with %v was sent as %s, and admitted as %s", row.ID, m.op.Name, wishes, body, it.body)
		}
		carried += carries(t, c, row.ID, m, with, it, wishes)
		if t.Failed() {
			t.Fatalf("%s for %s with %v: %s", row.ID, m.op.Name, wishes, it.body)
		}
	}
	t.Logf("%d of %d sent, with %d settings", sent, n, carried)
	if sent < n/20 || carried < n/20 {
		t.Errorf("only %d requests were sent, with %d settings", sent, carried)
	}
}

// carries checks that the body has a place with each setting that was admitted,
// and that it differs from the same request without any in no other place. It
// gives how many settings there are.
func carries(t *testing.T, c *catalog.Catalog, route string, m member, terms operations.Terms, it try, wishes []wish) int {
	t.Helper()
	if places[it.protocol] == nil {
		t.Errorf("the test does not know where %s has its settings", it.protocol)
	}
	body, err := leaves(it.body)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range it.settings {
		names = append(names, s.Name)
		found := false
		for path := range body {
			found = found || place(it.protocol, s.Name, path)
		}
		if !found {
			t.Errorf("%s was admitted and is not in the body", s.Name)
		}
	}
	for _, w := range wishes {
		if !slices.Contains(names, w.name) {
			t.Errorf("%s was asked for and is not among what was admitted", w.name)
		}
	}
	bare, err := m.encode(c, route, terms, names)
	if err == nil && bare.protocol == it.protocol { // else a setting is demanded, or chooses the wire
		onlyIn(t, bare, it, names...)
	}
	return len(names)
}
