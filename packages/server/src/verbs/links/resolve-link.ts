/**
 * What a pasted text is in the caller's project: an address of the dashboard, an id, a revision, a trace, a frame, an
 * error or a line of a log. Nothing is fetched, and of another project nothing is said, not even whether it exists.
 */

import { type ProjectPage, readAddress } from '@tidemark/wire/dashboard/address'
import { printExpression } from '@tidemark/wire/query/print'
import type { LinkAnswer, LinkInput, LinkPage, LinkReading, LinkTarget } from '@tidemark/wire/reading/link'
import { counted } from '@tidemark/wire/text/counted'
import { awayWords } from '../../analysis/words.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import { isStorable, NOT_STORABLE } from '../../model/storable-text.ts'
import { requireReader } from '../access.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { findAtPlace, findByStack, findByText, phrase } from './find-errors.ts'
import { type Asked, findByIds, findNamed, RECENT_DAYS } from './find-named.ts'
import { pageOfAddress } from './page-of-address.ts'
import { idsIn, isSameHost, messagesIn, nameIn, placeIn, revisionIn, urlIn, withoutWrapping } from './parse-pasted.ts'

const WITHOUT_RECORDS = awayWords('records may be missing here')

type Answer = Omit<LinkAnswer, 'warnings'> & { warnings?: string[] }

export async function resolveLink(
  parts: ReadingParts,
  caller: Caller,
  { ref }: LinkInput,
  signal?: AbortSignal,
): Promise<LinkAnswer> {
  const project = requireReader(caller)
  const text = withoutWrapping(ref)
  if (text === '') throw badRef('Nothing was pasted: give an address, an id, a sha, a frame or a line of a log.')
  if (!isStorable(text)) throw badRef(`The text ${NOT_STORABLE}: remove it.`)
  const asked: Asked = { parts, project, signal, isIncomplete: false }
  const { warnings = [], ...answer } = await answerTo(asked, text)
  const messages = asked.isIncomplete ? [...warnings, WITHOUT_RECORDS] : warnings
  return { ...answer, warnings: messages.map((message) => ({ message })) }
}

async function answerTo(asked: Asked, text: string): Promise<Answer> {
  const url = urlIn(text, asked.parts.publicUrl)
  if (url !== null) return answerToAddress(asked, url)
  const ids = idsIn(text)
  if (ids.length > 0) return answerToIds(asked, ids)
  const name = nameIn(text)
  const named = name === null ? [] : await findNamed(asked, name)
  if (named.length > 0) return several('name', named, 'has this name')
  const stacked = text.includes('\n') ? await findByStack(asked, text) : []
  if (stacked.length > 0) return several('stack', stacked, 'has this stack')
  const place = placeIn(text)
  if (place !== null) {
    const { found, exact } = await findAtPlace(asked, place)
    if (found.length > 0) return several('frame', found, exact ? 'has this place' : 'has this file, not this line,')
  }
  return answerToText(asked, text, place !== null)
}

/** An address that names the caller's own project is of this service, whatever name the service was reached by. */
async function answerToAddress(asked: Asked, url: URL): Promise<Answer> {
  const { parts, project } = asked
  const address = readAddress(url.pathname, url.search)
  if (address?.projectId === project.id) return answerToPage(asked, address.page)
  if (isSameHost(url, parts.publicUrl)) return address === null ? noPage() : otherProject()
  const revision = revisionIn(url)
  const found = [...(await findNamed(asked, url.href)), ...(revision === null ? [] : await findNamed(asked, revision))]
  if (found.length > 0) return several('name', found, 'has this address or revision')
  return {
    ...nothing('elsewhere'),
    explanation:
      'This is an address of another host. Nothing is ever fetched: paste an id, a sha or a line that it shows.',
  }
}

