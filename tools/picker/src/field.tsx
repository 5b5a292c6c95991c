import { useEffect, useRef, useState } from "preact/hooks";

interface Props {
  readonly label: string;
  readonly value: string;
  readonly reads: (text: string) => boolean;
  readonly change: (text: string) => void;
  readonly hint: string;
  readonly before?: string;
  readonly after?: string;
  readonly placeholder?: string;
  readonly list?: string;
  readonly width?: number;
}

/**
 * A field for a number. What is no number is marked as wrong and changes nothing. While somebody types, the text is
 * theirs; afterwards the field shows the value that holds.
 */
export function NumberField({ label, value, reads, change, hint, before, after, placeholder, list, width = 7 }: Props) {
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement !== field.current) setText(value);
  }, [value]);
  const wrong = text.trim() !== "" && !reads(text);
  return (
    <label class="number" title={hint}>
      {before && <span aria-hidden="true">{before}</span>}
      <input ref={field} type="text" inputMode="decimal" autoComplete="off" spellcheck={false} value={text} placeholder={placeholder} list={list} aria-label={label}
        aria-invalid={wrong || undefined} style={{ width: `calc(${width}ch + 1.4rem)` }}
        onInput={(e) => {
          const typed = e.currentTarget.value;
          setText(typed);
          if (typed.trim() === "" || reads(typed)) change(typed.trim());
        }}
        onBlur={() => setText(value)} />
      {after && <span aria-hidden="true">{after}</span>}
      {wrong && <em class="wrong" role="alert">{hint}</em>}
    </label>
  );
}
