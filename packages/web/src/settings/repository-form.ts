/** What is typed about a repository, as the service takes it: a credential of one kind, or none. */
import type { ConnectRepositoryInput } from '@tidemark/wire/repository'

export type CredentialChoice = 'keep' | 'none' | 'token' | 'deployKey'
export type RepositoryFormState = { url: string; branch: string; credential: CredentialChoice; secret: string }

export function connectInput({ url, branch, credential, secret }: RepositoryFormState): ConnectRepositoryInput {
  return {
    url: url.trim(),
    branch: branch.trim() || null,
    ...(credential === 'keep' ? { keepCredential: true } : {}),
    ...(credential === 'token' ? { token: secret.trim() } : {}),
    // The last line of a private key ends with a line end, and some readers insist on it.
    ...(credential === 'deployKey' ? { deployKey: `${secret.replace(/\r\n?/g, '\n').trim()}\n` } : {}),
  }
}
