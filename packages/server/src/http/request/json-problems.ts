import type { FieldError } from '../../errors.ts'
import { survivesAsDouble } from '../../model/exact-number.ts'

/** The rest is not named. */
const MAX_PROBLEMS = 10
const MAX_PATH_CHARACTERS = 200

/** What is open around the current place: its current key, or in a list its index. */
type Open = { at: string | number; isList: boolean; awaitsKey: boolean }

/**
 * What in a JSON text differs from what `JSON.parse` makes of it, by path: numbers that a double would change. And what
 * is dangerous to careless code: `__proto__`, and `constructor` with `prototype` in it. The text must be valid JSON.
 * Written by hand and without recursion, because the parser reports neither digits nor places.
 */
export function jsonProblems(text: string): FieldError[] {
  const problems: FieldError[] = []
  const open: Open[] = []
  const report = (message: string) => {
    const path = open.map(({ at }) => at).join('.')
    if (problems.length < MAX_PROBLEMS) problems.push({ path: path.slice(0, MAX_PATH_CHARACTERS), message })
  }
  let index = 0
  while (index < text.length) {
    const character = text[index]!
    const inner = open.at(-1)
    if (character === '"') {
      const end = endOfString(text, index)
      if (inner?.awaitsKey) {
        inner.at = JSON.parse(text.slice(index, end)) as string
        inner.awaitsKey = false
        const isPrototype = inner.at === '__proto__' || (inner.at === 'prototype' && open.at(-2)?.at === 'constructor')
        if (isPrototype) report('is a reserved name: use another')
      }
      index = end
      continue
    }
    if (character === '-' || (character >= '0' && character <= '9')) {
      const token = /[-+.0-9eE]+/y
      token.lastIndex = index
      const [number = character] = token.exec(text) ?? []
      if (!survivesAsDouble(number)) report('is a number that would not be kept as it is: send it as text')
      index += number.length
      continue
    }
    if (character === '{') open.push({ at: '', isList: false, awaitsKey: true })
    else if (character === '[') open.push({ at: 0, isList: true, awaitsKey: false })
    else if (character === '}' || character === ']') open.pop()
    else if (character === ',' && inner?.isList) inner.at = (inner.at as number) + 1
    else if (character === ',' && inner) inner.awaitsKey = true
    index++
  }
  return problems
}

/** After the closing quote. */
function endOfString(text: string, from: number): number {
  for (let index = from + 1; index < text.length; index++) {
    const character = text[index]
    if (character === '"') return index + 1
    if (character === '\\') index++
  }
  return text.length
}
