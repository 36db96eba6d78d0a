import { spawn } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { AppError } from '@tidemark/server/errors'
import { fastImportStream } from './shop/repository/fast-import.ts'
import type { Repository } from './shop/repository/repository.ts'

/** Makes a bare repository with the history of the shop. One that is there already is whole, and that of an earlier run. */
export async function makeGitRepository(path: string, repository: Repository): Promise<void> {
  if (existsSync(path)) return
  const unfinished = `${path}.new`
  rmSync(unfinished, { recursive: true, force: true })
  await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', unfinished])
  await git(['-C', unfinished, 'fast-import', '--quiet', '--done'], fastImportStream(repository))
  renameSync(unfinished, path)
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
