/** What an API key may be made for (docs/partner-api.md#scopes). */
export const keyScopes = [
  'messages:send',
  'messages:read',
  'templates:read',
  'events:read',
  'inbound',
  'contacts:read',
  'media',
  'webhooks',
] as const

export type KeyScope = (typeof keyScopes)[number]

/** What has to be named: with it, a key changes what others see. */
const named: readonly KeyScope[] = ['webhooks']

/** What a key without scopes may do. */
export const usualScopes: readonly KeyScope[] = keyScopes.filter(scope => !named.includes(scope))
