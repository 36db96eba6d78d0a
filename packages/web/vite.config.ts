import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin, type Rolldown } from 'vite'

const MAIN = join(import.meta.dirname, 'src/main.tsx')
const PAGES = join(import.meta.dirname, 'src/pages.ts')

export default defineConfig({
  plugins: [react(), tailwindcss(), documentsOfPages(), compressAssets()],
  // What crosses the network is compiled from its source, so the dashboard never waits for another build.
  resolve: { conditions: ['tidemark-source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ debugName: 'pages', name: inSeveralPages() }] } },
    },
  },
})

/**
 * What the frame or at least two pages need comes in one file instead of sixty small ones, each of which waits for its
 * turn. What a page loads when it is opened there, a dialog or a menu, stays apart.
 */
function inSeveralPages(): Rolldown.CodeSplittingNameFunction {
  let uses: Map<string, number> | undefined
  return (id, graph) => {
    uses ??= countPages(graph)
    return (uses.get(id) ?? 0) > 1 ? 'pages' : null
  }
}

function countPages(graph: Rolldown.ChunkingContext): Map<string, number> {
  const uses = new Map<string, number>()
  const pages = graph.getModuleInfo(join(import.meta.dirname, 'src/pages.ts'))?.dynamicallyImportedIds ?? []
  for (const page of [MAIN, ...pages]) {
    const needed = neededBy(page, graph)
    const weight = page.endsWith('/project-page.tsx') ? 2 : 1
    for (const id of needed) uses.set(id, (uses.get(id) ?? 0) + weight)
  }
  return uses
}

/** The module and all that it cannot run without. */
function neededBy(module: string, graph: Rolldown.ChunkingContext): ReadonlySet<string> {
  const needed = new Set([module])
  for (const id of needed) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) needed.add(imported)
  return needed
}

/** Each page has a document of its own, which names the files of that page: the browser need not wait for a script to do so. */
function documentsOfPages(): Plugin {
  return {
    name: 'documents-of-pages',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const document = bundle['index.html'] as Rolldown.OutputAsset
        const main = filesOf(MAIN, bundle)
        const code = this.getModuleInfo(PAGES)?.code ?? ''
        const pages = [...code.matchAll(/(\w+): \(\) => import\(["'](.+?)["']\)/g)]
        if (pages.length === 0) throw new Error(`${basename(PAGES)} names no page.`)
        const written = String(document.source)
        for (const [, page, module] of pages) {
          const files = new Set([...main, ...filesOf(join(PAGES, '..', module ?? ''), bundle)])
          this.emitFile({ type: 'asset', fileName: `pages/${page}.html`, source: namingFiles(written, files) })
        }
        document.source = namingFiles(written, new Set(main))
      },
    },
  }
}

/**
 * As scripts, and before the script that imports them: what Chromium has kept compiled of a module from earlier visits it
 * uses only where the file was not first asked for as a module, by `modulepreload` or by the script itself.
 */
function namingFiles(document: string, files: ReadonlySet<string>): string {
  const bare = document.replace(/ *<link rel="modulepreload"[^>]*>\n/g, '')
  const links = [...files].map((file) => `<link rel="preload" as="script" crossorigin href="/${file}">\n    `)
  const named = bare.replace('<script type="module"', (script) => links.join('') + script)
  if (named === bare) throw new Error('The document has no script.')
  return named
}

/** Of the module, and of all that it cannot run without. */
function filesOf(module: string, bundle: Rolldown.OutputBundle): string[] {
  const chunk = Object.values(bundle).find((one) => one.type === 'chunk' && one.moduleIds.includes(module))
  if (chunk?.type !== 'chunk') throw new Error(`${basename(module)} is in no file of the dashboard.`)
  const files = new Set([chunk.fileName])
  for (const file of files) {
    const one = bundle[file]
    if (one?.type === 'chunk') for (const imported of one.imports) files.add(imported)
  }
  return [...files]
}

/** Compressed copies beside each asset; the service picks by what is accepted. Fonts are compressed already. */
function compressAssets(): Plugin {
  let folder = ''
  return {
    name: 'compress-assets',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir, build.assetsDir)
    },
    closeBundle() {
      for (const name of readdirSync(folder).filter((name) => /\.(js|css|svg)$/.test(name))) {
        const bytes = readFileSync(join(folder, name))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes))
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes))
      }
    },
  }
}
