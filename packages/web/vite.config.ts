import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

export default defineConfig({
  plugins: [react(), tailwindcss(), compressAssets()],
  // What crosses the network is compiled from its source, so the dashboard never waits for another build.
  resolve: { conditions: ['tidemark-source', ...defaultClientConditions] },
  build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
})

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
