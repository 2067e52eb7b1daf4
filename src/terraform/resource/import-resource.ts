import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { ImportedResources } from "../provider-session.ts";
import { idIn, sparseState } from "../values/resource-type.ts";
import { errorAt } from "./provider-problem.ts";

/** The beginning of a state: the id alone. Terraform reads it next. */
export function importResource(resource: ResourceSchema, id: string): ImportedResources {
  const text = id.trim();
  if (idIn(text) === undefined) {
    const detail = `"${id}" is not an id of the service, which is a whole number such as 7`;
    return { imported: [], diagnostics: [errorAt(undefined, `${resource.type} is imported by its id`, detail)] };
  }
  const state = sparseState(resource, { id: text });
  return { imported: [{ type: resource.type, state, private: new Uint8Array() }], diagnostics: [] };
}
