import { render } from "preact";
import { App } from "./app.tsx";
import { openFile } from "./file.ts";

const root = document.getElementById("app")!;
try {
  const file = openFile((globalThis as { opcatPicker?: unknown }).opcatPicker);
  root.textContent = "";
  render(<App file={file} />, root);
} catch (err) {
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.role = "alert";
  notice.textContent = `Nothing can be picked: ${err instanceof Error ? err.message : String(err)}`;
  root.replaceChildren(notice);
}
