import { KEY_KINDS } from '@tidemark/wire/people/key-kind'
import { createKeyCommand } from '@tidemark/wire/shell-commands'
import { Command } from 'commander'
import { expect, it } from 'vitest'
import { keyCommands } from './key-commands.ts'

it.each(KEY_KINDS)('the command that people are told to make a key of kind %s with is taken', (kind) => {
  const program = new Command('tidemark')
  keyCommands(program)
  const create = program.commands.flatMap(({ commands }) => commands).find((command) => command.name() === 'create')!
  const given: unknown[] = []
  create.exitOverride().action((options) => void given.push(options))
  program.parse(createKeyCommand(kind).split(' ').slice(1), { from: 'user' })
  expect(given).toEqual([{ project: '<project>', kind }])
})
