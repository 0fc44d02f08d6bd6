/**
 * What an API key may be limited to (docs/partner-api.md#scopes). A key without scopes may do everything that any of
 * them allows, also what later versions add.
 */
export const keyScopes = [
  'messages:send',
  'messages:read',
  'templates:read',
  'events:read',
  'inbound',
  'contacts:read',
  'media',
] as const

export type KeyScope = (typeof keyScopes)[number]
