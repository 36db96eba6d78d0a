import type { Command } from 'commander'
import { type ConnectionOptions, connectionFor, connectionOptions } from '../client/connection.ts'
import { bridge } from './bridge.ts'

export function mcpCommand(program: Command): void {
  const command = program
    .command('mcp')
    .description('connect an MCP client that starts its servers as processes: JSON-RPC lines in and out')
  connectionOptions(command, 'read').action(async (options: ConnectionOptions) => {
    const connection = connectionFor('read', options, 'The bridge did not start.')
    await bridge({ connection, input: process.stdin, write: (line) => void process.stdout.write(line) })
  })
}
