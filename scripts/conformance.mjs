// `npm run conformance`: the protocol's own conformance suites against the service's door for agents, and the inspector's
// check of the tool definitions. The door is the service's own; behind it stand fixtures that the suites call by name, and
// once more the service itself for what needs none. The suites are packages of npm, kept in .cache, and run on a newer
// Node, which they need. With --inspector, or the version of a suite, only that part runs.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchNode } from './fetch-node.mjs'
import { root } from './install.mjs'
import { prepare } from './prepare.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'

const NODE = '22.23.3'
const SUITE = '@modelcontextprotocol/conformance'
const OLDER = { version: '0.1.16', args: ['--suite', 'active'], expected: 'expected-failures-0.1.yml' }
const NEWEST = {
  version: '0.2.0-alpha.12',
  args: ['--requirements', '2026-07-28'],
  expected: 'expected-failures-0.2.yml',
}
/** What the service passes as it is, without a fixture. */
const OF_OURS = {
  [OLDER.version]: [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  [NEWEST.version]: [
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
    'caching',
    'http-header-validation',
  ],
}
/** Its answer has all tools. */
const LAST_TOOL = 'resolve_link'
const INSPECTOR = { name: '@modelcontextprotocol/inspector', version: '2.12.0' }

await prepare({ engine: false })
const { KEY, serve } = await import('../packages/server/conformance/serve.mjs')
const { fixtures } = await import('../packages/server/conformance/fixtures.mjs')
const only = process.argv.slice(2)
const isAsked = (name) => only.length === 0 || only.includes(name)
const node = await fetchNode(NODE, say)
const work = mkdtempSync(join(tmpdir(), 'tidemark-conformance-'))
const failed = []
const [withFixtures, ours] = [await serve(fixtures), await serve()]
try {
  for (const suite of [OLDER, NEWEST]) if (isAsked(suite.version)) await runSuite(suite)
  if (isAsked('--inspector')) await inspect()
} finally {
  await Promise.all([withFixtures.stop(), ours.stop()])
  rmSync(work, { recursive: true, force: true })
}
for (const one of failed) say(`failed: ${one}`)
process.exit(failed.length === 0 ? 0 : 1)

async function runSuite({ version, args, expected }) {
  const program = join(await install(SUITE, version), `node_modules/${SUITE}/dist/index.js`)
  const baseline = join(root, 'packages/server/conformance', expected)
  const all = await suite([...args, '--url', withFixtures.url, '--expected-failures', baseline])
  console.log(all.output.slice(all.output.indexOf('=== SUMMARY ===')))
  if (all.code !== 0) failed.push(`suite ${version} with fixtures`)
  const spec = version === NEWEST.version ? ['--spec-version', '2026-07-28'] : []
  for (const scenario of OF_OURS[version]) {
    const { code, output } = await suite(['--url', ours.url, '--scenario', scenario, ...spec])
    const [passed = 'no result'] = /Passed: .*/.exec(output) ?? []
    say(`${version} ${scenario}, the service as it is: ${passed}`)
    if (code !== 0) failed.push(`${version} ${scenario} of the service as it is`)
  }

  function suite(rest) {
    return run(node, [program, 'server', ...rest], { cwd: work })
  }
}

/** The tools as a client's programmer would judge them: without an error and without a warning. */
async function inspect() {
  const program = join(await install(INSPECTOR.name, INSPECTOR.version), 'node_modules/.bin/mcp-inspector')
  const asked = [
    '--transport',
    'http',
    '--header',
    `Authorization: Bearer ${KEY}`,
    '--method',
    'tools/list',
    '--strict',
  ]
  const { code, output } = await run(node, [program, '--cli', ours.direct, ...asked], { cwd: work })
  const remarks = output.match(/^ {2}Path: .*\n {2}Issue: .*$/gm) ?? []
  for (const remark of remarks) console.log(remark)
  const isClean = code === 0 && remarks.length === 0 && output.includes(`"${LAST_TOOL}"`)
  say(`inspector --strict: code ${code}, ${remarks.length} remarks`)
  if (!isClean) failed.push('inspector --strict')
}

/** With all it needs, outside of this repository's own packages, and for the newer Node that runs it. */
async function install(name, version) {
  const folder = join(root, '.cache/conformance', `${name.split('/')[1]}-${version}`)
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  say(`installing ${name} ${version}`)
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--engine-strict=false']
  const { code, output } = await run('npm', ['install', '--prefix', folder, ...quiet, `${name}@${version}`])
  if (code !== 0) throw new Error(`npm install of ${name} failed: ${output.trim().slice(-1_000)}`)
  return folder
}
