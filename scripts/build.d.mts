/** What is built by itself, and what it is built from: files and folders below the root. */
export const parts: readonly { name: string; inputs: readonly string[] }[]
export function ensureBuilt(): Promise<boolean>
