/** Giving a key to an OAuth client, under `/api/oauth`, for people who are signed in. */
import { z } from 'zod'
import { MAX_CONSENT_REQUEST_CHARACTERS, MAX_ID_CHARACTERS, MAX_SENT_NAME_CHARACTERS } from '../limits.ts'
import { GRANT_LIFETIMES } from './oauth-lifetime.ts'

/** The query of the authorization request as the client wrote it, without `?`. */
const request = z.string().max(MAX_CONSENT_REQUEST_CHARACTERS)

export const previewConsentInput = z.object({ request })

/** Who asks. All of it is a stranger's text but the hosts, which are parts of checked addresses. */
const consentPreview = z.object({
  client: z.object({
    name: z.string(),
    /** Where the key goes: the host of the redirect URI. */
    host: z.string(),
    /** The host is the machine that the browser runs on. */
    isLocal: z.boolean(),
    /** The host that tells who the client is, when it has a document of its own; null when it only says so. */
    documentHost: z.string().nullable(),
  }),
  /** What is wrong with the request, so that nobody can agree to it. */
  problem: z.string().nullable(),
  /** Where the client waits for a no, or for the problem. */
  refuseTo: z.string(),
})

export const consentInput = z.object({
  request,
  projectId: z.string().max(MAX_ID_CHARACTERS),
  name: z.string().max(MAX_SENT_NAME_CHARACTERS),
  expiresIn: z.enum(GRANT_LIFETIMES),
})

/** Where the client waits for the code. */
const consentAnswer = z.object({ returnTo: z.string() })

export type ConsentPreview = z.infer<typeof consentPreview>
export type ConsentInput = z.infer<typeof consentInput>
export type ConsentAnswer = z.infer<typeof consentAnswer>
