/** A deep import: undici as a whole takes twice the start-up time of this part. */
declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici";
}
