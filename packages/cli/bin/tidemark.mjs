#!/usr/bin/env node
// Committed rather than built: npm does not link a bin whose file is missing at install.
// Inside a checkout it builds what changed first; a packed CLI has no scripts folder and runs what it carries.
import { existsSync } from 'node:fs'

const build = new URL('../../../scripts/build.mjs', import.meta.url)
if (existsSync(build)) {
  const { ensureBuilt } = await import(build.href)
  if (!(await ensureBuilt())) process.exit(1)
}
const { main } = await import('../bundle/main.js')
await main(process.argv)
