// `npm test`: install, build, format, lint, types, then every test. Arguments go to vitest (a path runs those tests alone).
// Ends with one line that counts everything.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { runChecks } from './check.mjs'
import { emulateEngine } from './emulate-engine.mjs'
import { ensureInstalled, root } from './install.mjs'
import { runVitest } from './prepare.mjs'
import { say } from './say.mjs'
import { ensureSystemPackages } from './system-packages.mjs'

const startedAt = Date.now()
await ensureInstalled()
await ensureSystemPackages()
const noEngine = await emulateEngine({ say })
if (noEngine) say(`${noEngine} The tests that need the engine will be skipped and say so.`)
const total = { passed: 0, failed: 0, skipped: 0 }
if (await ensureBuilt()) {
  total.passed++
  // In parallel: the tests wait here and there, and the checks fill the gaps.
  const [checks] = await Promise.all([runChecks(), runTests()])
  total.passed += checks.passed
  total.failed += checks.failed
} else total.failed++

say(`done in ${Math.round((Date.now() - startedAt) / 1000)} s`)
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exit(total.failed === 0 ? 0 : 1)

async function runTests() {
  const resultsPath = join(root, '.cache', 'vitest.json')
  mkdirSync(join(root, '.cache'), { recursive: true })
  rmSync(resultsPath, { force: true })
  const projects = ['unit', 'rooms', 'engine', 'e2e'].map((project) => `--project=${project}`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultsPath}`]
  const code = await runVitest([...projects, ...reporters, ...process.argv.slice(2)])
  const results = readResults(resultsPath)
  total.passed += results?.numPassedTests ?? 0
  total.failed += results?.numFailedTests ?? 0
  total.skipped += (results?.numPendingTests ?? 0) + (results?.numTodoTests ?? 0)
  // A file that cannot be loaded fails the run without failing a test.
  if (code !== 0 && !results?.numFailedTests) total.failed++
}

function readResults(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
