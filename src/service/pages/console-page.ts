import { asHtml } from "../../pictures/escape-html.ts";
import dom from "../../pictures/page-dom.js?raw" with { type: "text" };
import { pageScript } from "../../pictures/page-frame.ts";
import texts from "../../pictures/page-texts.js?raw" with { type: "text" };
import api from "./console/api.js?raw" with { type: "text" };
import chart from "./console/chart.js?raw" with { type: "text" };
import clockView from "./console/clock-view.js?raw" with { type: "text" };
import faultsView from "./console/faults-view.js?raw" with { type: "text" };
import main from "./console/main.js?raw" with { type: "text" };
import notices from "./console/notices.js?raw" with { type: "text" };
import objectsView from "./console/objects-view.js?raw" with { type: "text" };
import page from "./console/page.html?raw" with { type: "text" };
import requestsView from "./console/requests-view.js?raw" with { type: "text" };
import runActions from "./console/run-actions.js?raw" with { type: "text" };
import runFigures from "./console/run-figures.js?raw" with { type: "text" };
import runView from "./console/run-view.js?raw" with { type: "text" };
import runsView from "./console/runs-view.js?raw" with { type: "text" };
import { consoleStyle } from "./console-style.ts";

/** Those that others import come first. */
const modules = [
  api,
  texts,
  dom,
  notices,
  chart,
  runFigures,
  clockView,
  objectsView,
  runActions,
  runView,
  runsView,
  faultsView,
  requestsView,
  main,
];

/** The console: one static page with all that it needs, and no data. It sends its key in the service's own header. */
export function consolePage(authHeader: string): string {
  return page
    .replace('content="X-Api-Key"', () => `content="${asHtml(authHeader)}"`)
    .replace("/* style */", () => consoleStyle)
    .replace("/* script */", () => pageScript(modules));
}
