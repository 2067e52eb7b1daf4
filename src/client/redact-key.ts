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

/** Blots out secrets, each in the spellings in which it may come back, and the lines of those that have several. */
export function secretRedactor(secrets: readonly string[]): (text: string) => string {
  const texts = secrets.flatMap((secret) => [secret, secret.trim(), ...secret.split("\n").filter(isTelling)]);
  const spellings = texts.flatMap((text) => [
    text,
    encodeURIComponent(text),
    new URLSearchParams({ "": text }).toString().slice(1),
    base64(text),
    base64(text).replaceAll("+", "-").replaceAll("/", "_"),
    JSON.stringify(text).slice(1, -1),
  ]);
  const longestFirst = [...new Set(spellings)].filter(({ length }) => length >= 4).sort((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return (text) => text;
  const expression = new RegExp(longestFirst.map(escaped).join("|"), "g");
  return (text) => text.replace(expression, "(sensitive)");
}

/** A line that could be a part of a key, not its frame or an end. */
function isTelling(line: string): boolean {
  return line.length >= 8 && !line.startsWith("-----");
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64").replace(/=+$/, "");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
