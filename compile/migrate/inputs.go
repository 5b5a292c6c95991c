package migrate

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// inputSpellings are the facts of each kind of input, the modern spelling first
// (L14, L15).
var inputSpellings = []struct{ kind, modern, old string }{
	{"image", "vision", "vision_supported"},
	{"audio", "audio", "audio_supported"},
	{"video", "video", "video_supported"},
	{"pdf", "pdf", "pdf_supported"},
}

// takes gives the fact by which a row takes a kind of input; nil if it does not.
func (a *answer) takes(kind string) *tree.Node {
	for _, s := range inputSpellings {
		if s.kind != kind {
			continue
		}
		for _, name := range []string{s.modern, s.old} {
			if n := a.node(name); n.IsTrue() {
				return n
			}
		}
		return nil
	}
	if n := a.node("files_api_supported"); kind == "file_ref" && n.IsTrue() && a.node("file_upload_wire_format") != nil {
		return n
	}
	return nil
}

func (w *writer) inputs() {
	kinds := w.list(w.contract, "input_kinds", w.at)
	w.item(kinds, "text", w.at)
	for _, kind := range []string{"image", "audio", "video", "pdf", "file_ref"} {
		if n := w.takes(kind); n != nil {
			w.item(kinds, kind, n)
		}
	}
	for _, s := range inputSpellings {
		rule := "L15"
		if s.kind == "image" {
			rule = "L14"
		}
		for _, name := range []string{s.modern, s.old} {
			if n := w.node(name); n != nil {
				w.movedBy(rule, n, textOperation+".input_kinds")
			}
		}
	}
	if n := w.node("image_url_input_supported"); n != nil && w.takes("image") != nil {
		w.carry(imageURL())
	}
}

var (
	imageURL   = groupOf("image", "L17", "image_url_input_supported", "remote_url")
	fileUpload = groupOf("files", "L16", "file_upload_wire_format", "wire")
)

// files writes where references to uploaded files are taken (L16).
func (w *writer) files() {
	if n := w.takes("file_ref"); n != nil {
		w.movedBy("L16", n, textOperation+".input_kinds")
		w.carry(fileUpload())
	}
}

func (v *view) judgeInputs() {
	for _, s := range inputSpellings {
		modern, old := v.get(s.modern), v.get(s.old)
		if modern.node != nil && old.node != nil && modern.node.Str() != old.node.Str() {
			v.aliasQuarrel(modern, old, s.modern+" and "+s.old+" are one fact")
		}
	}
	if url := v.get("image_url_input_supported"); url.rule != nil && url.node.IsTrue() {
		for _, name := range []string{"vision", "vision_supported"} {
			if image := v.get(name); image.node.IsFalse() {
				v.quarrel(url, image, diag.Diagnostic{Code: diag.FlagContradicts,
					Message: "remote image URLs are taken and images are not", Allowed: []string{"no image_url_input_supported, or image input"}})
				break
			}
		}
	}
}

// aliasQuarrel reports two spellings of one fact with two values.
func (v *view) aliasQuarrel(a, b given, message string) {
	v.quarrel(a, b, diag.Diagnostic{Code: diag.AliasContradicts, Message: message, Got: spell(a.node) + ", " + spell(b.node),
		Allowed: []string{"one spelling"}, Help: "keep the spelling that is right and remove the other"})
}

func (v *view) missingOfFiles() {
	if v.row != nil && !v.row.Does(textOperation) {
		return
	}
	if g := v.get("files_api_supported"); g.node.IsTrue() && v.node("file_upload_wire_format") == nil {
		v.lacks(g, "file_upload_wire_format", diag.Diagnostic{Code: diag.FilesIncomplete,
			Message: "uploaded files are taken, but nothing says how they are uploaded", Allowed: []string{"file_upload_wire_format"}})
	}
}
