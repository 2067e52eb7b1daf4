import { parseYaml } from "../../src/yaml/parse-yaml.ts";

/** A YAML text with comments at many places, above lines and behind them, that says the same. */
export function withComments(text: string): string {
  const value = JSON.stringify(parseYaml(text, "").value);
  let lines = text.split("\n");
  const keepIfSame = (next: readonly string[]) => {
    if (JSON.stringify(parseYaml(next.join("\n"), "").value) === value) lines = [...next];
  };
  for (let at = lines.length - 2; at >= 0; at--) {
    const line = lines[at] ?? "";
    const indent = line.slice(0, line.search(/\S|$/));
    if (at % 3 === 0) keepIfSame([...lines.slice(0, at), `${indent}# kept above ${at}`, ...lines.slice(at)]);
    else if (at % 3 === 1) keepIfSame([...lines.slice(0, at), `${line} # kept behind ${at}`, ...lines.slice(at + 1)]);
  }
  return lines.join("\n");
}
