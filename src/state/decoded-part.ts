/** A part of an address as it is meant; one with a bare per cent sign stands for itself. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
