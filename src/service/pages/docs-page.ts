import { ownSection } from "../../api/own.ts";
import { shapes } from "../../api/shapes.ts";
import { asHtml } from "../../pictures/escape-html.ts";
import type { Mounted } from "../core/router.ts";
import style from "./docs/docs.css?raw" with { type: "text" };
import script from "./docs/docs.js?raw" with { type: "text" };
import articles from "./docs/docs-articles.css?raw" with { type: "text" };
import first from "./docs/docs-first.css?raw" with { type: "text" };
import type { CurlOptions } from "./docs-example.ts";
import { firstMinutes } from "./docs-first-minutes.ts";
import { routeArticle, shapeArticle } from "./docs-route.ts";
import { pageStyle } from "./page-style.ts";

/** Every route as a page to read and to search; it needs no key and holds no data. */
export function docsPage(mounted: readonly Mounted[], given: Omit<CurlOptions, "base">): string {
  const options = { base: "http://127.0.0.1:8080", ...given };
  const sections = sectionsOf(mounted);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Docs of the bundled service</title>
<link rel="icon" href="data:,">
<style>
${pageStyle}${style}${articles}${first}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar"><p class="brand">loadform <span>docs</span></p><a class="go" href="${asHtml(consoleOf(options))}">Console</a></header>
<div class="columns">
${sideList(sections)}
<main id="content" tabindex="-1">
<h1>The bundled load-testing service</h1>
<p>It is running, in memory, on your machine, and serves this page itself.</p>
${firstMinutes(options)}
<section id="routes"><h2>Routes</h2>
<p>${mounted.filter((each) => !each.alias).length} routes. The same paths answer under <code>/api</code>, every update route answers PUT and PATCH, and what is written is readable at once.
For machines there is <code>/_loadform/openapi.json</code>, with the key.</p></section>
<p id="none" hidden>No route or schema like that. Search for a part of a path, a method, a field or a word of its text.</p>
${sections.map((section) => sectionPart(section, options)).join("\n")}
<section id="shapes" class="shapes"><h2>Schemas</h2><p>The objects of requests and responses. A field without a value is null or absent.</p>
${Object.entries(shapes)
  .map(([name, fields]) => shapeArticle(name, fields))
  .join("\n")}
</section>
</main>
</div>
<script type="module">
${script}</script>
</body>
</html>
`;
}

function consoleOf({ key }: CurlOptions): string {
  return key === undefined ? "console" : `console?key=${encodeURIComponent(key)}`;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly origin: string;
  readonly routes: readonly Mounted[];
}

/** Sections in the order of the route table; their origin is the part of the API documents that states them. */
function sectionsOf(mounted: readonly Mounted[]): readonly Section[] {
  const own = mounted.filter((each) => !each.alias);
  const names = [...new Set(own.map(({ route }) => route.section))];
  return names.map((name) => {
    const isOwn = name === ownSection;
    const [part = "", ...title] = name.split(" ");
    return {
      id: isOwn ? "own" : name.toLowerCase().replace(/[^a-z0-9]+/g, "-"),
      title: isOwn ? "The service's own routes" : capital(title.join(" ").replace(/ \d+$/, "")),
      origin: isOwn ? "clock, faults, state and log" : `API ${part}`,
      routes: own.filter(({ route }) => route.section === name),
    };
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function sideList(sections: readonly Section[]): string {
  const items = sections.map(
    ({ id, title, routes }) => `<li><a href="#${id}">${asHtml(title)} <span>${routes.length}</span></a></li>`,
  );
  return `<nav aria-label="Sections">
<label for="search">Search routes and schemas</label>
<input id="search" type="search" placeholder="path, method, field" autocomplete="off" spellcheck="false">
<p id="found" class="soft" role="status"></p>
<ul class="sections"><li><a href="#first">First two minutes</a></li>${items.join("")}<li><a href="#shapes">Schemas <span>${Object.keys(shapes).length}</span></a></li></ul>
</nav>`;
}

function sectionPart({ id, title, origin, routes }: Section, options: CurlOptions): string {
  return `<section id="${id}" class="routes"><h2>${asHtml(title)} <small>${asHtml(origin)}</small></h2>
${routes.map((each) => routeArticle(each, options)).join("\n")}
</section>`;
}
