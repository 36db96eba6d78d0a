/** The owner of a service that was started with a password. */
import { expect } from 'vitest'

export const PASSWORD = 'correct horse battery'
export const OWN_PAGE = { 'X-Requested-With': 'tidemark', 'Content-Type': 'application/json' }

/** With the password that the nodes were given; says the cookie. */
export async function signIn(node: string): Promise<string> {
  const response = await fetch(`${node}/api/session`, {
    method: 'POST',
    headers: OWN_PAGE,
    body: JSON.stringify({ email: 'owner@localhost', password: PASSWORD }),
  })
  expect(response.status).toBe(200)
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}
