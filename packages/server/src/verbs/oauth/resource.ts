/** Whether a client means what we give keys for (RFC 8707), however the address is written. */
export function isResource(given: string | null | undefined, resource: string): boolean {
  return given != null && URL.canParse(given) && new URL(given).href === new URL(resource).href
}
