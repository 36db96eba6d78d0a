/**
 * What clients read before they ask for anything: who gives keys for the resource (RFC 9728), and how (RFC 8414). Both
 * stand where the specifications put them: after the host, before the path of what they describe.
 */
import type { FastifyInstance } from 'fastify'

const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'
const SERVER_METADATA = '/.well-known/oauth-authorization-server'

export const OAUTH_PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

type Addresses = { issuer: string; resource: string; scope: string }

export function resourceMetadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return `${origin}${RESOURCE_METADATA}${pathname}`
}

export function resourceMetadataRoutes(routes: FastifyInstance, { issuer, resource, scope }: Addresses): void {
  serve(routes, RESOURCE_METADATA, resource, {
    resource,
    authorization_servers: [issuer],
    scopes_supported: [scope],
    bearer_methods_supported: ['header'],
    resource_name: 'Tidemark',
  })
}

export function serverMetadataRoutes(routes: FastifyInstance, { issuer, resource, scope }: Addresses): void {
  serve(routes, SERVER_METADATA, issuer, {
    issuer,
    authorization_endpoint: issuer + OAUTH_PATHS.authorize,
    token_endpoint: issuer + OAUTH_PATHS.token,
    registration_endpoint: issuer + OAUTH_PATHS.register,
    revocation_endpoint: issuer + OAUTH_PATHS.revoke,
    scopes_supported: [scope],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: [resource],
  })
}

/** At the place of the address it is about, and at the bare one, where some clients look first. */
function serve(routes: FastifyInstance, place: string, about: string, document: object): void {
  const { pathname } = new URL(about)
  for (const path of new Set([place, pathname === '/' ? place : `${place}${pathname}`])) {
    routes.get(path, async (_, reply) => reply.header('Cache-Control', 'no-store').send(document))
  }
}
