// Makes few files of the many that the compiler wrote, with the packages they use: Node takes longer to find a thousand
// small modules than to run them, and every start, every worker and every command would pay for that.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../packages', import.meta.url))

const bundles = [
  {
    of: 'server',
    // What other packages import by name (`exports` of its manifest), and what it starts as a thread or a process.
    entries: [
      'main',
      'operator/operator',
      'operator/backups',
      'operator/doctor',
      'errors',
      'config/config',
      'app',
      'log',
      'folder/data-folder',
      'stop-on-signals',
      'operator/welcome',
      'ingest/encode/encode-worker',
      'logstore/engine/child',
      'redaction/redact-worker',
      'sourcemaps/read-worker',
    ],
    // Native libraries, and packages that look for files beside their own.
    leftOut: /^(?:chdb|libsql|pg|pino)(?:\/|$)/,
  },
  { of: 'cli', entries: ['main'], leftOut: /^@tidemark\/(?:server|demo)\// },
]

/** Into a folder that is as deep in the package as `dist`: what the code finds beside itself, it finds from both. */
export async function bundlePackages() {
  // biome-ignore lint/correctness/noUndeclaredDependencies: it comes with Vite, and the root pins its version
  const { rolldown } = await import('rolldown')
  for (const { of, entries, leftOut } of bundles) {
    const compiled = (entry) => join(packages, of, 'dist', `${entry}.js`)
    const input = Object.fromEntries(entries.map((entry) => [entry.split('/').at(-1), compiled(entry)]))
    const bundle = await rolldown({ input, platform: 'node', external: [leftOut], logLevel: 'warn' })
    const dir = join(packages, of, 'bundle')
    rmSync(dir, { recursive: true, force: true })
    await bundle.write({ dir, format: 'esm', sourcemap: true, entryFileNames: '[name].js' })
    await bundle.close()
  }
}
