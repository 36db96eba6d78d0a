import type { FastifyRequest } from 'fastify'

/**
 * Whether a person is looking: browsers ask for text/html when somebody opens an address. A program that accepts
 * anything, or prefers JSON, gets JSON.
 */
export function wantsPage({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const html = weightOf('text/html', headers.accept)
  return html > 0 && html >= weightOf('application/json', headers.accept)
}

/** 0 where the type is not named. */
function weightOf(type: string, accept = ''): number {
  for (const part of accept.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (name !== type) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0
  }
  return 0
}
