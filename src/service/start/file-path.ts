const mostCharacters = 255;

/**
 * The mistake in the path of a file of a form or a zip; undefined when the file remains within its scenario.
 * API 2, Common parameters: a file name with a path places the file in a subfolder.
 */
export function filePathProblem(path: string): string | undefined {
  const parts = path.split("/");
  const outside = path.includes("\\") || /^[A-Za-z]:/.test(path) || parts.some((part) => /^(\.{0,2}|\s+)$/.test(part));
  if (outside)
    return `found the path ${JSON.stringify(path)}; expected one within the scenario, such as data/users.csv: no empty parts, no .., no backslash or drive`;
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(path) || path !== path.trim())
    return `found the path ${JSON.stringify(path)}; expected characters that can be read, no space around them`;
  return [...path].length > mostCharacters
    ? `found a path of ${[...path].length} characters; expected at most ${mostCharacters}`
    : undefined;
}
