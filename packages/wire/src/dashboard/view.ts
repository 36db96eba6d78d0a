/** Saved views of the logs page, under `/api/projects/:projectId/views`: what its address holds, with a name. */
import { z } from 'zod'
import { MAX_SENT_NAME_CHARACTERS, MAX_VIEW_PART_CHARACTERS } from '../limits.ts'
import { LOGS_VIEWS } from './search.ts'

const part = z.string().min(1).max(MAX_VIEW_PART_CHARACTERS).optional()

/** As in the address. What is left out is as on a fresh page; a record or pattern that was open is not part of a view. */
export const viewSearch = z.strictObject({
  query: part,
  environment: part,
  from: part,
  to: part,
  columns: part,
  view: z.enum(LOGS_VIEWS).optional(),
  compare: part,
  sort: part,
  group: part,
  measure: part,
  of: part,
  chart: z.literal('lines').optional(),
  bars: z.literal('errors').optional(),
  before: z.literal('on').optional(),
  order: z.literal('oldest').optional(),
  live: z.literal('on').optional(),
})

const name = z.string().max(MAX_SENT_NAME_CHARACTERS)

/** `POST …/views`. A view that is not shared is seen by who saved it alone. */
export const newViewInput = z.object({ name, search: viewSearch, isShared: z.boolean().optional() })

/** `PATCH …/views/:viewId`. What is left out stays. */
export const changeViewInput = newViewInput.partial()

const view = z.object({
  id: z.string(),
  name: z.string(),
  isShared: z.boolean(),
  search: viewSearch,
  /** Who saved it. */
  ownerId: z.string(),
  owner: z.string(),
  /** Whether who asks may change and delete it: their own, and as an owner of the project every shared one. */
  canChange: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

export const viewAnswer = z.object({ view })
/** `GET …/views`: one's own and the shared ones, by name. */
export const viewsAnswer = z.object({ views: z.array(view) })

export type ViewSearch = z.infer<typeof viewSearch>
export type NewViewInput = z.infer<typeof newViewInput>
export type ChangeViewInput = z.infer<typeof changeViewInput>
export type SavedView = z.infer<typeof view>
export type ViewAnswer = z.infer<typeof viewAnswer>
export type ViewsAnswer = z.infer<typeof viewsAnswer>
