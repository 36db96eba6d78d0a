import { spawn } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { AppError } from '@tidemark/server/errors'
import { signatureText } from './shop/repository/git-objects.ts'
import type { Repository } from './shop/repository/repository.ts'

/** Makes a bare repository with the history of the shop. One that already exists is complete, from an earlier run. */
export async function makeGitRepository(path: string, repository: Pick<Repository, 'commits'>): Promise<void> {
  if (existsSync(path)) return
  const unfinished = `${path}.new`
  rmSync(unfinished, { recursive: true, force: true })
  await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', unfinished])
  await git(['-C', unfinished, 'fast-import', '--quiet', '--done'], fastImportStream(repository))
  renameSync(unfinished, path)
}

/** What `git fast-import` reads to make the repository. The branch ends where the last commit leaves it. */
function fastImportStream({ commits }: Pick<Repository, 'commits'>): string {
  const lines: string[] = []
  const data = (text: string) => lines.push(`data ${Buffer.byteLength(text)}`, text)
  const marks = new Map(commits.map(({ sha }, at) => [sha, `:${at + 1}`]))
  for (const { sha, parent, merged, author, message, changed, removed = [], files } of commits) {
    lines.push('commit refs/heads/main', `mark ${marks.get(sha)}`)
    lines.push(`author ${signatureText(author)}`, `committer ${signatureText(author)}`)
    data(message)
    if (parent !== null) lines.push(`from ${marks.get(parent)}`)
    if (merged !== undefined) lines.push(`merge ${marks.get(merged)}`)
    for (const path of removed) lines.push(`D ${path}`)
    for (const path of changed) {
      lines.push(`M 100644 inline ${path}`)
      data(files.get(path) ?? '')
    }
  }
  return `${lines.join('\n')}\ndone\n`
}

function git(args: readonly string[], input = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { stdio: ['pipe', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new AppError('unavailable', 'git is not installed, and the shop has a repository: install git.', {
              cause: error,
            })
          : error,
      ),
    )
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`git ${args.join(' ')}: ${said}`))))
    // Git that ended early has said why; a pipe that broke says nothing more.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
