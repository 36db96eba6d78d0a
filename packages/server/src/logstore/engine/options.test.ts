import { expect, it } from 'vitest'
import { connectionSettings } from './options.ts'

const budget = { engineBytes: 1_000, queryBytes: 400 }
const ofCompiling = (slowdown: number) =>
  Object.entries(connectionSettings(budget, slowdown)).filter(([name]) => name.startsWith('compile_'))

it('has a slow engine interpret what it is asked, and leaves any other to decide', () => {
  expect(ofCompiling(5)).toEqual([
    ['compile_expressions', '0'],
    ['compile_aggregate_expressions', '0'],
    ['compile_sort_description', '0'],
  ])
  expect(ofCompiling(1)).toEqual([])
})
