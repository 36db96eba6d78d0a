// `npm run demo`: install what is missing, build what changed, then become the demo (one process, so signals reach it).
// Arguments go to `tidemark demo`: `npm run demo -- --fresh`.
import { ensureBuilt } from './build.mjs'
import { emulateEngine } from './emulate-engine.mjs'
import { ensureInstalled } from './install.mjs'
import { say } from './say.mjs'

await ensureInstalled()
const noEngine = await emulateEngine({ say })
if (noEngine) say(noEngine)
if (!(await ensureBuilt())) process.exit(1)
const { main } = await import('../packages/cli/bundle/main.js')
await main([process.execPath, 'tidemark', 'demo', ...process.argv.slice(2)])
