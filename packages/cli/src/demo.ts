import { AppError } from '@tidemark/server/errors'
import type { Command } from 'commander'

type Options = { dataDir: string; port?: string; fresh?: boolean; live: boolean }

export function demoCommand(program: Command): void {
  program
    .command('demo')
    .option('--data-dir <folder>', 'where the demo keeps everything', './data-demo')
    .option('--port <port>', 'port to listen on (default: TIDEMARK_PORT, else 4700)')
    .option('--fresh', 'throw the old demo away and begin with a new history that ends now')
    .option('--no-live', 'leave out the traffic that goes on while the demo runs')
    .description('run the service with a simulated shop: weeks of logs, deploys, a repository and a dozen incidents')
    .action(async ({ dataDir, port, fresh = false, live }: Options) => {
      if (port !== undefined && !/^\d{1,5}$/.test(port))
        throw new AppError(
          'invalid_request',
          `--port takes a whole number from 0 to 65535; got ${JSON.stringify(port)}.`,
        )
      // Loaded when it is needed: the service is most of the time that a short command would take.
      const { runDemo } = await import('@tidemark/demo/run-demo')
      await runDemo({ dataDir, port, fresh, live })
    })
}
