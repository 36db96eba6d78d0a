/** Compiles one of the server's source files, with what it imports, so that a test can run it as a program of its own. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const sourceRoot = fileURLToPath(new URL('..', import.meta.url))
const repositoryRoot = fileURLToPath(new URL('../../../..', import.meta.url))

export type Compiled = { program: string; remove(): void }

export function compile(sourceFile: string): Compiled {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-compiled-'))
  symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const options = { rootDir: sourceRoot, outDir: join(folder, 'out'), composite: false, declaration: false }
  const config = {
    extends: join(repositoryRoot, 'tsconfig.base.json'),
    compilerOptions: { ...options, typeRoots: [join(repositoryRoot, 'node_modules/@types')] },
    files: [sourceFile],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', folder], { stdio: 'pipe' })
  return {
    program: join(folder, 'out', relative(sourceRoot, sourceFile).replace(/\.ts$/, '.js')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
