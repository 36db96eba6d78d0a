import { describe, expect, it } from 'vitest'
import { fileFinder, mappedFile } from './mapped-file.ts'

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

describe('the map of a frame', () => {
  const files = ['assets/main.js', 'admin/main.js', 'vendor-1a2b.js'].map((file) => ({ file }))
  const find = fileFinder(files)

  it('is the one whose path the file of the frame ends with', () => {
    expect(find('https://a.example/static/assets/main.js?x')?.file).toBe('assets/main.js')
    expect(find('/srv/app/admin/main.js')?.file).toBe('admin/main.js')
  })

  it('is the only one of that name, and none where there are several', () => {
    expect(find('https://cdn.example/x/vendor-1a2b.js')?.file).toBe('vendor-1a2b.js')
    expect(fileFinder([{ file: 'dist/client/app.js' }])('https://a.example/app.js')?.file).toBe('dist/client/app.js')
    expect(find('https://a.example/other/main.js')).toBeUndefined()
    expect(find('https://a.example/assets/unknown.js')).toBeUndefined()
  })

  it('is found in bounded steps, however deep a path is', () => {
    expect(find(`https://a.example/${'x/'.repeat(500)}assets/main.js`)).toBeUndefined()
  })
})
