import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Later, untilFirstSight } from './later.tsx'

let frames: (() => void)[] = []

beforeEach(() => {
  vi.useFakeTimers()
  frames = []
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw))
})

afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const drawn = () => renderToStaticMarkup(createElement(Later, { instead: 'its place' }, 'the rest'))

it('draws everything at once where nothing is to be seen first', () => {
  expect(drawn()).toBe('the rest')
})

it('keeps the place of the rest until the page was seen for the first time', async () => {
  const seen = untilFirstSight()
  expect(drawn()).toBe('its place')
  for (const draw of frames) draw()
  expect(drawn()).toBe('its place')
  vi.advanceTimersByTime(0)
  expect(drawn()).toBe('the rest')
  await seen
})

it('draws the rest also in a page that is in the background, which gets no frame', async () => {
  const seen = untilFirstSight()
  vi.advanceTimersByTime(499)
  expect(drawn()).toBe('its place')
  vi.advanceTimersByTime(1)
  expect(drawn()).toBe('the rest')
  await seen
})
