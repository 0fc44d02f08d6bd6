import { rateWindowMs } from '../../base/rateLimits.ts'

const windowSeconds = rateWindowMs / 1000
const seconds = { type: 'integer', minimum: 0 }
const apiKeyIn = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description })

export const securitySchemes = {
  apiKey: apiKeyIn('apiKey', 'The public key id; starts with `pk_`. `X-API-Key` is taken as well.'),
  apiSecret: apiKeyIn('apiSecret', 'The secret of the key. `X-API-Secret` is taken as well.'),
  xApiKey: apiKeyIn('X-API-Key', 'In place of `apiKey`.'),
  xApiSecret: apiKeyIn('X-API-Secret', 'In place of `apiSecret`.'),
}

/** Request headers that every operation takes. */
export const parameters = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Your own id of the request, 1 to 128 of `A-Z a-z 0-9 . _ -`; the answer repeats it. Anything else is ' +
      'replaced by a new one.',
    schema: { type: 'string' },
  },
}

/** Response headers. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of the request, yours or a new one. Give it when you report a problem.',
    schema: { type: 'string' },
    example: '01958f4e-7a43-7000-8d2f-5b0f6a1c2d3e',
  },
  'Cache-Control': {
    description: 'Always `no-store`: an answer is for its key alone.',
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  'RateLimit-Limit': {
    description: 'Requests in a window, of the tighter of the two limits. Absent where limits are switched off.',
    schema: { type: 'integer', minimum: 1 },
    example: 100,
  },
  'RateLimit-Remaining': { description: 'Requests left in this window.', schema: seconds, example: 87 },
  'RateLimit-Reset': { description: 'Seconds until the next window.', schema: seconds, example: 412 },
  'RateLimit-Policy': {
    description: 'The limit and its window in seconds.',
    schema: { type: 'string' },
    example: `100;w=${windowSeconds}`,
  },
  Link: {
    description: 'Cause and remedy of the error, in the guides of this gateway (RFC 8288).',
    schema: { type: 'string' },
    example: '</docs/errors#VALIDATION_ERROR>; rel="help"',
  },
  'Retry-After': { description: 'Seconds to wait before trying again.', schema: seconds, example: 5 },
}

/** The headers of refusals and successes. `Retry-After` comes only with some refusals. */
export const onEveryAnswer = [
  'X-Request-Id',
  'Cache-Control',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
] as const satisfies readonly (keyof typeof headers)[]
