import { useIsBelow } from '../../frame/use-is-below.ts'
import { HISTOGRAM_HEIGHT } from './histogram-layout.ts'

/** A phone has less height to spare. */
const PHONE_HEIGHT = 92

export const useHistogramHeight = (): number => (useIsBelow('sm') ? PHONE_HEIGHT : HISTOGRAM_HEIGHT)
