import { elapsed, figure } from "../../../pictures/page-texts.js";

const [width, height, text] = [460, 220, 11.5];
const space = { top: 24, right: 18, bottom: 24 };

/**
 * A chart over the time of a run, drawn as SVG: `lines` are `{ name, tone, values, dashed }`, `at` the seconds of the values,
 * null a gap. What the pointer is over is told below it.
 */
export function chart({ title, unit, lines, at, seconds }) {
  const ticks = valueTicks(Math.max(0, ...lines.flatMap(({ values }) => values.filter((value) => value !== null))));
  const left = text * (0.9 + 0.58 * Math.max(...ticks.map((tick) => figure(tick).length)));
  const x = (second) => left + ((width - left - space.right) * second) / Math.max(1, seconds);
  const y = (value) => height - space.bottom - ((height - space.top - space.bottom) * value) / (ticks.at(-1) ?? 1);
  const last = lines.map((line) => `${line.name} ${readingOf(line.values.findLast((value) => value !== null))}`);
  const svg = node("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "font-size": text });
  svg.setAttribute("aria-label", `${title}, in ${unit}. Last: ${last.join(", ")}.`);
  for (const tick of ticks) {
    const kind = tick === 0 ? "axis" : "grid";
    svg.append(node("line", { class: kind, x1: left, x2: width - space.right, y1: y(tick), y2: y(tick) }));
    svg.append(label(figure(tick), { x: left - 7, y: y(tick) + 4, "text-anchor": "end" }));
  }
  for (const tick of timeTicks(seconds))
    svg.append(label(elapsed(tick), { x: x(tick), y: height - 6, "text-anchor": "middle" }));
  svg.append(label(unit, { x: 0, y: text }));
  svg.append(label("time in min:s", { x: width, y: text, "text-anchor": "end" }));
  for (const line of lines) draw(svg, line, { at, x, y });
  return svg;
}

/** The values of the interval that is nearest to a place on the chart, from 0 at its left to 1, as text. */
export function readingAt({ lines, at, seconds, unit }, share) {
  const second = ((share * width - 40) / (width - 40 - space.right)) * seconds;
  const nearest = at.reduce(
    (best, each, index) => (Math.abs(each - second) < Math.abs(at[best] - second) ? index : best),
    0,
  );
  const values = lines.map(({ name, values }) => `${name} ${readingOf(values[nearest])}`);
  return `At ${elapsed(at[nearest])}: ${values.join(", ")} (${unit})`;
}

function readingOf(value) {
  return value === undefined || value === null ? "–" : figure(value);
}

function draw(svg, { tone, values, dashed, filled }, { at, x, y }) {
  for (const run of unbroken(values, at)) {
    const points = run.map(([second, value]) => `${x(second).toFixed(1)} ${y(value).toFixed(1)}`);
    const [first, last] = [x(run[0][0]), x(run.at(-1)[0])];
    if (run.length === 1)
      svg.append(node("circle", { class: `dot tone-${tone}`, cx: first, cy: y(run[0][1]), r: 2.5 }));
    else svg.append(node("path", { class: `line tone-${tone}${dashed ? " dashed" : ""}`, d: `M${points.join("L")}` }));
    const closed = `M${first} ${y(0)}L${points.join("L")}L${last} ${y(0)}Z`;
    if (filled && run.length > 1) svg.append(node("path", { class: `area tone-${tone}`, d: closed }));
  }
}

function unbroken(values, at) {
  const runs = [[]];
  for (const [index, value] of values.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1).push([at[index], value]);
  }
  return runs.filter((run) => run.length > 0);
}

function node(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

function label(content, attributes) {
  const made = node("text", attributes);
  made.textContent = content;
  return made;
}

/** Round values from 0 to beyond the greatest one, about four steps. */
function valueTicks(greatest) {
  if (!(greatest > 0)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(greatest / 4));
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= greatest / 4) ?? 10);
  return Array.from({ length: Math.ceil(greatest / step - 1e-9) + 1 }, (_, index) =>
    Number((index * step).toPrecision(12)),
  );
}

/** Round moments from the start to the end of a run, at most seven. */
function timeTicks(seconds) {
  const steps = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];
  const step = steps.find((each) => seconds / each <= 6) ?? 86_400 * Math.ceil(seconds / 86_400 / 6);
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => index * step);
}
