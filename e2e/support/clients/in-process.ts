/**
 * The command line without a separate process: for what a command does, not for how a process begins and ends. A
 * process takes half a second to start, most of it for loading what this one has loaded already. One command at a time,
 * because variables, streams and the exit code are the process's.
 */
import { cleanEnvironment, temporaryFolder } from '../service/processes.ts'
import type { CommandResult } from '../service/service.ts'
import { storesOf } from '../service/stores.ts'

type Options = { env?: Record<string, string>; dataDir?: string }

let last: Promise<unknown> = Promise.resolve()

export function commandInProcess(args: readonly string[], options: Options = {}): Promise<CommandResult> {
  const result = last.then(() => run(args, options))
  last = result.catch(() => {})
  return result
}

async function run(
  args: readonly string[],
  { env = {}, dataDir = temporaryFolder() }: Options,
): Promise<CommandResult> {
  const stores = await storesOf(dataDir)
  const own = { env: process.env, exitCode: process.exitCode, errorListeners: process.stdout.listeners('error') }
  const streams = [capture(process.stdout), capture(process.stderr)] as const
  process.env = { ...cleanEnvironment(), TIDEMARK_DATA_DIR: dataDir, TIDEMARK_PORT: '0', ...stores, ...env }
  process.exitCode = undefined
  try {
    const { main } = await import('../../../packages/cli/src/main.ts')
    await main(['node', 'tidemark', ...args])
    const [stdout, stderr] = streams.map(({ text }) => text())
    return { code: Number(process.exitCode ?? 0), stdout: stdout!, stderr: stderr!, json: () => JSON.parse(stdout!) }
  } finally {
    for (const { release } of streams) release()
    for (const listener of process.stdout.listeners('error')) {
      if (!own.errorListeners.includes(listener)) process.stdout.off('error', listener as () => void)
    }
    process.env = own.env
    process.exitCode = own.exitCode
  }
}

function capture(stream: NodeJS.WriteStream): { text(): string; release(): void } {
  const { write } = stream
  let text = ''
  stream.write = (chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    return true
  }
  return {
    text: () => text,
    release: () => {
      stream.write = write
    },
  }
}
