/** The names that git gives to files, folders and commits, so that a deploy's sha is known before there is a repository. */
import { createHash } from 'node:crypto'

export type Signature = { name: string; email: string; atMs: number }

/** The root tree of files by path. `known` holds the names of contents, and keeps those that are computed here. */
export function treeSha(files: ReadonlyMap<string, string>, known: Map<string, string>): string {
  const entries = new Map<string, string | Map<string, string>>()
  for (const [path, content] of files) {
    const slash = path.indexOf('/')
    if (slash === -1) {
      entries.set(path, content)
      continue
    }
    const folder = entries.get(path.slice(0, slash))
    const below = folder instanceof Map ? folder : new Map<string, string>()
    entries.set(path.slice(0, slash), below.set(path.slice(slash + 1), content))
  }
  const lines = [...entries]
    .map(([name, entry]) =>
      entry instanceof Map
        ? { order: `${name}/`, mode: '40000', name, sha: treeSha(entry, known) }
        : { order: name, mode: '100644', name, sha: blobSha(entry, known) },
    )
    // Git sorts by bytes, folders as if their name ended with a slash.
    .sort((a, b) => Buffer.compare(Buffer.from(a.order), Buffer.from(b.order)))
    .map(({ mode, name, sha }) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, 'hex')]))
  return objectSha('tree', Buffer.concat(lines))
}

function blobSha(content: string, known: Map<string, string>): string {
  const sha = known.get(content) ?? objectSha('blob', Buffer.from(content))
  known.set(content, sha)
  return sha
}

export function commitSha(commit: {
  tree: string
  parent: string | null
  merged?: string
  author: Signature
  message: string
}): string {
  const author = signatureText(commit.author)
  const lines = [
    `tree ${commit.tree}`,
    ...(commit.parent === null ? [] : [`parent ${commit.parent}`]),
    ...(commit.merged === undefined ? [] : [`parent ${commit.merged}`]),
    `author ${author}`,
    `committer ${author}`,
    '',
    commit.message,
  ]
  return objectSha('commit', Buffer.from(lines.join('\n')))
}

export function signatureText({ name, email, atMs }: Signature): string {
  return `${name} <${email}> ${Math.floor(atMs / 1_000)} +0000`
}

function objectSha(kind: 'blob' | 'tree' | 'commit', content: Buffer): string {
  return createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest('hex')
}
