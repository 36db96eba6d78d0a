// `npm run bench`: all benchmarks; `npm run bench -- NAME…` runs some.
import { runBuilt } from './run-built.mjs'

await runBuilt('bench/main.js', process.argv.slice(2))
