import { useState } from "preact/hooks";
import { type PickerFile, nameOf, providerLabel } from "./file.ts";
import { Text } from "./text.tsx";
import { plural, words } from "./words.ts";

const step = 100;

/** The rows that have no contract. Nothing can be done with them here, so nothing on them can be pressed. */
export function Listed({ file }: { file: PickerFile }) {
  const [open, setOpen] = useState(false);
  const [limit, setLimit] = useState(step);
  if (file.listed.length === 0) return null;
  return (
    <details class="listed" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{plural(file.listed.length, "model")} that cannot be picked: listed, without a contract for any operation</summary>
      {open && (
        <>
          <ul>
            {file.listed.slice(0, limit).map((row) => (
              <li key={row.id}>
                <Text of={nameOf(row)} /> <Text of={row.id} class="id" />
                <span class="as">{providerLabel(file, row.id.slice(0, row.id.indexOf("/")))}{row.listed_as && ` · listed for ${row.listed_as.map(words).join(", ")}`}</span>
              </li>
            ))}
          </ul>
          {file.listed.length > limit && <button type="button" onClick={() => setLimit(limit + step)}>Show more of {file.listed.length}</button>}
        </>
      )}
    </details>
  );
}
