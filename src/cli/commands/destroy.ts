/** `loadform destroy`: deletes everything that is bound in the project's state. */
export { apply as destroy } from "./apply.ts";
