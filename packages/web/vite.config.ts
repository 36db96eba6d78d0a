import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin, type Rolldown } from 'vite'

const MAIN = join(import.meta.dirname, 'src/main.tsx')
const ASK_AHEAD = join(import.meta.dirname, 'src/ask-ahead.ts')

export default defineConfig({
  plugins: [react(), tailwindcss(), askAheadFirst(), compressAssets()],
  // What crosses the network is compiled from its source, so the dashboard never waits for another build.
  resolve: { conditions: ['tidemark-source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: 'index.html', 'ask-ahead': ASK_AHEAD },
      output: {
        codeSplitting: {
          groups: [
            { debugName: 'ahead', name: inAskAhead(), priority: 1 },
            { debugName: 'pages', name: inSeveralPages() },
          ],
        },
      },
    },
  },
})

/** What is asked for ahead, in one small file that nothing else has to come before. */
function inAskAhead(): Rolldown.CodeSplittingNameFunction {
  let needed: ReadonlySet<string> | undefined
  return (id, graph) => {
    needed ??= neededBy(ASK_AHEAD, graph)
    return needed.has(id) ? 'ahead' : null
  }
}

function askAheadFirst(): Plugin {
  return {
    name: 'ask-ahead-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
        const entry = chunks.find(({ facadeModuleId }) => facadeModuleId === ASK_AHEAD)
        if (entry?.imports.length !== 0) throw new Error('What asks ahead is not one file by itself.')
        const src = `/${entry.fileName}`
        return [
          { tag: 'script', attrs: { type: 'module', async: true, crossorigin: true, src }, injectTo: 'head-prepend' },
        ]
      },
    },
  }
}

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
