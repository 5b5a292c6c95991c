package accepted

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

// Whatever a publisher signs, a note is refused or says a whole release.
func FuzzReadNote(f *testing.F) {
	secret, public, err := note.GenerateKey(nil, "example.org/catalog")
	if err != nil {
		f.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		f.Fatal(err)
	}
	key, err := note.NewVerifier(public)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("opcat.snapshot@1\nversion 1\npublished 2026-11-01T00:00:00Z\nexpires 2026-12-01T00:00:00Z\nsize 2\n" +
		"sha256 44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a\n")
	f.Add("opcat.snapshot@1\nversion 01\nversion 2\n")
	f.Fuzz(func(t *testing.T, text string) {
		signed, err := note.Sign(&note.Note{Text: text}, signer)
		if err != nil {
			return // not every text can be signed
		}
		r, err := ReadNote(signed, []note.Verifier{key})
		if err == nil && (r.Version < 1 || r.Size < 1 || len(r.SHA256) != 64 || !r.Published.Before(r.Expires)) {
			t.Errorf("%q is read as %+v", text, r)
		}
	})
}

// A record that cannot be relied on is an error, and nothing outside of the store is
// ever named by one.
func FuzzRecord(f *testing.F) {
	f.Add(`{"schema":"opcat.accepted@1","version":2,"above":1,"published":"2026-11-01T00:00:00Z","expires":"2026-12-01T00:00:00Z","digest":"x","sha256":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}`)
	f.Add(`{"sha256":"../../etc"}`)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, recordName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := At(dir).Record()
		if err != nil {
			return
		}
		if filepath.Base(r.text()) != r.text() || filepath.Base(r.index()) != r.index() {
			t.Errorf("%q names %q", text, r.text())
		}
		if _, err := At(dir).Catalog(r); err == nil {
			t.Error("a store without a catalog has one")
		}
	})
}
