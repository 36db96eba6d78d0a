import { describe, expect, it } from 'vitest'
import { commitAddress, repositoryAddress, webAddress } from './web-address.ts'

const SHA = 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678'

describe('the address of a repository', () => {
  it.each([
    ['https://github.com/acme/shop.git', 'https://github.com/acme/shop'],
    ['https://ada:token@git.example:8443/acme/shop/', 'https://git.example:8443/acme/shop'],
    ['git@github.com:acme/shop.git', 'https://github.com/acme/shop'],
    ['ssh://git@gitlab.com:22/acme/group/shop.git', 'https://gitlab.com/acme/group/shop'],
    // Whether a machine that speaks ssh has pages, and where, is not known.
    ['git@git.example:acme/shop.git', null],
    ['file:///srv/shop.git', null],
    ['/srv/shop.git', null],
    ['javascript:alert(1)//github.com/a', null],
    ['', null],
  ])('of %s is %s', (url, address) => expect(repositoryAddress(url)).toBe(address))
})

describe('the address of a commit', () => {
  it.each([
    ['https://github.com/acme/shop.git', `https://github.com/acme/shop/commit/${SHA}`],
    ['https://gitlab.example/acme/shop', `https://gitlab.example/acme/shop/-/commit/${SHA}`],
    ['git@bitbucket.org:acme/shop.git', `https://bitbucket.org/acme/shop/commits/${SHA}`],
    ['/srv/shop.git', null],
  ])('in %s is %s', (url, address) => expect(commitAddress(url, SHA)).toBe(address))

  it('is none where what was sent is no hash', () => {
    for (const sha of ['v1.2.3', '../../settings', '']) {
      expect(commitAddress('https://github.com/acme/shop', sha)).toBeNull()
    }
  })
})

describe('an address that was sent', () => {
  it('is a link only where it is http or https', () => {
    expect(webAddress('https://ci.example/runs/42')).toBe('https://ci.example/runs/42')
    const others = [
      'javascript:alert(1)',
      'run-42',
      'https://',
      'https:///ci.example',
      'https://ci.example/\u202e24',
      null,
    ]
    for (const text of others) expect(webAddress(text)).toBeNull()
  })
})
