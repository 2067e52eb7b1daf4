import {
  type Area,
  type ChartDrawing,
  type ChartSize,
  type ChartSpec,
  describeChart,
  drawChart,
  type Label,
  type Point,
  type Segment,
  type Stroke,
} from "./chart.ts";
import { asHtml } from "./escape-html.ts";
import { formatFigure } from "./figures.ts";

const pageSize: ChartSize = { width: 460, height: 230, text: 11.5 };

/** A chart as a figure of a page, with its title, the key of its lines and a text alternative; `id` is unique in the page. */
export function chartFigure(spec: ChartSpec, id: string, heading: "h2" | "h3" = "h2"): string {
  const alternative = { id, title: spec.title, description: describeChart(spec, formatFigure) };
  return `<figure class="card"><figcaption><${heading}>${asHtml(spec.title)}</${heading}>${key(spec)}</figcaption>
${chartSvg(drawChart(spec, pageSize), alternative)}</figure>`;
}

/** Lines are named where there is more than one: the title names a single one. */
function key({ lines }: ChartSpec): string {
  if (lines.length < 2) return "";
  return lines
    .map(
      (line) =>
        `<span class="key tone-${line.tone}"><i${line.dash ? ` class="${line.dash}"` : ""}></i><b>${asHtml(line.name)}</b></span>`,
    )
    .join("");
}

/** A drawing as inline SVG; colours come from the page's style by class. `title` and `description` are its text alternative. */
function chartSvg(
  drawing: ChartDrawing,
  { id, title, description }: { readonly id: string; readonly title: string; readonly description: string },
): string {
  const { width, height, text, grid, axis, areas, strokes, labels } = drawing;
  return `<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-t ${id}-d" font-size="${text}">
<title id="${id}-t">${asHtml(title)}</title><desc id="${id}-d">${asHtml(description)}</desc>
${grid.map((each) => segment(each, "grid")).join("")}${segment(axis, "axis")}
${areas.map(area).join("")}${strokes.map(stroke).join("")}
${labels.map(label).join("")}
</svg>`;
}

function segment([[x1, y1], [x2, y2]]: Segment, name: string): string {
  return `<line class="${name}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
}

function area({ tone, points }: Area): string {
  return `<path class="area tone-${tone}" d="${path(points)}Z"/>`;
}

function stroke({ tone, dash, points }: Stroke): string {
  const [only, second] = points;
  if (only && second === undefined) return `<circle class="dot tone-${tone}" cx="${only[0]}" cy="${only[1]}" r="2.5"/>`;
  return `<path class="line tone-${tone}${dash ? ` ${dash}` : ""}" d="${path(points)}"/>`;
}

function path(points: readonly Point[]): string {
  return points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
}

function label({ text, at: [x, y], align }: Label): string {
  return `<text x="${x}" y="${y}" text-anchor="${align}">${asHtml(text)}</text>`;
}
