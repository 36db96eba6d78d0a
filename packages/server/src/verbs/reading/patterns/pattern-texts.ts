/**
 * The templates of patterns, which are stored as numbers only: each is worked out from a message and kept in memory, so
 * that the next question about the same patterns reads no messages for it. A template is only ever shown beside records
 * that have the pattern now, so nothing that was deleted is revealed; and nothing is written, so a version with other
 * masks begins anew.
 */
import { patternOf } from '../../../analysis/pattern/pattern.ts'
import type { ProjectLogs } from '../../../logstore/log-store.ts'
import type { PatternPlace, PatternSample, Selection } from '../../../logstore/questions.ts'
import type { ProjectId } from '../../../model/project.ts'

/** Of all projects together; at the limit those that were not asked for longest go. A template has some 80 characters. */
const MAX_CHARACTERS = 16_000_000
/** What an entry takes beside its text. */
const ENTRY_CHARACTERS = 100

export class PatternTexts {
  readonly #maxCharacters: number
  /** By project and pattern: what one project's messages say is never told to another. */
  readonly #texts = new Map<string, string>()
  #characters = 0

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters
  }

  get(project: ProjectId, pattern: string): string | undefined {
    const key = `${project} ${pattern}`
    const text = this.#texts.get(key)
    if (text === undefined) return undefined
    this.#texts.delete(key)
    this.#texts.set(key, text)
    return text
  }

  keep(project: ProjectId, pattern: string, text: string): void {
    const key = `${project} ${pattern}`
    this.#drop(key)
    this.#texts.set(key, text)
    this.#characters += text.length + ENTRY_CHARACTERS
    for (const oldest of this.#texts.keys()) {
      if (this.#characters <= this.#maxCharacters) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const text = this.#texts.get(key)
    if (text === undefined) return
    this.#texts.delete(key)
    this.#characters -= text.length + ENTRY_CHARACTERS
  }
}

type ReadTexts = {
  /** By pattern. One whose records went meanwhile is left out. */
  texts: Map<string, string>
  /** By pattern, for those that had to be read. */
  samples: Map<string, PatternSample>
}

export async function readTexts(
  known: PatternTexts,
  logs: Pick<ProjectLogs, 'patternSamples'>,
  project: ProjectId,
  { filter, signal, places }: Omit<Selection, 'range'> & { places: readonly PatternPlace[] },
): Promise<ReadTexts> {
  const texts = new Map<string, string>()
  const unknown: PatternPlace[] = []
  for (const place of places) {
    const text = known.get(project, place.pattern)
    if (text === undefined) unknown.push(place)
    else texts.set(place.pattern, text)
  }
  const samples = new Map<string, PatternSample>()
  const read = unknown.length === 0 ? [] : await logs.patternSamples({ filter, signal }, unknown)
  for (const { pattern, id, message } of read) {
    const { text } = patternOf(message)
    known.keep(project, pattern, text)
    texts.set(pattern, text)
    samples.set(pattern, { id, message })
  }
  return { texts, samples }
}