async function answerToPage(asked: Asked, projectPage: ProjectPage | null): Promise<Answer> {
  if (projectPage === null) return noPage()
  const { page, ids, leftOut } = pageOfAddress(projectPage)
  const found = await findByIds(asked, ids.flatMap(idsIn))
  const began = page.introducedBy === undefined ? [] : await findByIds(asked, idsIn(page.introducedBy))
  const compared = page.compare === undefined ? [] : await findByIds(asked, idsIn(page.compare))
  const unknown = [
    ...(page.introducedBy !== undefined && began.length === 0 ? ['introducedBy'] : []),
    ...(page.compare !== undefined && page.compare !== 'off' && compared.length === 0 ? ['compare'] : []),
  ]
  const kept = Object.fromEntries(Object.entries(page).filter(([name]) => !unknown.includes(name))) as LinkPage
  const names = [...leftOut, ...unknown]
  return {
    ...nothing('page'),
    page: kept,
    found,
    explanation: `${PAGE_WORDS[page.name]}${ids.length > 0 && found.length === 0 ? ` ${NOT_THERE}` : ''}`,
    warnings: names.length === 0 ? [] : [`Left out of the address, for it means nothing here: ${names.join(', ')}.`],
  }
}

async function answerToIds(asked: Asked, ids: readonly string[]): Promise<Answer> {
  const things = ids.filter((id) => !id.startsWith('prj_'))
  if (things.length === 0) {
    if (!ids.includes(asked.project.id)) return otherProject()
    return { ...nothing('page'), page: { name: 'overview' }, explanation: 'This is the project that this key reads.' }
  }
  const found = await findByIds(asked, things)
  if (found.length > 0) return several('id', found, 'has one of these ids')
  return { ...nothing('id'), explanation: NOT_THERE }
}

async function answerToText(asked: Asked, text: string, isPlace: boolean): Promise<Answer> {
  const found = await findByText(asked, text)
  if (found.length > 0) return several('text', found, 'says this')
  const root = phrase(messagesIn(text)[0] ?? '')
  return {
    ...nothing(isPlace ? 'frame' : 'text'),
    query: root === null ? null : printExpression(root),
    explanation: `No analysis ${isPlace ? 'has this place in its stack' : 'has these words'}, and no record of the last ${RECENT_DAYS} days says this.`,
  }
}

const NOT_THERE = 'This project has nothing with that id. A record may have passed its retention.'

const PAGE_WORDS: Record<LinkPage['name'], string> = {
  overview: 'This is the overview of this project.',
  logs: 'This is the logs page of this project.',
  patterns: 'This is the page of message patterns of this project.',
  groups: 'This is the page of records in groups of this project.',
  analyses: 'This is the list of analyses of this project.',
  analysis: 'This is the page of an analysis.',
  deploys: 'This is the list of deploys of this project.',
  deploy: 'This is the page of a deploy.',
  settings: 'This is a page of settings, which only people see: agents read records, analyses and deploys.',
}

function several(readAs: LinkReading, found: LinkTarget[], claim: string): Answer {
  const kinds = [...new Set(found.map(({ kind }) => kind))]
  const [kind = 'record'] = kinds
  const pair = found.length === 2 ? PAIR_WORDS.get(kinds.join(' ')) : undefined
  const explanation =
    found.length === 1
      ? `This is ${ONE_WORDS[kind]}.`
      : pair !== undefined
        ? pair
        : kinds.length === 1
          ? `This may mean ${counted(found.length, kind, PLURALS[kind])}: each ${claim}.`
          : `This may mean ${counted(found.length, 'thing')}, the likeliest first.`
  return { ...nothing(readAs), found, explanation }
}

const ONE_WORDS: Record<LinkTarget['kind'], string> = {
  record: 'a record',
  analysis: 'an analysis',
  deploy: 'a deploy',
  commit: 'a commit of the connected repository that no known deploy has',
  trace: 'a trace',
  pattern: 'a message that was logged',
  text: 'a text that was logged',
}
const PAIR_WORDS: ReadonlyMap<string, string> = new Map([
  ['deploy commit', 'This is a commit of the connected repository; the deploy is the first that has it.'],
  ['analysis pattern', 'This is an error message; the analysis holds the newest of the records that say it.'],
])
const PLURALS: Partial<Record<LinkTarget['kind'], string>> = { analysis: 'analyses' }

function nothing(readAs: LinkReading): Omit<Answer, 'explanation'> {
  return { readAs, page: null, found: [], query: null }
}

function noPage(): Answer {
  return { ...nothing('page'), explanation: 'This is an address of this service, but of no page of this project.' }
}

/** The same words whether there is such a project or not. */
function otherProject(): Answer {
  return {
    ...nothing('otherProject'),
    explanation: 'This names another project than the one this key reads: use a read key of that project.',
  }
}

function badRef(message: string): AppError {
  return new AppError('invalid_request', message, { fields: [{ path: 'ref', message }] })
}
