/** What somebody pasted, and what it is in the project of the caller. Times are RFC 3339, UTC. */
import { z } from 'zod'
import { MAX_REF_CHARACTERS } from '../limits.ts'
import { warning } from './question.ts'

export const linkInput = z.object({ ref: z.string().max(MAX_REF_CHARACTERS) })

/** `elsewhere` is an address of another host, `otherProject` one of another project, whether that exists or not. */
const LINK_READINGS = ['page', 'id', 'name', 'frame', 'stack', 'text', 'elsewhere', 'otherProject'] as const

const LINK_KINDS = ['record', 'analysis', 'deploy', 'commit', 'trace', 'pattern', 'text'] as const

/** One thing that was meant, or may have been. What a kind does not have is null. */
const linkTarget = z.object({
  kind: z.enum(LINK_KINDS),
  /** Of records, analyses and deploys; a commit has its hash, a trace and a pattern what a query asks for. */
  id: z.string(),
  /** A message, a title, or what a deploy or commit says. */
  title: z.string(),
  /** The level of a record, the state of an analysis, the status of a deploy. */
  state: z.string().nullable(),
  environment: z.string().nullable(),
  service: z.string().nullable(),
  /** The revision of a deploy. */
  sha: z.string().nullable(),
  author: z.string().nullable(),
  /** Errors of an analysis; records of a trace, a pattern or a text. */
  count: z.int().nullable(),
  firstSeen: z.string().nullable(),
  /** The time of what has only one. */
  lastSeen: z.string(),
  /** The analysis that a record belongs to. */
  analysisId: z.string().nullable(),
  /** A search for its records: made of the pasted text and our own words. */
  query: z.string().nullable(),
})

/** A page of the dashboard, with what its address asks for; what is not understood there is left out. */
const linkPage = z.object({
  name: z.enum(['overview', 'logs', 'patterns', 'groups', 'analyses', 'analysis', 'deploys', 'deploy', 'settings']),
  environment: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  query: z.string().optional(),
  service: z.string().optional(),
  state: z.string().optional(),
  status: z.string().optional(),
  sort: z.string().optional(),
  introducedBy: z.string().optional(),
  /** Of the records, where it is not the newest first: `oldest`. */
  order: z.string().optional(),
  /** What patterns are compared with: `off`, or a deploy. Without it, the time before. */
  compare: z.string().optional(),
  /** The field that groups are of, what is measured of each, and of which field. */
  group: z.string().optional(),
  measure: z.string().optional(),
  of: z.string().optional(),
})

export const linkAnswer = z.object({
  readAs: z.enum(LINK_READINGS),
  /** What it is, or why nothing was found, in our own words. */
  explanation: z.string(),
  page: linkPage.nullable(),
  /** The likeliest first. Several when it may mean several things. */
  found: z.array(linkTarget),
  /** Searches that may find it when nothing was found: made of the pasted text. */
  query: z.string().nullable(),
  warnings: z.array(warning),
})

export type LinkInput = z.infer<typeof linkInput>
export type LinkReading = (typeof LINK_READINGS)[number]
export type LinkTarget = z.infer<typeof linkTarget>
export type LinkPage = z.infer<typeof linkPage>
export type LinkAnswer = z.infer<typeof linkAnswer>
