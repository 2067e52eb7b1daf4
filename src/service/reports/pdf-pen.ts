/** A document of pdfkit. Only its type is used in this room, so that the library is loaded only where a PDF is made. */
export type PdfDocument = PDFKit.PDFDocument;

/** A page's edges, in points; the height leaves room for the foot. */
export const sheet = { left: 42, right: 553, top: 46, bottom: 778, foot: 800 } as const;

export const inks = {
  ink: "#161a20",
  soft: "#555d6b",
  line: "#dfe3e9",
  passed: "#116b3a",
  failed: "#ab231c",
  open: "#2351c0",
  users: "#3461d1",
  requests: "#0b7a75",
  middle: "#6b4fc4",
  high: "#b9520b",
  highest: "#8c2f6b",
  failures: "#c8322b",
} as const;

/** Size, ink, weight and alignment of a text. */
export interface TextStyle {
  readonly size: number;
  readonly ink?: keyof typeof inks;
  readonly bold?: boolean;
  readonly align?: "left" | "right" | "center";
}

/** One line of text in a box of a width, cut with an ellipsis where it is longer; `at` is its upper left corner. */
export function writeLine(
  pdf: PdfDocument,
  text: string,
  {
    at: [x, y],
    width,
    style,
  }: { readonly at: readonly [number, number]; readonly width: number; readonly style: TextStyle },
): void {
  const { size, ink = "ink", bold = false, align = "left" } = style;
  pdf
    .font(bold ? "Helvetica-Bold" : "Helvetica")
    .fontSize(size)
    .fillColor(inks[ink]);
  pdf.text(cut(pdf, printable(text), width), x, y, { width: width + 1, align, lineBreak: false });
}

/** The text as the built-in fonts can show it: control characters and what they have no letter for become "?". */
export function printable(text: string): string {
  return [...text.normalize("NFC").replace(/[−–—]/g, "-").replace(/\s+/g, " ")]
    .map((letter) => (/^[ -~\u00a1-\u00ac\u00ae-\u00ff]$/.test(letter) ? letter : "?"))
    .join("");
}

function cut(pdf: PdfDocument, text: string, width: number): string {
  if (pdf.widthOfString(text) <= width) return text;
  let [shortest, longest] = [0, text.length];
  while (shortest < longest) {
    const middle = Math.ceil((shortest + longest) / 2);
    if (pdf.widthOfString(`${text.slice(0, middle)}...`) <= width) shortest = middle;
    else longest = middle - 1;
  }
  return `${text.slice(0, shortest).trimEnd()}...`;
}
