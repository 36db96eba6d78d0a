/** How a level looks: a letter and a colour, so that it is never the colour alone. */
import { LEVELS, type Level } from '@tidemark/wire/level'

export const LEVEL_LOOK: Record<Level, { letter: string; text: string; bar: string; fill: string }> = {
  trace: { letter: 'T', text: 'text-trace', bar: 'bg-bar-trace', fill: 'fill-bar-trace' },
  debug: { letter: 'D', text: 'text-debug', bar: 'bg-bar-debug', fill: 'fill-bar-debug' },
  info: { letter: 'I', text: 'text-info', bar: 'bg-bar-info', fill: 'fill-bar-info' },
  warn: { letter: 'W', text: 'text-warn', bar: 'bg-bar-warn', fill: 'fill-bar-warn' },
  error: { letter: 'E', text: 'text-error', bar: 'bg-bar-error', fill: 'fill-bar-error' },
  fatal: { letter: 'F', text: 'text-fatal', bar: 'bg-bar-fatal', fill: 'fill-bar-fatal' },
}

export function levelOf(text: string): Level {
  return LEVELS.find((level) => level === text) ?? 'info'
}
