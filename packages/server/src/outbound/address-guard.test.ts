import { describe, expect, it } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import { isPublicAddress } from './public-address.ts'

const PRIVATE = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'not an address',
  '',
]
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.0.1',
  '172.32.0.1',
  '192.0.1.1',
  '192.169.0.1',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700::1111',
  '2a00:1450::1',
]

describe('an address', () => {
  it.each(PRIVATE)('"%s" is not public', (address) => expect(isPublicAddress(address)).toBe(false))
  it.each(PUBLIC)('"%s" is public', (address) => expect(isPublicAddress(address)).toBe(true))
})

describe('the guard', () => {
  const guard = (answers: string[], allowPrivate = false) =>
    createAddressGuard({ allowPrivate, resolve: async () => answers })

  it('answers with every address of a public host, IPv4 first, each once', async () => {
    const addresses = await guard(['2606:4700::1111', '1.1.1.1', '8.8.8.8', '1.1.1.1'])('git.example')
    expect(addresses).toEqual(['1.1.1.1', '8.8.8.8', '2606:4700::1111'])
  })

  it('refuses a host with one private address among public ones', async () => {
    for (const address of ['10.0.0.1', '::1', '169.254.169.254'])
      await expect(guard(['1.1.1.1', address])('git.example')).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('TIDEMARK_ALLOW_LOCAL_REPOSITORIES=true'),
      })
  })

  it('lets private addresses through when the operator allows them', async () => {
    expect(await guard(['10.0.0.1'], true)('git.corp')).toEqual(['10.0.0.1'])
  })

  it('judges an address written in place of a name without asking anybody', async () => {
    const asked: string[] = []
    const resolve = async (host: string) => {
      asked.push(host)
      return ['1.1.1.1']
    }
    const check = createAddressGuard({ allowPrivate: false, resolve })
    await expect(check('127.0.0.1')).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(check('[::1]')).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await check('[2606:4700::1111]')).toEqual(['2606:4700::1111'])
    expect(asked).toEqual([])
  })

  it('says that a host cannot be found, whether the resolver fails, is silent or knows nothing', async () => {
    const failing = createAddressGuard({ allowPrivate: true, resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    const silent = createAddressGuard({ allowPrivate: true, resolve: () => new Promise(() => {}), timeoutMs: 20 })
    for (const check of [failing, silent, guard([]), guard(['nonsense'], true)])
      await expect(check('git.example')).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('cannot be found'),
      })
  })
})
