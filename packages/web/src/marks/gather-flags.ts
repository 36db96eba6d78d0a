/**
 * Where the flags of deploys stand above a chart, and their lines in it. Flags that would cover each other are one flag, and no
 * flag stands for more than it is wide: lines are never gathered. No drawing here.
 */

/** Of a flag alone, and what a count beside it adds. */
const FLAG_WIDTH = 20
const COUNT_WIDTH = 12
const DIGIT_WIDTH = 7

/** `its`: in the order of their places. `x`: of its line, which it touches; `left`: where it begins, at its line if there is room. */
export type GatheredFlag<One> = { x: number; left: number; width: number; its: One[] }

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
  const flagOf = (its: One[], right: number): GatheredFlag<One> => {
    const x = withinChart(anchorOf(its)?.x ?? 0, width)
    return { x, left: Math.min(x, right - widthOf(its)), width: widthOf(its), its }
  }
  const gathered: One[][] = []
  for (const one of ones.toSorted((a, b) => a.x - b.x)) {
    const last = gathered.at(-1)
    if (last && one.x < (anchorOf(last)?.x ?? 0) + widthOf(last)) last.push(one)
    else gathered.push([one])
  }
  // From the end, where there is no room on the right: each gives way to the next, as long as it touches its line.
  const flags: GatheredFlag<One>[] = []
  for (const its of gathered.reverse()) {
    let flag = flagOf(its, flags.at(-1)?.left ?? width)
    while (flags.length > 0 && flag.left < Math.max(0, flag.x - flag.width)) {
      const next = flags.pop()
      flag = flagOf([...flag.its, ...(next?.its ?? [])], flags.at(-1)?.left ?? width)
    }
    flags.push(flag)
  }
  return flags.reverse()
}

export type PixelLine = { x: number; isStrong: boolean }

/** At most one for each pixel, however many deploys there are. */
export function linesPerPixel(lines: readonly PixelLine[], width: number): PixelLine[] {
  const strongByX = new Map<number, boolean>()
  for (const { x, isStrong } of lines) {
    const pixel = Math.round(withinChart(x, width))
    strongByX.set(pixel, isStrong || strongByX.get(pixel) === true)
  }
  return [...strongByX].map(([x, isStrong]) => ({ x, isStrong }))
}

/** Half of a line is on either side. */
const withinChart = (x: number, width: number): number => Math.min(x, width - 1)

export const flagWidth = ({ length }: readonly unknown[]): number =>
  length === 1 ? FLAG_WIDTH : FLAG_WIDTH + countWidth(length)

export const countWidth = (count: number): number => COUNT_WIDTH + (String(count).length - 1) * DIGIT_WIDTH
