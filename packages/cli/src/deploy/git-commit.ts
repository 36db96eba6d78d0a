import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const GIT_TIMEOUT_MS = 10_000

export type GitCommit = { sha: string; author: string; message: string; ref?: string }

/** A commit of the repository in the folder, HEAD when none is named. Undefined when git cannot tell. */
export async function gitCommit(folder: string, revision = 'HEAD'): Promise<GitCommit | undefined> {
  // Without `--end-of-options` a revision such as `--output=x` would be an option.
  const shown = await git(folder, ['log', '-1', '--format=%H%x00%an%x00%B', '--end-of-options', `${revision}^{commit}`])
  const [sha, author = '', message = ''] = shown?.split('\0') ?? []
  if (!sha) return undefined
  const ref = revision === 'HEAD' ? await refOfHead(folder) : undefined
  return { sha, author, message: message.trim(), ...(ref && { ref }) }
}

async function refOfHead(folder: string): Promise<string | undefined> {
  const branch = await git(folder, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  return branch ?? (await git(folder, ['describe', '--tags', '--exact-match', 'HEAD']))
}

async function git(folder: string, args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await run('git', ['-C', folder, ...args], { timeout: GIT_TIMEOUT_MS, encoding: 'utf8' })
    return stdout.trim() || undefined
  } catch {
    return undefined
  }
}
