/**
 * The fenced snippets of the documents people read. The word after the fence is the language; the words after that say
 * what the snippet is: `output` of the snippet before, `record`, `call`, or `not-run reason="…"`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Fence = {
  /** Such as `docs/agents.md:12`. */
  place: string
  language: string
  words: readonly string[]
  /** Why it is not run; undefined when it is. */
  reason: string | undefined
  heading: string
  text: string
  /** The snippet whose output this one is, or undefined. */
  of: Fence | undefined
  /** What the output is said to be. */
  hasOutput: boolean
}

type Document = { name: string; fences: Fence[] }

/** README.md and docs/*.md. Pages made from the source are tested where they are made. */
export function userDocuments(root: string): Document[] {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  return ['README.md', ...pages.map((name) => `docs/${name}`)]
    .map((name) => ({ name, markdown: readFileSync(join(root, name), 'utf8') }))
    .filter(({ markdown }) => !markdown.startsWith('<!-- Generated'))
    .map(({ name, markdown }) => ({ name, fences: fencesIn(name, markdown) }))
}

export function fencesIn(name: string, markdown: string): Fence[] {
  const fences: Fence[] = []
  let open: { fence: Fence; closing: string; indent: number; lines: string[] } | undefined
  let heading = ''
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open) {
      if (line.trim() === open.closing) {
        fences.push({ ...open.fence, text: open.lines.join('\n') })
        open = undefined
      } else open.lines.push(line.slice(Math.min(open.indent, line.length - line.trimStart().length)))
      continue
    }
    heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading
    const [, indent = '', closing = '', info] = /^(\s*)(`{3,})(.*)$/.exec(line) ?? []
    if (info === undefined) continue
    const fence = {
      ...readInfo(info),
      place: `${name}:${index + 1}`,
      heading,
      text: '',
      of: undefined,
      hasOutput: false,
    }
    open = { fence, closing, indent: indent.length, lines: [] }
  }
  if (open) throw new Error(`${open.fence.place}: the fence does not end.`)
  return withOutputs(fences)
}

function readInfo(info: string): Pick<Fence, 'language' | 'words' | 'reason'> {
  const [, before = '', reason] = /^(.*?)(?:\sreason="([^"]*)")?\s*$/.exec(info) ?? []
  const [language = '', ...words] = before.trim().split(/\s+/)
  return { language, words, reason: words.includes('not-run') ? (reason ?? '') : undefined }
}

function withOutputs(fences: readonly Fence[]): Fence[] {
  return fences.map((fence, index) => ({
    ...fence,
    of: fence.words.includes('output') ? fences[index - 1] : undefined,
    hasOutput: fences[index + 1]?.words.includes('output') ?? false,
  }))
}
