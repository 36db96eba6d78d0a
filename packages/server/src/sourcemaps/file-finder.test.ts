import { expect, it } from 'vitest'
import { FileFinder } from './file-finder.ts'

function stored(...names: string[]) {
  const files = names.map((file) => ({ file, digest: file, loadedBytes: 1 }))
  const asked: string[][] = []
  const store = {
    filesAt: async (_project: string, _release: string, paths: readonly string[]) => {
      asked.push([...paths])
      return files.filter(({ file }) => paths.includes(file))
    },
    paths: async () => {
      asked.push(['all paths'])
      return names
    },
  }
  const finder = new FileFinder(store, 'a', '1.0')
  const find = async (frame: string) => (await finder.find([frame], () => true)).get(frame)?.file
  return { asked, finder, find }
}

const SHOP = ['assets/main.js', 'admin/main.js', 'vendor-1a2b.js', 'dist/client/app.js']

it('finds the file whose path that of a frame ends with', async () => {
  const { find } = stored(...SHOP, 'main.js')
  expect(await find('https://a.example/static/assets/main.js?x')).toBe('assets/main.js')
  expect(await find('/srv/app/admin/main.js')).toBe('admin/main.js')
  expect(await find('https://a.example/other/main.js')).toBe('main.js')
})

it('finds the only one of a name, and none where there are several', async () => {
  const { find } = stored(...SHOP)
  expect(await find('https://cdn.example/x/vendor-1a2b.js')).toBe('vendor-1a2b.js')
  expect(await find('https://a.example/app.js')).toBe('dist/client/app.js')
  expect(await find('https://a.example/other/main.js')).toBeUndefined()
  expect(await find('https://a.example/assets/unknown.js')).toBeUndefined()
})

it('asks only for what it does not know, once, and for as many as it may', async () => {
  const { asked, finder } = stored(...SHOP)
  let left = 2
  const frames = ['x/app.js', 'y/app.js', 'z/app.js']
  for (let times = 0; times < 3; times++) {
    const found = await finder.find(frames, () => left-- > 0)
    expect(frames.map((frame) => found.get(frame)?.file)).toEqual([
      'dist/client/app.js',
      'dist/client/app.js',
      undefined,
    ])
  }
  expect(asked).toEqual([['x/app.js', 'app.js', 'y/app.js'], ['all paths'], ['dist/client/app.js']])
})
