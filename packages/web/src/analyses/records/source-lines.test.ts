import type { SourceExcerpt } from '@tidemark/wire/analyses/source'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { SourceLines } from './source-lines.tsx'

const sha = 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678'
const excerpt: SourceExcerpt = {
  ...{ sha, file: 'src/cart.ts', line: 2, function: 'total' },
  lines: [
    { number: 1, text: 'const before = 1', change: 'none', sha: null },
    { number: null, text: 'const gone = 1', change: 'removed', sha },
    { number: 2, text: 'const total = sum(lines)', change: 'added', sha },
  ],
}

it('source lines are never struck out or broken: a sign says what was removed, and long ones scroll sideways', () => {
  const markup = renderToStaticMarkup(createElement(SourceLines, { excerpt }))
  expect(markup).not.toContain('line-through')
  expect(markup).not.toContain('overflow-wrap')
  expect(markup).toMatch(/<ol[^>]*overflow-x-auto/)
  expect(markup.match(/whitespace-pre[ "]/g)).toHaveLength(3)
  expect(markup).toContain('−')
})
