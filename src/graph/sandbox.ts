import { field, isText, list, parseAnswer, text } from '../base/json.ts'
import type { Transport } from '../transport/transport.ts'

/** The account of the stand-in upstream, with its credentials, which are no secrets. */
export interface SandboxAccount {
  readonly accountId: string
  readonly accessToken: string
  readonly appSecret: string
  readonly appId: string
  readonly lines: readonly { readonly upstreamPhoneId: string; readonly number: string }[]
}

/** The stand-in upstream. */
export interface StandIn {
  readonly account: SandboxAccount
  /**
   * Sets the callback address of its app, to which updates of templates go: the address of an account gets none
   * (docs/upstream.md#account-updates).
   * @returns whether it was set
   */
  setAppCallback(address: string): Promise<boolean>
}

/** @returns null when the upstream is not the stand-in */
export type FindSandbox = () => Promise<StandIn | null>

/** It runs on the same machine, or near. */
const timeoutMs = 2_000

const isPlatform = (apiUrl: string) => new URL(apiUrl).hostname.endsWith('facebook.com')

/** @returns the prefix of the URLs of its example files; undefined for the real platform, which has none */
export const exampleFilesOf = (apiUrl: string) =>
  isPlatform(apiUrl) ? undefined : new URL(`${apiUrl}/sandbox/files/`).href

/** Asks the upstream whether it is the stand-in, which says so at `/sandbox`. The real platform is not asked. */
export function createFindSandbox(transport: Transport, apiUrl: string): FindSandbox {
  if (isPlatform(apiUrl)) return async () => null
  return async () => {
    const exchange = await transport.exchange({
      method: 'GET',
      url: `${apiUrl}/sandbox`,
      headers: { 'accept-encoding': 'identity' },
      timeoutMs,
    })
    const account = exchange.kind === 'answered' && exchange.status === 200 ? readAccount(exchange.body) : null
    return account && { account, setAppCallback }
  }

  async function setAppCallback(url: string): Promise<boolean> {
    const exchange = await transport.exchange({
      method: 'PUT',
      url: `${apiUrl}/sandbox/callbacks/url`,
      headers: { 'accept-encoding': 'identity', 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
      timeoutMs,
    })
    return exchange.kind === 'answered' && exchange.status === 200
  }
}

function readAccount(body: string): SandboxAccount | null {
  const json = parseAnswer(body)
  const [accountId, accessToken, appSecret, appId] = ['accountId', 'accessToken', 'appSecret', 'appId'].map(name =>
    text(field(json, name)),
  )
  if (!accountId || !accessToken || !appSecret || !appId) return null
  const lines = list(field(json, 'lines')).flatMap(line => {
    const [upstreamPhoneId, number] = [field(line, 'upstreamPhoneId'), field(line, 'number')]
    return isText(upstreamPhoneId) && isText(number) ? [{ upstreamPhoneId, number }] : []
  })
  return { accountId, accessToken, appSecret, appId, lines }
}
