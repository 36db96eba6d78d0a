import { createInterface } from 'node:readline/promises'
import { AppError } from '@tidemark/server/errors'
import { oneLine } from '../client/terminal-text.ts'

type Terminal = { input: NodeJS.ReadableStream & { isTTY?: boolean }; output: NodeJS.WritableStream }

/**
 * Asks for the name of what is about to be lost for good. Standard output stays free for the answer of the command. Without a
 * terminal no one can answer, so a script has to give `--yes`.
 */
export async function confirmLoss(
  { loss, name, yes = false }: { loss: string; name: string; yes?: boolean | undefined },
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (yes) return
  if (!input.isTTY) throw new AppError('invalid_request', `${loss} To delete it without a terminal, add --yes.`)
  output.write(`${loss}\n`)
  const lines = createInterface({ input, output })
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    const answer = await Promise.race([lines.question(`Type ${oneLine(name)} to delete it: `), closed])
    if (answer.trim() !== name) throw new AppError('invalid_request', 'Nothing was deleted: the name was not typed.')
  } finally {
    lines.close()
  }
}
