/** The process: configuration in, a running service, a clean end. */
import { type App, startApp } from './app.ts'
import { type Config, ConfigError, loadConfig, unknownVariables } from './config.ts'
import { AppError } from './errors.ts'
import { createLog, type Log } from './log.ts'
import { printWelcome } from './welcome.ts'

/** The whole stop must end within this, whatever hangs. */
const STOP_DEADLINE_MS = 9_500

export async function main(): Promise<void> {
  const config = configOrExit()
  const log = createLog(config.logLevel)
  for (const name of unknownVariables()) log.warn({ variable: name }, 'this variable is not known and was ignored')
  const app = await startOrExit(config, log)
  stopOnSignals(app, log)
  printWelcome(app)
}

function configOrExit(): Config {
  try {
    return loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\nEvery variable is described in docs/configuration.md.\n`)
    process.exit(1)
  }
}

async function startOrExit(config: Config, log: Log): Promise<App> {
  try {
    return await startApp(config, log)
  } catch (error) {
    // Our own errors are written for this reader; anything else is a bug and shows itself whole.
    process.stderr.write(
      `Tidemark could not start. ${error instanceof AppError ? error.message : String((error as Error).stack ?? error)}\n`,
    )
    if (error instanceof AppError && error.cause) log.debug({ err: error.cause }, 'the cause')
    process.exit(1)
  }
}

/** A terminal and npm may both pass on Ctrl-C, so a second signal must not cut the stop short. */
function stopOnSignals(app: App, log: Log): void {
  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.error('could not stop in time')
      process.exit(1)
    }, STOP_DEADLINE_MS).unref()
    try {
      await app.stop()
      log.info('stopped')
      process.exit(0)
    } catch (error) {
      log.error({ err: error }, 'the stop failed')
      process.exit(1)
    }
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    process.exit(1)
  })
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    process.exit(1)
  })
}
