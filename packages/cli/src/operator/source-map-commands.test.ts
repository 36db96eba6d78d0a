import { expect, it } from 'vitest'
import { goOnWords } from './source-map-commands.ts'

it('names the page that follows as a shell takes it, whatever a release is called', () => {
  expect(goOnWords('web@1.2')).toBe('There are more: --after=web@1.2')
  expect(goOnWords('$(id) `id`')).toBe("There are more: --after='$(id) `id`'")
  expect(goOnWords('a\tb\u202e')).toBe("There are more: --after=$'a\\tb\\342\\200\\256'")
})
