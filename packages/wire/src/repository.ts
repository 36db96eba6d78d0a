/** The git repository of a project under `/api/projects/:projectId/repository`. */
import { z } from 'zod'
import { MAX_BRANCH_CHARACTERS, MAX_DEPLOY_KEY_CHARACTERS, MAX_TOKEN_CHARACTERS, MAX_URL_CHARACTERS } from './limits.ts'

/** `local` is a path on the service's own machine, which the operator must have allowed. */
export const REPOSITORY_KINDS = ['https', 'ssh', 'local'] as const
const repositoryKind = z.enum(REPOSITORY_KINDS)
export const CREDENTIAL_KINDS = ['none', 'token', 'deploy_key'] as const

/**
 * `ready`: commits can be read. `mirroring`: not copied yet, which the service is doing. `failing`: the last attempt
 * failed and `lastError` says why; what was copied before stays readable. `formatCopyState` writes it as a sentence.
 */
const repositoryState = z.enum(['ready', 'mirroring', 'failing'])

/** Never holds the credential, only its kind. Branch names and the error are text from elsewhere. */
const repository = z.object({
  url: z.string(),
  kind: repositoryKind,
  credential: z.enum(CREDENTIAL_KINDS),
  /** The branch that was asked for; null follows the remote's default. */
  branch: z.string().nullable(),
  /** The branch that is followed. */
  defaultBranch: z.string(),
  /** The newest commit of that branch; null while it has not been copied. */
  headSha: z.string().nullable(),
  state: repositoryState,
  /** When the node that answers started to copy it; null while it does not, and always on the command line. */
  copyingSince: z.string().nullable(),
  lastSyncedAt: z.string().nullable(),
  /** When the last attempt failed; null after a success. */
  failedAt: z.string().nullable(),
  lastError: z.string().nullable(),
  connectedAt: z.string(),
  /** The id of a person, or `operator` for the command line. */
  connectedBy: z.string(),
})

/** `GET`, `PUT` and `POST …/sync`. Null when none is connected. */
export const repositoryAnswer = z.object({ repository: repository.nullable() })

/**
 * `PUT`: connects, or replaces what is connected. At most one of `token`, `deployKey` and `keepCredential`, which keeps
 * what is stored and needs the same `url`; without any of them the repository is read without a credential.
 */
export const connectRepositoryInput = z.object({
  url: z.string().min(1).max(MAX_URL_CHARACTERS),
  branch: z.string().min(1).max(MAX_BRANCH_CHARACTERS).nullable().optional(),
  /** Access token for https. */
  token: z.string().min(1).max(MAX_TOKEN_CHARACTERS).optional(),
  /** Private key for ssh, in OpenSSH or PEM form, without a passphrase. */
  deployKey: z.string().min(1).max(MAX_DEPLOY_KEY_CHARACTERS).optional(),
  keepCredential: z.boolean().optional(),
})

export type Repository = z.infer<typeof repository>
export type RepositoryAnswer = z.infer<typeof repositoryAnswer>
export type ConnectRepositoryInput = z.infer<typeof connectRepositoryInput>
