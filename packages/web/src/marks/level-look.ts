/** How a level looks: a letter and a colour, so that it is never the colour alone. */
import { LEVELS, type Level } from '@tidemark/wire/level'

type Look = { letter: string; text: string; bar: string; fill: string; isLoud?: true }

export const LEVEL_LOOK: Record<Level, Look> = {
  trace: { letter: 'T', text: 'text-trace', bar: 'bg-bar-trace', fill: 'fill-bar-trace' },
  debug: { letter: 'D', text: 'text-debug', bar: 'bg-bar-debug', fill: 'fill-bar-debug' },
  info: { letter: 'I', text: 'text-info', bar: 'bg-bar-info', fill: 'fill-bar-info' },
  warn: { letter: 'W', text: 'text-warn', bar: 'bg-bar-warn', fill: 'fill-bar-warn' },
  error: { letter: 'E', text: 'text-error', bar: 'bg-bar-error', fill: 'fill-bar-error', isLoud: true },
  fatal: { letter: 'F', text: 'text-fatal', bar: 'bg-bar-fatal', fill: 'fill-bar-fatal', isLoud: true },
}

export function levelLook(text: string): Look {
  return LEVEL_LOOK[LEVELS.find((level) => level === text) ?? 'info']
}
