/**
 * Text that Terraform takes as it is. Terraform reads `${…}` and `%{…}` in every text as a template, which breaks or changes
 * a script in JavaScript; this escapes both. Attributes that hold scripts, files, JSON or keys do so by themselves, unless
 * the value has a reference in it: then wrap the fixed parts, `${literal(before)}${resource.name}${literal(after)}`.
 */
export function literal(text: string): string {
  // Signs before another one, or at the very end, could become a template with what follows them.
  return text.replace(/([$%]+)(\{|$)/g, (_, signs: string, brace: string) => {
    const alone = brace === "" ? signs : signs.slice(0, -1);
    const last = signs.slice(alone.length);
    return `${alone.replace(/./g, (sign) => `\${"${sign}"}`)}${last}${last}${brace}`;
  });
}
