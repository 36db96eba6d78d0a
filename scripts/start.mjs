// `npm start`: install what is missing, build what changed, then become the service (one process, so signals reach it).
import { prepare } from './prepare.mjs'

// The service itself says why there is no engine, unless logs are kept in a ClickHouse server.
await prepare()
const { main } = await import('../packages/server/bundle/main.js')
await main()
