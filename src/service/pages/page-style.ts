import bar from "../../pictures/page-bar.css?raw" with { type: "text" };
import base from "../../pictures/page-base.css?raw" with { type: "text" };

/** The rules that the docs and the console share: those of every page, and the bar at its top. */
export const pageStyle = base + bar;
