/** Short forms that are not the beginning of the long one. */
const SHORT_FORMS: Record<string, string> = { live: 'production', prd: 'production', stage: 'staging', stg: 'staging' }

/** `prod` and `production`, `Staging` and ` staging`, `live`: names that a person would read as one. */
export function isAlike(one: string, other: string): boolean {
  const [a, b] = [one, other].map(bare).map((name) => SHORT_FORMS[name] ?? name) as [string, string]
  if (a === '' || b === '') return false
  return a === b || (Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a)))
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
