import { harmlessText } from '@tidemark/wire/text/stranger-text'

/**
 * Ingested text as an agent may see it: every string and every key inside, at any depth. Plain data only. The record itself
 * stays as it was sent; words that try to instruct are left in, fenced and flagged elsewhere.
 */
export function harmlessDeep<T>(value: T): T {
  if (typeof value === 'string') return harmlessText(value) as T
  if (Array.isArray(value)) return value.map((one) => harmlessDeep(one)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [harmlessText(key), harmlessDeep(one)])) as T
}
