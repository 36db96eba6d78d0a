import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin, type Rolldown } from 'vite'

const MAIN = join(import.meta.dirname, 'src/main.tsx')
const PAGES = join(import.meta.dirname, 'src/pages.ts')
/** A module for each page, made here: opens the dashboard, and brings that page. */
const OPENS = 'opens:'

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
 * What the frame, at least two pages, or a page and a dialog of the frame need comes in one file instead of sixty small
 * ones, each of which waits for its turn. What a page loads when it is opened there, a dialog or a menu, stays apart.
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
  const pages = graph.getModuleInfo(PAGES)?.dynamicallyImportedIds ?? []
  for (const page of [MAIN, ...pages]) {
    for (const id of neededBy(page, graph)) uses.set(id, (uses.get(id) ?? 0) + 1)
  }
  const ofFrame = [...neededBy(MAIN, graph)].flatMap((id) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
  const dialogs = ofFrame.filter((id) => !pages.includes(id)).flatMap((id) => [...neededBy(id, graph)])
  for (const id of new Set(dialogs)) if (uses.has(id)) uses.set(id, 2)
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
  const pages = pagesByName()
  return {
    name: 'documents-of-pages',
    apply: 'build',
    buildStart() {
      for (const id of [MAIN, ...[...pages.keys()].map((page) => OPENS + page)]) {
        this.emitFile({ type: 'chunk', id, preserveSignature: 'allow-extension' })
      }
    },
    resolveId: (id) => (id.startsWith(OPENS) ? id : undefined),
    load(id) {
      const page = id.startsWith(OPENS) ? id.slice(OPENS.length) : ''
      const module = pages.get(page)
      if (module === undefined) return undefined
      return [
        `import { open as openDashboard } from ${JSON.stringify(MAIN)}`,
        `import * as ${page} from ${JSON.stringify(module)}`,
        `export const open = (first) => openDashboard(first, { ${page} })`,
      ].join('\n')
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const document = bundle['index.html'] as Rolldown.OutputAsset
        const written = String(document.source)
        for (const page of pages.keys()) {
          const source = opening(written, filesOf(OPENS + page, bundle))
          this.emitFile({ type: 'asset', fileName: `pages/${page}.html`, source })
        }
        document.source = opening(written, filesOf(MAIN, bundle))
      },
    },
  }
}

/** The module of each. */
function pagesByName(): Map<string, string> {
  const named = [...readFileSync(PAGES, 'utf8').matchAll(/(\w+): \(\) => import\('(.+?)'\)/g)]
  if (named.length === 0) throw new Error(`${basename(PAGES)} names no page.`)
  return new Map(named.map(([, page = '', module = '']) => [page, join(PAGES, '..', module)]))
}

/**
 * The first of the files is what the first script opens. They are named as scripts: what Chromium has kept compiled of a
 * module from earlier visits it uses only where the file was not first asked for as a module, by `modulepreload` or by
 * the script itself.
 */
function opening(document: string, files: readonly string[]): string {
  const bare = document.replace(/ *<link rel="modulepreload"[^>]*>\n/g, '').replace(/ data-opens="[^"]*"/, '')
  const links = files.map((file) => `<link rel="preload" as="script" crossorigin href="/${file}">\n    `)
  const tag = '<script type="module"'
  const named = bare.replace(tag, `${links.join('')}${tag} data-opens="/${files[0]}"`)
  if (named === bare) throw new Error('The document has no script.')
  return named
}

/** Of the module, and of all that it cannot run without. */
function filesOf(module: string, bundle: Rolldown.OutputBundle): string[] {
  const chunk = Object.values(bundle).find((one) => one.type === 'chunk' && one.facadeModuleId === module)
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
