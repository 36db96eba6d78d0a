// `npm run test:faults`: the long fault runs; `npm run test:faults -- NAME…` runs some.
import { runBuilt } from './run-built.mjs'

await runBuilt('e2e/faults/main.js', process.argv.slice(2))
