import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { confirmLoss } from './confirm-loss.ts'

const SHOP = { loss: 'All records of shop are lost.', name: 'shop' }

function terminal({ isTTY }: { isTTY: boolean }) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  return { input, output, shown: () => String(output.read() ?? '') }
}

it('asks for the name on a terminal, and goes on only with that', async () => {
  const right = terminal({ isTTY: true })
  right.input.end('shop\n')
  await confirmLoss(SHOP, right)
  expect(right.shown()).toMatch(/^All records of shop are lost\.\n.*Type shop to delete it: /s)
  for (const answer of ['y\n', 'Shop\n', '\n', '']) {
    const other = terminal({ isTTY: true })
    other.input.end(answer)
    await expect(confirmLoss(SHOP, other), answer).rejects.toThrow('Nothing was deleted')
  }
})

it('asks nothing with --yes, and needs it without a terminal', async () => {
  await confirmLoss({ ...SHOP, yes: true }, terminal({ isTTY: true }))
  await confirmLoss({ ...SHOP, yes: true }, terminal({ isTTY: false }))
  await expect(confirmLoss(SHOP, terminal({ isTTY: false }))).rejects.toThrow(
    'All records of shop are lost. To delete it without a terminal, add --yes.',
  )
})
