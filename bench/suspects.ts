/**
 * How long it takes to look for suspects in a large range: 2,000 commits over 20,000 files, once mirrored. `first` is the
 * first question about the range, `again` is one that finds its parts in the memory of the mirror.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGit } from '../packages/server/src/repository/git/git.ts'
import { openMirror } from '../packages/server/src/repository/mirror/open-mirror.ts'
import { MAX_COMMITS_BETWEEN } from '../packages/server/src/repository/repository-mirror.ts'
import { stackInRepository, suspectsAmong } from '../packages/server/src/verbs/causes/stack-suspects.ts'
import { type BenchResult, figure } from './result.ts'

const COMMITS = 2_000
const FILES = 20_000
const FILES_A_COMMIT = 10
const BAR_S = 1

const pathOf = (file: number) => `services/s${file % 20}/src/folder${file % 400}/file${file}.ts`
const textOf = (file: number, change: number) =>
  Array.from({ length: 40 }, (_, line) => `export const value${line} = ${line === change % 40 ? change : file}\n`).join(
    '',
  )

export async function suspects(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-suspects-'))
  const gitDir = join(folder, 'large.git')
  try {
    const [first, last] = makeRepository(gitDir)
    const mirror = openMirror(createGit({ root: folder }), { gitDir, branch: 'main', headSha: last, onBroken() {} })
    const frames = Array.from({ length: 8 }, (_, at) => `    at work${at} (/srv/${pathOf(at * 17)}:${at + 3}:5)`)
    const error = { type: 'Error', message: 'failed', stack: ['Error: failed', ...frames].join('\n') }
    const sample = { logId: '', message: 'failed', error, environmentDefaulted: false }
    const look = async () => {
      const startedAt = performance.now()
      const stack = await stackInRepository(mirror, last, { sample, service: 's0' })
      const { changes } = await mirror.changesBetween(first, last, MAX_COMMITS_BETWEEN)
      const tagged = changes.map((change) => ({ ...change, deployId: null }))
      const found = await suspectsAmong(mirror, tagged, stack)
      if (found.length === 0) throw new Error('No suspect was found.')
      return (performance.now() - startedAt) / 1_000
    }
    const name = `suspects among ${COMMITS} commits over ${FILES} files`
    return [figure(`${name}, first`, await look(), 's', BAR_S), figure(`${name}, again`, await look(), 's', BAR_S)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The first and the last commit of the range. */
function makeRepository(gitDir: string): [string, string] {
  const lines: string[] = []
  const commit = (message: string, files: readonly [number, number][]) => {
    lines.push('commit refs/heads/main', 'committer Ada <ada@example.com> 1700000000 +0000')
    lines.push(`data ${message.length}`, message)
    for (const [file, change] of files) {
      const text = textOf(file, change)
      lines.push(`M 100644 inline ${pathOf(file)}`, `data ${text.length}`, text)
    }
  }
  commit(
    'Begin',
    Array.from({ length: FILES }, (_, file) => [file, 0]),
  )
  for (let at = 1; at <= COMMITS; at += 1) {
    commit(
      `Change ${at}`,
      Array.from({ length: FILES_A_COMMIT }, (_, one) => [(at * 37 + one * 1_009) % FILES, at]),
    )
  }
  const git = (args: string[], input = '') => {
    const { status, stdout, stderr } = spawnSync('git', args, { input, encoding: 'utf8', maxBuffer: 2 ** 30 })
    if (status !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  git(['init', '--quiet', '--bare', '--initial-branch=main', gitDir])
  git(['-C', gitDir, 'fast-import', '--quiet', '--done'], `${lines.join('\n')}\ndone\n`)
  return [git(['-C', gitDir, 'rev-list', '--max-parents=0', 'main']), git(['-C', gitDir, 'rev-parse', 'main'])]
}
