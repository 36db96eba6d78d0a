import { spawn } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { AppError } from '@tidemark/server/errors'
import { signatureText } from './shop/repository/git-objects.ts'
import type { Repository } from './shop/repository/repository.ts'

/** Makes a bare repository with the history of the shop. One that already exists is complete, from an earlier run. */
export async function makeGitRepository(path: string, repository: Repository): Promise<void> {
  if (existsSync(path)) return
  const unfinished = `${path}.new`
  rmSync(unfinished, { recursive: true, force: true })
  await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', unfinished])
  await git(['-C', unfinished, 'fast-import', '--quiet', '--done'], fastImportStream(repository))
  renameSync(unfinished, path)
}

/** What `git fast-import` reads to make the repository. Each commit's parent is the branch as the commit before left it. */
function fastImportStream({ commits }: Repository): string {
  const lines: string[] = []
  const data = (text: string) => lines.push(`data ${Buffer.byteLength(text)}`, text)
  for (const { author, message, changed, files } of commits) {
    lines.push('commit refs/heads/main', `author ${signatureText(author)}`, `committer ${signatureText(author)}`)
    data(message)
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
