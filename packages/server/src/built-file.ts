/**
 * Where the compiled file `name` is, beside the module at `here`. Threads and child processes always run compiled code,
 * also when the module that starts them is a test's and runs from the sources.
 */
export function builtFile(name: string, here: string): URL {
  return new URL(name, here.replace(/\/src\/((?:[^/]+\/)*)[^/]*\.ts$/, '/dist/$1'))
}
