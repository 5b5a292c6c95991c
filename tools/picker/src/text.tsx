import { visible } from "./words.ts";

/** A text of the catalog by itself, so that its writing direction turns nothing around it. */
export function Text({ of, class: name }: { of: string; class?: string }) {
  return <bdi class={name}>{visible(of)}</bdi>;
}

/** Where something is stated: a link where it is a page, else its name. */
export function Source({ of }: { of: string }) {
  if (!/^https:\/\//.test(of)) return <Text of={of} class="id" />;
  return <a href={of} rel="noopener noreferrer" target="_blank"><Text of={hostOf(of)} /><span class="sr"> (opens in a new tab)</span></a>;
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
