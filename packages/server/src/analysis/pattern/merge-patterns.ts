/**
 * Patterns as people read them. A pattern id masks only what has the form of a value, because it is computed from a
 * single message; here all patterns of a question are seen at once, and a word that differs from one to the next while
 * everything around it is equal is recognised as a value. Pure, and the order of the templates does not matter.
 *
 * The words of this room: a template is a stored pattern, a row its cells, a cell one word, mark or hole; a hole is a
 * placeholder, a place the same cell in all rows of a family, a slot a place where the marks announce a value; a family has
 * templates of one form, a group those of them that are one pattern.
 */
import { joinRows } from './join-rows.ts'
import { type ShortRow, shortRow, shortText, wholeText } from './short-row.ts'
import { FamilySplitter, familiesOf, type Group } from './split-families.ts'
import { TemplateCells } from './template-cells.ts'

type CountedTemplate = { text: string; count: number }

type TemplateGroup = {
  /** With `<*>` for what varies. A template that nothing was merged with keeps its text. */
  text: string
  count: number
  /** Indexes of the templates. Each template is in exactly one pattern. */
  members: readonly number[]
}

/** Most frequent first, then by text. Takes time in proportion to the length of all texts. */
export function mergePatterns(templates: readonly CountedTemplate[]): TemplateGroup[] {
  const table = new TemplateCells(templates.map(({ text }) => text))
  const families = familiesOf(table)
  const splitter = new FamilySplitter(table)
  const found = families.map((family) => splitter.split(family))
  const holdsKnownValue = splitter.learn(found)
  const rows: ShortRow[] = []
  for (let f = 0; f < families.length; f++) {
    // Known values only add evidence, so a family that is one pattern already stays one.
    const isFinal = found[f]!.length === 1 || !families[f]!.some(holdsKnownValue)
    for (const group of isFinal ? found[f]! : splitter.split(families[f]!)) rows.push(shortRow(table, group))
  }
  return joinRows(table, rows).map(toPattern).sort(byCountThenText)

  function toPattern(rows: readonly ShortRow[]): TemplateGroup {
    const { members: own } = rows[0]!.group
    if (rows.length === 1 && own.length === 1) {
      const { text, count } = templates[own[0]!]!
      return { text, count, members: own }
    }
    const members = rows.length === 1 ? own : inOrder(rows.flatMap(({ group }) => group.members))
    return { text: textOf(rows), count: countOf(members), members }
  }

  function textOf(rows: readonly ShortRow[]): string {
    const { group } = rows[0]!
    if (rows.length === 1 && group.varying.length === 0) return templates[leastOf(group)]!.text
    if (rows.length === 1) return wholeText(table, group, leastOf(group), templates)
    // The row that says least has placeholders where the others have words.
    const least = rows.reduce((least, row) => (saysLess(row, least) ? row : least))
    return rows
      .filter((row) => !saysLess(least, row))
      .map((row) => shortText(table, row, leastOf(row.instead?.of ?? row.group), templates))
      .reduce(shorter)
  }

  /** The member whose text is used, because texts with the same cells may differ in white space. */
  function leastOf({ members }: Group): number {
    return members.reduce((least, t) => (templates[t]!.text < templates[least]!.text ? t : least))
  }

  function countOf(members: readonly number[]): number {
    return members.reduce((sum, t) => sum + templates[t]!.count, 0)
  }
}

/** By code units, so that every node has the same order. */
export function byCountThenText(a: CountedTemplate, b: CountedTemplate): number {
  return b.count - a.count || (a.text < b.text ? -1 : a.text === b.text ? 0 : 1)
}

/** Parts of a family are already, unless they were joined. */
function inOrder(members: readonly number[]): readonly number[] {
  return members.every((t, i) => i === 0 || members[i - 1]! < t) ? members : members.toSorted((a, b) => a - b)
}

function saysLess(one: ShortRow, other: ShortRow): boolean {
  return one.words < other.words || (one.words === other.words && one.cells.length < other.cells.length)
}

function shorter(a: string, b: string): string {
  return a.length < b.length || (a.length === b.length && a < b) ? a : b
}
