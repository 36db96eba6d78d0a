// Packs the SDK and the client part of the CLI as the tarballs that the service serves at /sdk.tgz and /cli.tgz.
// Needs what `tsc -b` made, and nothing from the network.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tarball } from './tarball.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'packages/server/dist/packages')
const CLIENT = join(root, 'packages/cli/src/client-main.ts')

async function packPackages() {
  mkdirSync(target, { recursive: true })
  // Node reads a `.js` file as the nearest package.json says.
  writeFileSync(join(root, 'packages/sdk/dist/cjs/package.json'), '{ "type": "commonjs" }\n')
  writeFileSync(join(target, 'sdk.tgz'), tarball(sdkFiles()))
  writeFileSync(join(target, 'cli.tgz'), tarball(await cliFiles()))
}

function sdkFiles() {
  const folder = join(root, 'packages/sdk')
  const built = Object.fromEntries(
    filesBelow(join(folder, 'dist'))
      .filter((path) => path.endsWith('cjs/package.json') || isOfSource(folder, path))
      .map((path) => [relative(folder, path), { content: withoutMap(readFileSync(path, 'utf8')) }]),
  )
  const { name, version, description, license, type, sideEffects, exports, peerDependencies, peerDependenciesMeta } =
    manifestOf('sdk')
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    engines: { node: '>=20' },
    main: './dist/cjs/index.js',
    module: './dist/index.js',
    types: './dist/index.d.ts',
    exports: withoutSource(exports),
    peerDependencies,
    peerDependenciesMeta,
  }
  return {
    ...built,
    'package.json': { content: json(manifest) },
    'README.md': { content: readFileSync(join(root, 'docs/sdk.md')) },
    LICENSE: { content: readFileSync(join(root, 'LICENSE')) },
  }
}

/** One file without dependencies: the commands that talk to a service, with all they need. */
async function cliFiles() {
  // biome-ignore lint/correctness/noUndeclaredDependencies: it comes with Vite, and the root pins its version
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: 'tidemark-client',
    platform: 'node',
    external: [/^node:/, ...builtinModules],
    resolve: { conditionNames: ['tidemark-source', 'import', 'node', 'default'] },
    plugins: [entryPlugin],
    logLevel: 'warn',
  })
  const { output } = await bundle.generate({
    format: 'esm',
    codeSplitting: false,
    banner: '#!/usr/bin/env node',
  })
  await bundle.close()
  const [chunk] = output
  const { name, version, description, license } = manifestOf('cli')
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines,
    bin: { tidemark: 'bin/tidemark.mjs' },
    exports: {},
  }
  return {
    'bin/tidemark.mjs': { content: chunk.code, isExecutable: true },
    'package.json': { content: json(manifest) },
    LICENSE: { content: readFileSync(join(root, 'LICENSE')) },
    'THIRD-PARTY-LICENSES.txt': { content: licensesOf(Object.keys(chunk.modules)) },
  }
}

/** An entry that runs what the CLI exports, so that no file of the repository runs by being imported. */
const entryPlugin = {
  name: 'tidemark-client-entry',
  resolveId: (id) => (id === 'tidemark-client' ? id : null),
  load: (id) =>
    id === 'tidemark-client' ? `import { main } from ${JSON.stringify(CLIENT)}\nawait main(process.argv)\n` : null,
}

/** The licences of what was bundled travel with it. */
function licensesOf(modules) {
  const folders = new Set(
    modules.flatMap((id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))?.[1] ?? []),
  )
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
      const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
      return `${name} ${version} (${license})${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** The compiler leaves behind what it made of sources that are gone. */
function isOfSource(folder, path) {
  const name = /^dist\/(?:cjs\/)?(.+?)(?:\.d\.ts|\.js)$/.exec(relative(folder, path).replaceAll('\\', '/'))?.[1]
  return name !== undefined && existsSync(join(folder, 'src', `${name}.ts`))
}

function withoutSource(conditions) {
  return Object.fromEntries(
    Object.entries(conditions)
      .filter(([condition]) => condition !== 'tidemark-source')
      .map(([condition, value]) => [condition, typeof value === 'object' ? withoutSource(value) : value]),
  )
}

/** The maps lead to sources that are not packed. */
function withoutMap(code) {
  return code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
}

function manifestOf(name) {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

await packPackages()
