import controls from "../../pictures/page-controls.css?raw" with { type: "text" };
import figures from "../../pictures/page-figures.css?raw" with { type: "text" };
import console from "./console/console.css?raw" with { type: "text" };
import views from "./console/views.css?raw" with { type: "text" };
import { pageStyle } from "./page-style.ts";

/** The rules of the console: those of every page, of figures, and its own. */
export const consoleStyle = pageStyle + figures + controls + console + views;
