/** Replaces a key in any text, in the spellings in which it may come back: raw, URL-encoded, base64, JSON-escaped. */
export function keyRedactor(key: string): (text: string) => string {
  if (key.length < 4) return (text) => text;
  const spellings = [key, encodeURIComponent(key), base64(key), JSON.stringify(key).slice(1, -1)];
  const pattern = [...new Set(spellings)].map(escaped).join("|");
  // A short key may be an everyday word ("local"): it counts only where it stands alone.
  const whole = key.length < 8 ? `(?<![A-Za-z0-9])(?:${pattern})(?![A-Za-z0-9])` : pattern;
  const expression = new RegExp(whole, "g");
  return (text) => text.replace(expression, "***");
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64").replace(/=+$/, "");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
