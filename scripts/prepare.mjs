// What must be there before a script can do its work: packages of npm, programs that tests drive, an engine for this
// processor, and what is built of the sources.
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { emulateEngine } from './emulate-engine.mjs'
import { ensureInstalled, root } from './install.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'
import { ensureSystemPackages } from './system-packages.mjs'

/** Ends the process when the sources do not build. Returns why there is no engine, if so: some can do without. */
export async function prepare({ engine = true, programs = false } = {}) {
  await ensureInstalled()
  if (programs) await ensureSystemPackages()
  const noEngine = engine ? await emulateEngine({ say }) : undefined
  if (!(await ensureBuilt())) process.exit(1)
  return noEngine
}

/** Its exit code. */
export async function runVitest(args, options) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  return (await run(process.execPath, [vitest, 'run', ...args], { cwd: root, show: true, ...options })).code
}
