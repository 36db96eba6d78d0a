// `npm run demo`: install what is missing, build what changed, then become the demo (one process, so signals reach it).
// Arguments go to `tidemark demo`: `npm run demo -- --fresh`.
import { prepare } from './prepare.mjs'
import { say } from './say.mjs'

const noEngine = await prepare()
if (noEngine) say(noEngine)
const { main } = await import('../packages/cli/bundle/main.js')
await main([process.execPath, 'tidemark', 'demo', ...process.argv.slice(2)])
