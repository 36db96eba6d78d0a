// `npm run bench`: all benchmarks; `npm run bench -- NAME…` runs some. Compiled into .cache/build with the sources they use.
import { join } from 'node:path'
import { root } from './install.mjs'
import { prepare } from './prepare.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'

await prepare()
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const { code, output } = await run(process.execPath, [tsc, '-p', 'tsconfig.bench.json'], { cwd: root })
if (code !== 0) {
  say(`it does not compile:\n${output}`)
  process.exit(1)
}
const { main } = await import(join(root, '.cache/build/bench/main.js'))
await main(process.argv.slice(2))
