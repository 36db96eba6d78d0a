/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const CSS = readFileSync(new URL('theme.css', import.meta.url), 'utf8')

const TEXTS = ['text', 'muted', 'faint', 'accent', 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'good', 'bad']
/** Where a row, a menu entry or a panel may put any of them: an open row is tinted, a hovered one too. */
const SURFACES = ['background', 'surface', 'raised', 'hover', 'accent-surface']
const LEAST = 4.5

describe('the palette', () => {
  it.each(['light', 'dark'] as const)('keeps every text readable on every surface in %s', (scheme) => {
    const unreadable = TEXTS.flatMap((text) =>
      SURFACES.map((surface) => ({ text, surface, contrast: contrast(colour(text, scheme), colour(surface, scheme)) })),
    ).filter((pair) => pair.contrast < LEAST)
    expect(unreadable).toEqual([])
  })

  it.each(['light', 'dark'] as const)('keeps deploys and filled buttons readable in %s', (scheme) => {
    const pairs = [
      ['deploy', 'deploy-surface'],
      ['deploy', 'surface'],
      ['surface', 'deploy'],
      ['on-accent', 'accent'],
    ] as const
    for (const [text, surface] of pairs) {
      expect(contrast(colour(text, scheme), colour(surface, scheme)), `${text} on ${surface}`).toBeGreaterThan(LEAST)
    }
  })

  it.each(['light', 'dark'] as const)('keeps an empty box and a chosen one visible in %s', (scheme) => {
    for (const surface of SURFACES) {
      for (const edge of ['faint', 'accent']) {
        const seen = contrast(colour(edge, scheme), colour(surface, scheme))
        expect(seen, `${edge} on ${surface}`).toBeGreaterThan(3)
      }
    }
  })

  it.each(['light', 'dark'] as const)('keeps every line of a chart visible on its surface in %s', (scheme) => {
    for (let at = 1; at <= 8; at++) {
      const line = contrast(colour(`series-${at}`, scheme), colour('surface', scheme))
      expect(line, `series ${at}`).toBeGreaterThan(3)
    }
  })

  it.each(['light', 'dark'] as const)('tells the bars of quiet levels apart by their lightness in %s', (scheme) => {
    const [trace, debug, info, surface] = ['bar-trace', 'bar-debug', 'bar-info', 'surface'].map((name) =>
      colour(name, scheme),
    ) as [string, string, string, string]
    expect(contrast(info, surface)).toBeGreaterThan(3)
    expect(contrast(info, debug)).toBeGreaterThan(1.5)
    expect(contrast(debug, trace)).toBeGreaterThan(1.25)
    expect(contrast(trace, surface)).toBeGreaterThan(1.4)
  })
})

function colour(name: string, scheme: 'light' | 'dark'): string {
  const found = new RegExp(`--color-${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(CSS)
  if (!found) throw new Error(`There is no colour ${name} in theme.css.`)
  return found[scheme === 'light' ? 1 : 2] ?? ''
}

/** By WCAG: 1 for two equal colours, 21 for black on white. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
