import { describe, expect, it } from 'vitest'
import { checkedBranch } from '../branch-name.ts'
import { parseRemoteAddress } from './remote-address.ts'

const strict = { allowLocal: false }
const local = { allowLocal: true }

describe('an address', () => {
  it.each([
    ['https://github.com/acme/shop.git', { kind: 'https', host: 'github.com', port: 443 }],
    ['https://GitHub.com/acme/shop/', { url: 'https://github.com/acme/shop', host: 'github.com' }],
    ['https://git.example.com:8443/a%20b.git', { url: 'https://git.example.com:8443/a%20b.git', port: 8443 }],
    ['https://dev.azure.com/org/p/_git/repo', { kind: 'https' }],
    [
      'git@github.com:acme/shop.git',
      { kind: 'ssh', host: 'github.com', port: 22, url: 'git@github.com:acme/shop.git' },
    ],
    ['ssh://git@ssh.github.com:443/acme/shop.git', { kind: 'ssh', host: 'ssh.github.com', port: 443 }],
    ['ssh://git@git.example.com/~ada/shop.git', { url: 'ssh://git@git.example.com/~ada/shop.git', port: 22 }],
  ])('%s is taken', (text, parts) => expect(parseRemoteAddress(text, strict)).toMatchObject(parts))

  it.each([
    ['/srv/git/shop.git', '/srv/git/shop.git'],
    ['/srv/a b/ü.git', '/srv/a b/ü.git'],
    ['file:///srv/git/shop%20two.git', '/srv/git/shop two.git'],
    ['https://127.0.0.1:9999/x.git', 'https://127.0.0.1:9999/x.git'],
    ['https://[::1]:9999/x.git', 'https://[::1]:9999/x.git'],
    ['ssh://git@10.0.0.7:2022/x.git', 'ssh://git@10.0.0.7:2022/x.git'],
  ])('%s is taken when the operator allows it, and only then', (text, url) => {
    expect(parseRemoteAddress(text, local).url).toBe(url)
    expect(() => parseRemoteAddress(text, strict)).toThrow(/TIDEMARK_ALLOW_LOCAL_REPOSITORIES=true/)
  })

  it('is refused with what is wrong, and never repeated, because a credential may stand in it', () => {
    try {
      parseRemoteAddress('https://ada:s3cret@github.com/acme/shop.git', strict)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_request', fields: [{ path: 'url' }] })
      expect(String(error)).not.toContain('s3cret')
      expect(String(error)).toContain('leave it out and give the access token beside it')
    }
  })
})

describe('a branch', () => {
  it.each(['main', 'release/2.x', 'feature/Ümlaut', 'v1', '1234567', 'a@b'])('%s is taken', (name) =>
    expect(checkedBranch(name)).toBe(name),
  )
  it.each([
    ...[
      '',
      '-',
      '--upload-pack=touch x',
      '-b',
      'a b',
      'a\nb',
      'a\tb',
      'a\0b',
      'a..b',
      'a:b',
      'a~1',
      'a^',
      'a?',
      'a*',
      'a[',
    ],
    ...[
      'a\\b',
      '/a',
      'a/',
      'a//b',
      '.a',
      'a/.b',
      'a.lock',
      'a.lock/b',
      'a.',
      '@',
      '@{u}',
      'refs/heads/main',
      'x'.repeat(256),
    ],
  ])('%j is refused', (name) => expect(() => checkedBranch(name)).toThrow(/not a branch name/))
})
