import { withCommas } from '@tidemark/wire/text/counted'
import { largestThatFits } from './text/shorten.ts'
import type { Fit, Reply } from './tool.ts'

type Page<Rows extends string> = { [key in Rows]: readonly unknown[] } & { window: { from: string; to: string } }
type Asked = { cursor?: string | undefined; limit?: number | undefined }

/**
 * A page of rows within the budget. First the texts of all rows are shortened, step by step; then rows go, and
 * the verb is asked again for what fits, because the cursor of the longer page would skip what was cut.
 */
export async function cutPage<Rows extends string, Given extends Page<Rows>, Input extends Asked, Step, Answer>(
  {
    rows,
    asked,
    ask,
    steps,
    replyOf,
  }: {
    /** The field of the answer that holds them. */
    rows: Rows
    asked: Input
    ask: (input: Input) => Promise<Given>
    steps: readonly Step[]
    replyOf: (page: Given, step: Step) => Reply<Answer>
  },
  choose: Fit<Answer>,
): Promise<Reply<Answer>> {
  const page = await ask(asked)
  const whole = choose(steps, (step) => replyOf(page, step))
  if (whole.fits) return whole.reply
  const cutReply = (one: Given, count: number): Reply<Answer> => {
    const reply = replyOf({ ...one, [rows]: one[rows].slice(0, count) }, steps.at(-1)!)
    const left = page[rows].length - count
    return {
      ...reply,
      cut: [...(reply.cut ?? []), comeLater(left)],
    }
  }
  const count = largestThatFits(page[rows].length, (one) => choose([one], (most) => cutReply(page, most)).fits)
  // One less, for the cursor that the longer page may not have had; the same window, or the rows would have moved.
  const limit = Math.max(1, count - 1)
  const frozen = asked.cursor === undefined ? { ...asked, ...page.window } : asked
  return cutReply(await ask({ ...frozen, limit }), limit)
}

/** Said of rows that were cut from a page. */
export function comeLater(rows: number): string {
  return `${withCommas(rows)} more did not fit: nextCursor goes on there.`
}
