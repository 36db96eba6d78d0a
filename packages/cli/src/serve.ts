import type { Command } from 'commander'

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .description('run the service in the foreground, as `npm start` does')
    .action(async () => {
      // Loaded when it is needed: the service is most of the time that a short command would take.
      const { main } = await import('@tidemark/server/main')
      await main()
    })
}
