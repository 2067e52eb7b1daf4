const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A text as it is written in HTML, between tags or in a quoted attribute. */
export function asHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => named[character] ?? "");
}

/** Addresses as HTML, whose lines end between their steps rather than within a word. */
export function addressHtml(text: string): string {
  return asHtml(text).replaceAll("/", "/<wbr>");
}
