/** `src/cart.ts:42`, as editors and terminals open it. */
export function placeInFile(file: string, line: number | null): string {
  return line === null ? file : `${file}:${line}`
}
