/** Every way in which a text could be spelled in an output or a file. */
function spellingsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const html = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  return [
    value,
    bytes.toString("latin1"),
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(JSON.stringify(value)).slice(3, -3),
    encodeURIComponent(value),
    encodeURI(value),
    new URLSearchParams({ "": value }).toString().slice(1),
    ...base64Of(bytes),
    bytes.toString("hex"),
    [...value].reverse().join(""),
    html,
    html.replaceAll("'", "&#39;"),
    value.replaceAll("'", "'\\''"),
    value.replaceAll("'", "''"),
  ];
}

/** Base64 of the bytes at each of the three places in a longer text where they can start. */
function base64Of(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((lead) => {
    const text = Buffer.concat([Buffer.alloc(lead), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const own = text.slice(lead === 0 ? 0 : lead + 1, -1);
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** The secrets that a text holds in any spelling, also broken into lines. */
export function spellingsFound(text: string, secrets: readonly string[]): readonly string[] {
  const joined = text.replace(/\\?\r?\n\s*/g, "");
  return secrets.flatMap((secret) => {
    const found = spellingsOf(secret).find((each) => each.length > 3 && (text.includes(each) || joined.includes(each)));
    return found === undefined ? [] : [`${secret} as ${found}`];
  });
}
