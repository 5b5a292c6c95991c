package parity

import (
	"context"
	"os"
	"strings"
	"testing"
)

// Every form whose tools are here answers every question rightly, and the committed
// scoreboard says so.
func TestEveryFormAnswersAlike(t *testing.T) {
	questions, err := Questions()
	if err != nil {
		t.Fatal(err)
	}
	if len(questions) < 300 {
		t.Errorf("%d questions", len(questions))
	}
	b, err := os.ReadFile("scoreboard.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := Run{Drivers: "drivers"}
	for _, form := range Forms {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			given, err := r.Ask(context.Background(), form, questions)
			if err != nil {
				t.Fatal(err)
			}
			for i := range given {
				if g := &given[i]; g.NotRun == "" && !g.Right() {
					t.Errorf("%s\n asked  %s\n right  %s\n answer %s%s", g.Question.ID, g.Question.Asked, g.Question.Answer, g.Answer, g.Failed)
				}
			}
			s := ScoreOf(form, given)
			_, noDriver := os.Stat(r.driver(form))
			if s.Passed+s.Failed == 0 && (form == "library" || noDriver == nil) {
				missing(t, "%s", s)
			}
			if !strings.Contains("\n"+string(b), "\n"+s.String()+"\n") {
				t.Errorf("parity/scoreboard.txt does not say %q: run `make parity`", s)
			}
		})
	}
}

// missing skips a test whose tools are not here, and fails it in CI: what is not run is
// never a pass.
func missing(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
