package migrate

// quirks writes how a route wants its prompts, and what else is odd about its
// wire. The compatible kind of the chat dialect is one of them (L01).
func (w *writer) quirks() {
	if w.row.Compat {
		at := w.at
		if d := w.row.Table.Get("api_dialect"); d != nil {
			at = d
		}
		w.yesno(w.table(w.contract, "quirks", at), "compat", true, at)
	}
	w.carry(quirks())
}

var quirks = groupOf("quirks", "L44", sameNames(
	"requires_streaming", "requires_completion_tokens", "reserved_tool_call_token", "honors_preserve_thinking_kwarg",
	"prefers_xml_scaffolding", "prefers_markdown_scaffolding", "prefers_role_developer", "prefers_xml_tools",
	"supports_assistant_prefill", "system_message_placement", "server_parser", "honors_chat_template_kwargs",
	"chat_template_options_field", "anthropic_beta_features")...)

func sameNames(names ...string) []string {
	var pairs []string
	for _, name := range names {
		pairs = append(pairs, name, name)
	}
	return pairs
}

// hosted writes what the provider runs on its own side.
func (w *writer) hosted() { w.carry(hostedTools()) }

var hostedTools = groupOf("hosted", "L44", append([]string{"hosted_tools", "tools"}, sameNames("remote_mcp", "conversation_state",
	"compaction", "background_mode", "tool_approval_policy", "computer_use_style", "screenshot_scaling", "safety_ack_flow")...)...)
