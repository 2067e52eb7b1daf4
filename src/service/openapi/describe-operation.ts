import { ownSection } from "../../api/own.ts";
import type { Mounted } from "../core/router.ts";
import { operationIdOf } from "./operation-ids.ts";
import { parameterTexts } from "./parameter-texts.ts";

/** One line about an operation: the route table's, else what its name says. */
export function summarize(mounted: Mounted): string {
  const { alias: _, ...own } = mounted;
  return mounted.route.summary ?? asSentence(operationIdOf(own));
}

/** Description of an operation: its purpose, the decisions about it, its place in the API documents. */
export function describeOperation(mounted: Mounted): string {
  const { alias, key, route } = mounted;
  const sentences = [
    summarize(mounted),
    route.decision,
    alias ? `Another spelling of ${key}` : undefined,
    origin(route.section),
  ];
  return sentences.flatMap((sentence) => (sentence ? [`${sentence.replace(/\.$/, "")}.`] : [])).join(" ");
}

/** Description of a tag, which is a section of the API documents. */
export function describeSection(section: string): string {
  return `${origin(section)}.`;
}

/** Description of a parameter. */
export function describeParameter(name: string, place: "path" | "query"): string {
  const known = parameterTexts[place][name];
  if (known !== undefined) return known;
  return `${capital(words(name.replace(/Id$/, "")))}${name.endsWith("Id") ? ": its id" : ""}`;
}

function origin(section: string): string {
  if (section === ownSection) return "A route of the bundled service itself";
  const [part, ...title] = section.split(" ");
  return `Stated in part ${part} of the API documents, ${title.join(" ")}`;
}

/** `listTestCaseScenarios` as "List test case scenarios". */
function asSentence(name: string): string {
  return capital(words(name));
}

function words(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
