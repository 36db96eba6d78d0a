// `npm start`: install what is missing, build what changed, then become the service (one process, so signals reach it).
import { ensureBuilt } from './build.mjs'
import { emulateEngine } from './emulate-engine.mjs'
import { ensureInstalled } from './install.mjs'
import { say } from './say.mjs'

await ensureInstalled()
// The service itself says why there is no engine, unless logs are kept in a ClickHouse server.
await emulateEngine({ say })
if (!(await ensureBuilt())) process.exit(1)
const { main } = await import('../packages/server/bundle/main.js')
await main()
