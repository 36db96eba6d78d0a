/** How long a key may live that a person gives to an OAuth client. It always ends: then the client asks the person again. */
export const GRANT_LIFETIMES = ['30d', '90d', '1y'] as const

export type GrantLifetime = (typeof GRANT_LIFETIMES)[number]

export const DEFAULT_GRANT_LIFETIME: GrantLifetime = '90d'
