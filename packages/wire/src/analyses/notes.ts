/** What people say about an analysis: who looks after it, its ticket, and their comments. For agents too: words of people. */
import { z } from 'zod'
import { MAX_COMMENT_CHARACTERS, MAX_ID_CHARACTERS, MAX_URL_CHARACTERS } from '../limits.ts'

/** In a list. */
export const briefNotes = z.object({
  /** The name of who looks after it. */
  assignee: z.string().nullable(),
  /** The address of the ticket. */
  ticket: z.string().nullable(),
  comments: z.int(),
})

const comment = z.object({
  id: z.string(),
  authorId: z.string(),
  author: z.string(),
  text: z.string(),
  createdAt: z.string(),
  editedAt: z.string().nullable(),
})

/** On the page of one. */
export const discussion = z.object({
  assignee: z.object({ personId: z.string(), name: z.string(), at: z.string(), by: z.string() }).nullable(),
  ticket: z.object({ url: z.string(), at: z.string(), by: z.string() }).nullable(),
  /** Oldest first. */
  comments: z.array(comment),
})

/** `PUT …/analyses/:analysisId/assignee`; null for nobody. */
export const assigneeInput = z.object({ personId: z.string().max(MAX_ID_CHARACTERS).nullable() })
/** `PUT …/analyses/:analysisId/ticket`; null for none. */
export const ticketInput = z.object({ url: z.string().max(MAX_URL_CHARACTERS).nullable() })
/** `POST …/analyses/:analysisId/comments`, and `PATCH` on one of them. */
export const commentInput = z.object({ text: z.string().max(MAX_COMMENT_CHARACTERS) })

export type BriefNotes = z.infer<typeof briefNotes>
export type Discussion = z.infer<typeof discussion>
export type AnalysisComment = z.infer<typeof comment>
