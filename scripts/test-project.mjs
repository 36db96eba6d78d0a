// What is too long for `npm test`. `npm run test:more`: what else must hold before a change lands. `npm run test:faults`: the
// fault runs, each with a table of what it did; FAULT_TIMES sets how often each fault is repeated. `npm run test:long`: the
// logs page in the browser, use by use. `npm run test:nodes`: the tests from outside once more, every service two nodes behind a
// proxy. `npm run test:cluster`: the tests of the log store once more, in the layout of a cluster. A further word runs the files
// whose name contains it.
import { prepare, runVitest } from './prepare.mjs'

await prepare({ programs: true })
const [project = '', ...words] = process.argv.slice(2)
// A fault run shows what each of its few tests did.
const reporter = ['more', 'nodes', 'cluster'].includes(project) ? 'default' : 'verbose'
process.exit(await runVitest([`--reporter=${reporter}`, '--project', project, ...words]))
