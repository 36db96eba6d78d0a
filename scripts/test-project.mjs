// What is too long for `npm test`. `npm run test:more`: what else must hold before a change lands. `npm run test:faults`: the
// fault runs, each with a table of what it did; FAULT_TIMES sets how often each fault is repeated. `npm run test:long`: the
// logs page in the browser, use by use. `npm run test:nodes`: the tests from outside once more, every service two nodes behind a
// proxy. `npm run test:cluster`: the tests of the log store once more, in the layout of a cluster. A further word runs the files
// whose name contains it.
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { emulateEngine } from './emulate-engine.mjs'
import { ensureInstalled, root } from './install.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'
import { ensureSystemPackages } from './system-packages.mjs'

await ensureInstalled()
await ensureSystemPackages()
await emulateEngine({ say })
if (!(await ensureBuilt())) process.exit(1)
const [project = '', ...words] = process.argv.slice(2)
// A fault run shows what each of its few tests did.
const reporter = ['more', 'nodes', 'cluster'].includes(project) ? 'default' : 'verbose'
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { code } = await run(
  process.execPath,
  [vitest, 'run', `--reporter=${reporter}`, '--project', project, ...words],
  {
    cwd: root,
    show: true,
  },
)
process.exit(code)
