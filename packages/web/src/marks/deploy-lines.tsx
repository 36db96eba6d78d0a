import type { PixelLine } from './gather-flags.ts'

type LinesProps = { lines: readonly PixelLine[]; top: number; bottom: number }

/** Each deploy at its own time, in a drawing: strong for those in question, thin for others. Two paths, however many there are. */
export function DeployLines({ lines, top, bottom }: LinesProps) {
  const pathOf = (isStrong: boolean) =>
    lines
      .filter((line) => line.isStrong === isStrong)
      // A line of one pixel is sharp in the middle of it.
      .map(({ x }) => `M${isStrong ? x : x + 0.5} ${top}V${bottom}`)
      .join('')
  return (
    <>
      <path data-testid="deploy-lines" d={pathOf(false)} strokeWidth={1} opacity={0.6} className="stroke-deploy" />
      <path data-testid="deploy-lines" d={pathOf(true)} strokeWidth={2} className="stroke-deploy" />
    </>
  )
}
