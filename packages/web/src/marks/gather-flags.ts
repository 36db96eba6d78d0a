/** Where the flags of deploys stand above a chart: flags that would cover each other are one flag. No drawing here. */

/** Of a flag alone, and what a count beside it adds. */
const FLAG_WIDTH = 20
const COUNT_WIDTH = 12
const DIGIT_WIDTH = 7

/** `its`: in the order of their places. `isFlipped`: there is no room on the right, and the page would scroll sideways for it. */
export type GatheredFlag<One> = { x: number; its: One[]; isFlipped: boolean }

type Rule<One> = {
  /** Of the chart. */
  width: number
  /** How much room a flag for these takes. */
  widthOf?: (its: readonly One[]) => number
  /** Which of them says where their flag stands. */
  anchorOf?: (its: readonly One[]) => One | undefined
}

export function gatherFlags<One extends { x: number }>(
  ones: readonly One[],
  { width, widthOf = flagWidth, anchorOf = ([first]) => first }: Rule<One>,
): GatheredFlag<One>[] {
  const flagOf = (its: One[]): GatheredFlag<One> => {
    const x = anchorOf(its)?.x ?? 0
    // Half of its line is on either side.
    return { x: Math.min(x, width - 1), its, isFlipped: x + widthOf(its) > width }
  }
  const leftOf = ({ x, its, isFlipped }: GatheredFlag<One>) => (isFlipped ? x - widthOf(its) : x)
  const rightOf = ({ x, its, isFlipped }: GatheredFlag<One>) => (isFlipped ? x : x + widthOf(its))
  const flags: GatheredFlag<One>[] = []
  for (const one of ones.toSorted((a, b) => a.x - b.x)) {
    let flag = flagOf([one])
    for (let last = flags.at(-1); last && rightOf(last) > leftOf(flag); last = flags.at(-1)) {
      flags.pop()
      flag = flagOf([...last.its, ...flag.its])
    }
    flags.push(flag)
  }
  return flags
}

export const flagWidth = ({ length }: readonly unknown[]): number =>
  length === 1 ? FLAG_WIDTH : FLAG_WIDTH + countWidth(length)

export const countWidth = (count: number): number => COUNT_WIDTH + (String(count).length - 1) * DIGIT_WIDTH
