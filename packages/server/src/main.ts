/** The process: configuration in, a running service, a clean end. */
import { type App, startApp } from './app.ts'
import { type Config, ConfigError, loadConfig, unknownVariables } from './config/config.ts'
import { AppError } from './errors.ts'
import { createLog, type Log } from './log.ts'
import { settingsFor, welcomeText } from './operator/welcome.ts'
import { stopOnSignals } from './stop-on-signals.ts'

export async function main(): Promise<void> {
  const config = configOrExit()
  const log = createLog(config.logLevel)
  for (const name of unknownVariables()) log.warn({ variable: name }, 'this variable is not known and was ignored')
  // Before the start: the first process of a container has no other answer to a signal than its own.
  const stopping = stopOnSignals(log)
  const app = await startOrExit(config, log)
  if (stopping.aborted) return stopAndExit(app, log)
  stopping.addEventListener('abort', () => stopAndExit(app, log))
  exitOnBugs(log)
  // Standard output, because it is the answer to what the person typed.
  process.stdout.write(welcomeText({ ...app, settings: settingsFor(config.storage) }))
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
    // Our own errors are written for this reader; anything else is a bug and is shown in full.
    process.stderr.write(
      `Tidemark could not start. ${error instanceof AppError ? error.message : String((error as Error).stack ?? error)}\n`,
    )
    if (error instanceof AppError && error.cause) log.debug({ err: error.cause }, 'the cause')
    process.exit(1)
  }
}

async function stopAndExit(app: App, log: Log): Promise<void> {
  try {
    await app.stop()
    log.info('stopped')
    process.exit(0)
  } catch (error) {
    log.error({ err: error }, 'the stop failed')
    process.exit(1)
  }
}

function exitOnBugs(log: Log): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    process.exit(1)
  })
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    process.exit(1)
  })
}
