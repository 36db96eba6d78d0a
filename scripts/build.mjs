// Builds what changed: TypeScript to dist by `tsc -b` (its own build info) and from there into few files that start quickly,
// the dashboard by Vite when its inputs changed.
// A stamp over names, sizes and times of all inputs makes the second start take milliseconds.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled, root } from './install.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'

export const parts = [
  {
    name: 'service',
    inputs: [...sourceOf('wire', 'server', 'sdk', 'demo', 'cli'), 'tsconfig.json', 'scripts/bundle.mjs'],
    output: 'packages/cli/bundle/main.js',
    build: compileAndBundle,
  },
  {
    name: 'packages',
    inputs: [
      ...sourceOf('wire', 'sdk', 'cli'),
      'package.json',
      'LICENSE',
      'docs/sdk.md',
      'scripts/pack-packages.mjs',
      'scripts/tarball.mjs',
    ],
    output: 'packages/server/dist/packages/sdk.tgz',
    build: () => run(process.execPath, [join(root, 'scripts/pack-packages.mjs')], { cwd: root }),
  },
  {
    name: 'dashboard',
    inputs: [
      ...sourceOf('web', 'wire'),
      'packages/web/index.html',
      'packages/web/vite.config.ts',
      'packages/web/public',
    ],
    output: 'packages/web/dist/index.html',
    build: () =>
      run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
        cwd: join(root, 'packages/web'),
      }),
  },
]

/** With what the compiler and the bundler are told about it. The lock is among the inputs of every part. */
function sourceOf(...names) {
  const told = (name) => [
    ...['src', 'package.json', 'tsconfig.json'].map((file) => `packages/${name}/${file}`),
    ...(name === 'sdk' ? ['packages/sdk/tsconfig.cjs.json'] : []),
  ]
  return [...names.flatMap(told), 'tsconfig.base.json', 'scripts/build.mjs']
}

async function compileAndBundle() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = await run(process.execPath, [tsc, '-b', 'tsconfig.json'], { cwd: root })
  if (compiled.code !== 0) return compiled
  return run(process.execPath, ['-e', "import('./scripts/bundle.mjs').then((made) => made.bundlePackages())"], {
    cwd: root,
  })
}

/** True when everything is built; false, with the compiler's words on the terminal, when something does not compile. */
export async function ensureBuilt() {
  const [service, packages, dashboard] = parts
  // The packages are made of what is compiled for the service; the dashboard needs neither.
  const built = await Promise.all([
    ensurePart(service).then((isBuilt) => isBuilt && ensurePart(packages)),
    ensurePart(dashboard),
  ])
  return built.every(Boolean)
}

async function ensurePart({ name, inputs, output: made, build }) {
  const stampPath = join(root, '.cache', `built-${name}`)
  const wanted = fingerprint(inputs)
  const isFresh = existsSync(join(root, made)) && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === wanted
  if (isFresh) return true
  say(`building the ${name} …`)
  const { code, output } = await build()
  if (code !== 0) {
    say(`the ${name} does not build:\n${output}`)
    return false
  }
  mkdirSync(dirname(stampPath), { recursive: true })
  writeFileSync(stampPath, wanted)
  return true
}

function fingerprint(inputs) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const input of inputs)
    for (const path of filesBelow(join(root, input))) {
      const { size, mtimeMs } = statSync(path)
      hash.update(`${path} ${size} ${mtimeMs}\n`)
    }
  return hash.digest('hex')
}

function filesBelow(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await ensureInstalled()
  process.exit((await ensureBuilt()) ? 0 : 1)
}
