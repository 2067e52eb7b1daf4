/** The environment that a command asks for: --env, else $LOADFORM_ENV; "" asks for none, undefined for the project's default. */
export function askedEnvironment(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return flag ?? env["LOADFORM_ENV"];
}
