/** What an API key may be made for (docs/partner-api.md#scopes). */
export const keyScopes = [
  'messages:send',
  'messages:read',
  'templates:read',
  'templates:write',
  'events:read',
  'inbound',
  'contacts:read',
  'contacts:write',
  'media',
  'webhooks',
  'graph',
  'graph:pass',
] as const

export type KeyScope = (typeof keyScopes)[number]

/** Of calls that the upstream platform alone knows (docs/drop-in.md#passing-on). */
export const passScope = 'graph:pass' satisfies KeyScope

/**
 * What has to be named: it changes what others see, or, as `graph`, makes one string of key and secret.
 */
export const namedScopes: readonly KeyScope[] = ['contacts:write', 'webhooks', 'templates:write', 'graph', passScope]

/** What a key without scopes may do. */
export const usualScopes: readonly KeyScope[] = keyScopes.filter(scope => !namedScopes.includes(scope))
