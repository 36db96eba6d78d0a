// `npm run docs`: writes the generated pages of docs/ from the built source.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'
import { prepare } from './prepare.mjs'
import { say } from './say.mjs'

await prepare({ engine: false })
const { generatedPages } = await import('../packages/server/dist/documents.js')
for (const [name, content] of Object.entries(generatedPages())) {
  writeFileSync(join(root, name), content)
  say(`wrote ${name}`)
}
