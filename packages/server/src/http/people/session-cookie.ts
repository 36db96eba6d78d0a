/**
 * The cookie that holds a session. Over https its name begins with `__Host-`, which browsers accept only with Secure,
 * for the whole host and no other domain; plain http cannot have that, so there the name differs.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_MAX_MS, SESSION_TOKEN_BYTES } from '../../model/person.ts'

/** The server ends a session earlier when it is not used. */
const MAX_AGE_SECONDS = SESSION_MAX_MS / 1_000
const TOKEN = new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((SESSION_TOKEN_BYTES * 4) / 3)}}$`)

export type SessionCookie = {
  read(request: FastifyRequest): string | undefined
  set(reply: FastifyReply, token: string): void
  clear(reply: FastifyReply): void
}

export function createSessionCookie(publicUrl: string): SessionCookie {
  const isHttps = publicUrl.startsWith('https:')
  const name = isHttps ? '__Host-tidemark' : 'tidemark_session'
  const write = (reply: FastifyReply, value: string, maxAgeSeconds: number) => {
    const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`
    reply.header('Set-Cookie', `${name}=${value}; ${attributes}`)
  }
  return {
    read({ headers }) {
      for (const pair of (headers.cookie ?? '').split(';')) {
        const [key = '', value = ''] = pair.trim().split('=', 2)
        if (key === name && TOKEN.test(value)) return value
      }
      return undefined
    },
    set: (reply, token) => write(reply, token, MAX_AGE_SECONDS),
    clear: (reply) => write(reply, '', 0),
  }
}
