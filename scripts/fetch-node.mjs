// Newer Nodes than the one that runs a script: packages of npm, kept in .cache. There are some for Linux only.
import { join } from 'node:path'
import { fetchPackage } from './fetch-package.mjs'
import { root } from './install.mjs'

export const NODES = [
  {
    version: '22.23.3',
    arm64: 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
    x64: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
  {
    version: '24.21.0',
    arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
]

/** The path of its program. */
export async function fetchNode(version, say) {
  const known = NODES.find((node) => node.version === version)
  const target = join(root, '.cache', `node-${version}`)
  const name = `node-linux-${process.arch}`
  const integrity = known?.[process.arch]
  if (integrity === undefined)
    throw new Error(`There is no hash of ${name} ${version}: add it in scripts/fetch-node.mjs.`)
  await fetchPackage({ name, version, integrity, target }, say)
  return join(target, 'bin/node')
}
