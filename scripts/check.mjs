// `npm run check`: format, lint, types, and the tests that need no engine, database, git or port, for everyday work.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './install.mjs'
import { prepare, runVitest } from './prepare.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'

const tsc = join(root, 'node_modules/typescript/bin/tsc')
/** What is known of the files that did not change since the last time. */
const since = (name) => ['--incremental', '--tsBuildInfoFile', join(root, '.cache', `${name}.tsbuildinfo`)]
const checks = [
  { name: 'format and lint', args: [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'ci', '--colors=off', '.'] },
  { name: 'types', args: [tsc, '-p', 'tsconfig.check.json', ...since('types')] },
  { name: 'types of the dashboard', args: [tsc, '-p', 'packages/web', ...since('types-web')] },
]

/** Runs all of them, prints what is wrong, and returns how many passed and failed. */
export async function runChecks() {
  const result = { passed: 0, failed: 0 }
  for (const { name, args } of checks) {
    const { code, output } = await run(process.execPath, args, { cwd: root })
    if (code === 0) {
      result.passed++
      say(`${name}: fine`)
    } else {
      result.failed++
      say(`${name}: not fine\n${output}`)
    }
  }
  return result
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await prepare({ engine: false })
  const tests = ['--project=unit', '--reporter=default', ...process.argv.slice(2)]
  // In parallel: the tests wait here and there, and the checks fill the gaps.
  const [{ failed }, code] = await Promise.all([runChecks(), runVitest(tests)])
  process.exit(failed === 0 && code === 0 ? 0 : 1)
}
