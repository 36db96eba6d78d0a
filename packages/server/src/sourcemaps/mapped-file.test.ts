import { MAX_MAPPED_FILE_CHARACTERS } from '@tidemark/wire/limits'
import { describe, expect, it } from 'vitest'
import { MAX_FOLDERS, mappedFile, pathsOf } from './mapped-file.ts'

it.each([
  ['https://a.example/assets/main.js?v=3', 'assets/main.js'],
  ['~/assets/main.js', 'assets/main.js'],
  ['./assets//main.js', 'assets/main.js'],
  ['/srv/app/main.js', 'srv/app/main.js'],
  ['a\\b\\main.js#x', 'a/b/main.js'],
  ['../main.js', ''],
  ['https://a.example', ''],
  ['x'.repeat(3_000), ''],
])('%s is the file %j', (name, file) => expect(mappedFile(name)).toBe(file))

describe('the paths that a frame can mean', () => {
  it('are all that its file ends with, the longest first', () => {
    expect(pathsOf('https://a.example/static/assets/main.js?x')).toEqual([
      'static/assets/main.js',
      'assets/main.js',
      'main.js',
    ])
    expect(pathsOf('../main.js')).toEqual([])
  })

  it('are bounded, however deep and long it is', () => {
    const deep = pathsOf(`https://a.example/${'x/'.repeat(500)}assets/main.js`)
    expect(deep).toHaveLength(MAX_FOLDERS + 1)
    expect(deep.slice(-2)).toEqual(['assets/main.js', 'main.js'])
    const long = 'y'.repeat(MAX_MAPPED_FILE_CHARACTERS - 2)
    expect(pathsOf(`/a/b/${long}`)).toEqual([`b/${long}`, long])
    expect(pathsOf(`/a/b/${long}.js`)).toEqual([])
  })

  it('are none that the store could not have', () => {
    expect(pathsOf('https://a.example/a\ud83d/main.js')).toEqual([])
    expect(pathsOf('https://a.example/a\0/main.js')).toEqual([])
  })
})
