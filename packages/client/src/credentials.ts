/** The key of a backend. A web page cannot keep a secret: a server of yours adds the key to what comes from there. */
export type Credentials =
  | { readonly apiKey: string; readonly apiSecret: string; readonly withoutKey?: never }
  | { readonly withoutKey: true; readonly apiKey?: never; readonly apiSecret?: never }

/** http or https, a host, perhaps a port and a path; nothing that must be encoded. */
const addressPattern = /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?(\/[!-~]*)?$/i

/** The problem is described, not shown: an address may have a password in it. */
export function address(url: string): string {
  const trimmed = `${url}`.replace(/\/+$/, '')
  if (addressPattern.test(trimmed) && !/[?#]|\/api\/v1\/public$/.test(trimmed) && URL.canParse(trimmed)) return trimmed
  throw new TypeError(
    'url: pass the address of the gateway, as in "https://gateway.example.com": http or https, a host, perhaps a port ' +
      'and a path; no user, password, query or fragment, and without /api/v1/public',
  )
}

/**
 * @returns the headers that name the key; none without one
 * @throws TypeError for what can be no key, and for a secret in a web page, where everybody could read it
 */
export function credentialHeaders({ withoutKey, apiKey, apiSecret }: Credentials): Record<string, string> {
  if (withoutKey) return {}
  if ('document' in globalThis && 'window' in globalThis) {
    throw new TypeError(
      'apiSecret: everybody can read it in a web page. Let your server add the key, and pass withoutKey',
    )
  }
  return { apiKey: credential('apiKey', apiKey), apiSecret: credential('apiSecret', apiSecret) }
}

/** A header cannot hold anything else, and the error of a header would show the secret. */
function credential(name: string, value: string): string {
  if (/^[!-~]+$/.test(`${value ?? ''}`)) return value
  throw new TypeError(`${name}: pass it as it was shown when it was made, without spaces or line ends`)
}

/** @throws TypeError that names the variables which are missing */
export function fromEnvironment(): { url: string; apiKey: string; apiSecret: string } {
  // Named like this, because a browser has no `process`.
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } }
  const { WAYPOST_URL: url, WAYPOST_API_KEY: apiKey, WAYPOST_API_SECRET: apiSecret } = process?.env ?? {}
  if (url && apiKey && apiSecret) return { url, apiKey, apiSecret }
  const values = { WAYPOST_URL: url, WAYPOST_API_KEY: apiKey, WAYPOST_API_SECRET: apiSecret }
  const missing = Object.entries(values).flatMap(([name, value]) => (value ? [] : [name]))
  throw new TypeError(`${missing.join(', ')}: not set in the environment`)
}
