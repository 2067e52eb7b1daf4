/** What a terminal shows as an SVG: real text on a card of its own, so that it reads the same in dark and light pages. */
export function drawTerminal(title: string, output: string): string {
  const lines = output.trimEnd().split("\n");
  const height = top + lines.length * leading + 16;
  const rows = lines.map((line, index) => rowOf(line, top + (index + 0.75) * leading));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="${colours.ground}" stroke="${colours.edge}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="${colours.text}">
${rows.join("\n")}
</g>
</svg>
`;
}

const width = 1000;
const top = 16;
const leading = 19;

/** Each has a contrast of at least 4.5 to the ground. */
const colours = {
  ground: "#161b22",
  edge: "#6e7681",
  text: "#e6edf3",
  dim: "#9aa4af",
  red: "#ff8b82",
  green: "#56d364",
  yellow: "#e3b341",
  cyan: "#76d9e6",
} as const;

type Style = Readonly<{ fill?: string; bold?: boolean }>;

/** The codes that the palette of the command line writes. */
const styles: Readonly<Record<string, Style>> = {
  "1": { bold: true },
  "2": { fill: colours.dim },
  "31": { fill: colours.red },
  "32": { fill: colours.green },
  "33": { fill: colours.yellow },
  "36": { fill: colours.cyan },
};

/** Ends of what a code began. */
const ends: Readonly<Record<string, readonly (keyof Style)[]>> = { "22": ["bold", "fill"], "39": ["fill"] };

/** What begins a code for a colour. */
const codeStart = "\u001b[";

function rowOf(line: string, y: number): string {
  let style: Style = {};
  const spans = line.split(codeStart).flatMap((part, index) => {
    const [code] = index === 0 ? [] : (/^\d+(?=m)/.exec(part) ?? []);
    if (code !== undefined) style = styleAfter(code, style);
    const text = code === undefined ? part : part.slice(code.length + 1);
    return text === "" ? [] : [spanOf(text, style)];
  });
  return `<text x="16" y="${y}">${spans.join("")}</text>`;
}

function styleAfter(code: string, style: Style): Style {
  const ended = ends[code];
  const begun = styles[code];
  if (begun) return { ...style, ...begun };
  if (ended === undefined) throw new Error(`no colour is known for code ${code}`);
  return Object.fromEntries(Object.entries(style).filter(([name]) => !ended.includes(name as keyof Style)));
}

function spanOf(text: string, { fill, bold }: Style): string {
  if (fill === undefined && !bold) return escaped(text);
  const colour = fill === undefined ? "" : ` fill="${fill}"`;
  return `<tspan${colour}${bold ? ' font-weight="bold"' : ""}>${escaped(text)}</tspan>`;
}

/** Blanks do not break, for renderers collapse others. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(" ", "\u00a0");
}
