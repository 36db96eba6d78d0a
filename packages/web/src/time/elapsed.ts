/** Lengths of time as the pages write them: those of the service, on one line. */
import * as wire from '@tidemark/wire/time/elapsed'
import { unbroken } from '../text/unbroken.ts'

export const formatElapsed = (seconds: number): string => unbroken(wire.formatElapsed(seconds))

export const spanWords = (lengthUs: number): string => unbroken(wire.spanWords(lengthUs))

export const formatAgo = (timestamp: string, nowMs: number): string => unbroken(wire.formatAgo(timestamp, nowMs))
