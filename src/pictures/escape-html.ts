const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A text as it is written in HTML, between tags or in a quoted attribute. */
export function asHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => named[character] ?? "");
}
