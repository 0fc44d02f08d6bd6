/** What an API key may be made for (docs/partner-api.md#scopes). */
export const keyScopes = [
  'messages:send',
  'messages:read',
  'templates:read',
  'templates:write',
  'events:read',
  'inbound',
  'contacts:read',
  'media',
  'webhooks',
  'graph',
] as const

export type KeyScope = (typeof keyScopes)[number]

/** What has to be named: the first two change what others see, and with `graph` one string is key and secret. */
const named: readonly KeyScope[] = ['webhooks', 'templates:write', 'graph']

/** What a key without scopes may do. */
export const usualScopes: readonly KeyScope[] = keyScopes.filter(scope => !named.includes(scope))
