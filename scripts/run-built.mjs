// Compiles bench/ and e2e/faults/ (with the sources they use) into .cache/build and runs one of their programs.
import { join } from 'node:path'
import { root } from './install.mjs'
import { prepare } from './prepare.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'

export async function runBuilt(program, args) {
  await prepare()
  const { code, output } = await run(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.bench.json'],
    { cwd: root },
  )
  if (code !== 0) {
    say(`it does not compile:\n${output}`)
    process.exit(1)
  }
  const { main } = await import(join(root, '.cache/build', program))
  await main(args)
}
