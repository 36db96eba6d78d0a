import { readFileSync } from 'node:fs'

/**
 * Where the compiled file `name` is, beside the module at `here`. Threads and child processes always run compiled code,
 * even when the module that starts them belongs to a test and runs from the sources.
 */
export function builtFile(name: string, here: string): URL {
  return new URL(name, here.replace(/\/src\/((?:[^/]+\/)*)[^/]*\.ts$/, '/dist/$1'))
}

/** Of this package: it stands only in its manifest, which is one folder above both sources and compiled code. */
export function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}
