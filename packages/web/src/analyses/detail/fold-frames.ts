/** Frames of the program one by one, frames of libraries in the runs they come in. */
import type { AnalysisDetail } from '@tidemark/wire/analysis'

export type StackFrame = AnalysisDetail['stack'][number]['frames'][number]
export type FrameRun = { isLibrary: boolean; frames: StackFrame[] }

export function foldFrames(frames: readonly StackFrame[]): FrameRun[] {
  const runs: FrameRun[] = []
  for (const frame of frames) {
    const isLibrary = !frame.inApp
    const last = runs.at(-1)
    if (last?.isLibrary === isLibrary) last.frames.push(frame)
    else runs.push({ isLibrary, frames: [frame] })
  }
  return runs
}

/** `src/cart.ts:42:7`, as editors and terminals open it. */
export function placeOf({ file, line, column }: StackFrame): string {
  if (line === null) return file
  return column === null ? `${file}:${line}` : `${file}:${line}:${column}`
}
