/** A sample of the text format of Prometheus. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const line = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;

/** Reads the text format 0.0.4, strictly: every sample below the HELP and TYPE of its family, no series twice, no family twice. */
export function parseExposition(text: string): readonly Sample[] {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const families = text.split(/^(?=# HELP )/m).map(parseFamily);
  const names = families.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new Error("a family is there twice");
  const samples = families.flatMap((family) => family.samples);
  const series = samples.map(({ name, labels }) => JSON.stringify([name, Object.entries(labels).sort()]));
  if (new Set(series).size < series.length) throw new Error("a series is there twice");
  return samples;
}

const head = /^# HELP (\S+) \S.*\n# TYPE (\S+) (counter|gauge|histogram)\n/;

function parseFamily(text: string) {
  const [whole = "", name = "", typed, type] = head.exec(text) ?? [];
  if (name === "" || typed !== name) throw new Error(`a family has no help or no type: ${text.slice(0, 200)}`);
  const suffix = type === "histogram" ? /_(?:bucket|sum|count)$/ : /$^/;
  const lines = text.slice(whole.length).split("\n").filter(Boolean);
  const samples = lines.map(parseSample);
  if (samples.some((each) => each.name.replace(suffix, "") !== name))
    throw new Error(`not all are of ${name}: ${text}`);
  return { name, samples };
}

function parseSample(text: string): Sample {
  const [, name, labels = "", number] = line.exec(text) ?? [];
  const value = Number(number);
  if (name === undefined || Number.isNaN(value)) throw new Error(`not a sample: ${text}`);
  return { name, labels: labelsOf(labels), value };
}

function labelsOf(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ""; ) {
    const [whole, name, value = ""] = label.exec(rest) ?? [];
    if (whole === undefined || name === undefined || name in labels) throw new Error(`no label: ${rest}`);
    labels[name] = value.replace(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
    rest = rest.slice(whole.length);
  }
  return labels;
}
