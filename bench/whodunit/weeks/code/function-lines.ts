/** How to find a function's lines, whatever was changed since they were imported. */
import type { Language } from '../../../../packages/demo/src/shop/stack-text.ts'
import { capital, type ShopFunction } from './functions.ts'

/** `rows`: reads from the store. `label`: trusts its input. `limit`: arithmetic. `said`: logs. `call`: in the caller. */
export type LineName = 'rows' | 'label' | 'limit' | 'said' | 'call'

/** Stands on exactly one line of the file at every commit. */
export function markerOf({ language, key, name }: ShopFunction, line: LineName): string {
  const assigns = language === 'go' ? ' :=' : ' ='
  const variable = (part: string) => (language === 'python' ? `${key}_${part}` : `${key}${capital(part)}`)
  if (line === 'said') return `${name} read `
  return `${line === 'call' ? key : variable(line)}${assigns}`
}

/** What the limit of a function is computed from when nothing is wrong with it. */
export function soundLimit({ language, key }: ShopFunction, most: number): string {
  const texts: Record<Language, string> = {
    javascript: `Math.min(${key}Rows.length, ${most})`,
    java: `Math.min(${key}Rows.size(), ${most});`,
    python: `min(len(${key}_rows), ${most})`,
    go: `min(len(${key}Rows), ${most})`,
  }
  return texts[language]
}
