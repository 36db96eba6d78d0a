/** With a `git` of our own where the real one could not be made to misbehave. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../testing/source-repository.ts'
import { createGit } from './git.ts'
import { runGit, TERMINATE_GRACE_MS } from './run-git.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => {
  vi.useRealTimers()
  folder.remove()
})

const run = (script: string, more: Partial<Parameters<typeof runGit>[0]> = {}) => {
  writeFileSync(join(folder.path, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const searchPath = `${folder.path}:/usr/bin:/bin`
  return runGit({ args: ['x'], cwd: folder.path, timeoutMs: 20_000, maxOutputBytes: 1_000, searchPath, ...more })
}

describe('a call of git', () => {
  it('that takes too long ends with everything it started, also when that will not be asked', async () => {
    const pidFile = join(folder.path, 'pid')
    const readPid = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0)
    // Only our own timers: the processes are real, and take what time they need to become deaf.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const running = run(`trap '' TERM; sh -c "trap '' TERM; echo \\$\\$ > '${pidFile}'; sleep 300" & wait; sleep 300`, {
      timeoutMs: 3_000,
    })
    await expect.poll(readPid).toBeGreaterThan(0)
    const pid = readPid()
    vi.advanceTimersByTime(2_999)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1 + TERMINATE_GRACE_MS)
    expect((await running).ended).toBe('timeout')
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false)
  })

  it('that never stops talking is ended, with what it said until then', async () => {
    const end = await run('yes')
    expect([end.ended, end.stdout.length]).toEqual(['output', 1_000])
  })

  it('knows nothing of our environment, and closes every transport but the one asked for', async () => {
    const { stdout } = await run('env; printf "%s\\n" "$@"', { transport: 'https', maxOutputBytes: 100_000 })
    const text = stdout.toString()
    const names = [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name).sort()
    expect(names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name ?? ''))).toEqual([
      ...['GIT_ALLOW_PROTOCOL', 'GIT_ASKPASS', 'GIT_ATTR_NOSYSTEM', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM'],
      ...['GIT_NO_LAZY_FETCH', 'GIT_NO_REPLACE_OBJECTS', 'GIT_OPTIONAL_LOCKS', 'GIT_PROTOCOL_FROM_USER'],
      ...['GIT_TERMINAL_PROMPT', 'HOME', 'LC_ALL', 'PATH', 'SSH_ASKPASS'],
    ])
    for (const line of [
      'GIT_ALLOW_PROTOCOL=https',
      'protocol.allow=never',
      'protocol.https.allow=always',
      'http.followRedirects=false',
      'http.sslVerify=true',
      'core.hooksPath=/dev/null',
      'core.fsmonitor=false',
      'credential.helper=',
      'transfer.fsckObjects=true',
      'transfer.bundleURI=false',
    ])
      expect(text.split('\n')).toContain(line)
  })

  it('says when there is no git, or one that would resolve names a second time', async () => {
    const withGit = (script: string | null) => {
      if (script !== null) writeFileSync(join(folder.path, 'git'), script, { mode: 0o755 })
      const git = createGit({ root: folder.path, searchPath: folder.path })
      return git.local({ args: ['version'], maxOutputBytes: 10 })
    }
    await expect(withGit(null)).rejects.toThrow('git is not installed: its operator has to install git 2.37 or newer.')
    await expect(withGit('#!/bin/sh\necho git version 2.36.6\n')).rejects.toThrow('git 2.36 is too old')
    await expect(withGit('#!/bin/sh\necho git version 2.37.0\n')).resolves.toMatchObject({ ended: 'output' })
    await expect(withGit('#!/bin/sh\necho git version 3.0.1.windows\n')).resolves.toMatchObject({ ended: 'output' })
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
