import { describe, expect, it } from 'vitest'
import { connectInput } from './repository-form.tsx'

const FORM = { url: ' https://git.example/shop.git ', branch: ' ', credential: 'none', secret: 'typed before' } as const

describe('the form of a repository', () => {
  it('sends no secret that was not asked for, and null for the default branch', () => {
    expect(connectInput(FORM)).toEqual({ url: 'https://git.example/shop.git', branch: null })
  })

  it('sends one credential of the chosen kind', () => {
    expect(connectInput({ ...FORM, credential: 'token', secret: ' t0ken\n' })).toMatchObject({ token: 't0ken' })
    expect(connectInput({ ...FORM, credential: 'keep' })).toEqual({
      url: 'https://git.example/shop.git',
      branch: null,
      keepCredential: true,
    })
  })

  it('ends a private key with a line end', () => {
    const { deployKey } = connectInput({
      ...FORM,
      credential: 'deployKey',
      secret: '-----BEGIN-----\r\nx\r\n-----END-----',
    })
    expect(deployKey).toBe('-----BEGIN-----\nx\n-----END-----\n')
  })
})
