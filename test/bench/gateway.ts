import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { keyScopes } from '../../src/base/keyScopes.ts'
import { freePort } from '../freePort.ts'
import { type End, end, type Fleet, run, until } from './processes.ts'
import type { Key } from './traffic.ts'

/** The stub has no accounts that could be asked for. */
const noVerify = '--no-verify'
export const appSecret = 'app-secret'
export const upstreamPhoneId = '106540352242922'
/** Where a line's messages are sent to. */
export const messagesPath = (phoneId: string) => `/v25.0/${phoneId}/messages`

/** Data with a workspace, a channel, one line without pacing, its templates and a key. Nothing runs on it yet. */
export interface Installation {
  /** The executable that made it, and serves it. */
  readonly binary: string
  readonly databasePath: string
  readonly workspaceId: string
  readonly channelId: string
  readonly lineId: string
  readonly key: Key
  readonly callbackPath: string
  /** What a gateway on it is started with, beside its port. */
  readonly env: Readonly<Record<string, string>>
}

export async function install(options: {
  binary: string
  upstreamUrl: string
  dataDir: string
  env?: Readonly<Record<string, string>>
}): Promise<Installation> {
  const { binary, upstreamUrl, dataDir } = options
  mkdirSync(dataDir, { recursive: true })
  const env = {
    DATA_DIR: dataDir,
    CHANNEL_API_URL: upstreamUrl,
    PUBLIC_IP_RATE_LIMIT: '0',
    PUBLIC_API_KEY_RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    ...options.env,
  }
  const workspace = await addWorkspace({ binary, env }, { accountId: '100001', phoneId: upstreamPhoneId })
  return { binary, databasePath: join(dataDir, 'waypost.db'), ...workspace, env }
}

/** @returns a further workspace of an installation, with all that its sends need */
export async function addWorkspace(
  { binary, env }: Pick<Installation, 'binary' | 'env'>,
  { accountId, phoneId }: { readonly accountId: string; readonly phoneId: string },
): Promise<Pick<Installation, 'workspaceId' | 'channelId' | 'lineId' | 'key' | 'callbackPath'>> {
  const command = async (line: string) => JSON.parse(await run([binary, ...line.split(/ +/), '--json'], env))
  const { id: workspaceId } = await command('workspace create --name bench')
  // Earlier states have no such check, and do not know the option.
  const unverified = (await run([binary, 'channel', 'connect', '--help'], env)).includes(noVerify) ? noVerify : ''
  const { id: channelId, callbackPath } = await command(
    `channel connect --workspace ${workspaceId} --account-id ${accountId} ${unverified} --access-token access-token --app-secret ${appSecret}`,
  )
  const { id: lineId } = await command(
    `line add --channel ${channelId} --upstream-phone-id ${phoneId} --number +15550783881`,
  )
  await command(`line set-rate ${lineId} --per-second 0 --pair-seconds 0`)
  await command(`template sync --workspace ${workspaceId}`)
  const { apiKey, apiSecret } = await command(`key create --workspace ${workspaceId}`)
  return { workspaceId, channelId, lineId, key: { apiKey, apiSecret }, callbackPath }
}

/** @returns the sign-in of a new owner of the workspace, for a gateway that serves the installation */
export async function addOwner({ binary, env, workspaceId }: Installation) {
  const email = 'ada@example.com'
  const made = ['user', 'create', '--workspace', workspaceId, '--email', email, '--role', 'owner', '--json']
  const { password } = JSON.parse(await run([binary, ...made], env))
  return async (url: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ email, password })
    const signedIn = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', headers, body })
    if (!signedIn.ok) throw new Error(`the sign-in was answered ${signedIn.status}`)
    return ((await signedIn.json()) as { accessToken: string }).accessToken
  }
}

/** @returns the one token of a new key with all scopes, for clients of the platform (GRAPH_API) */
export async function graphToken({ binary, env, workspaceId }: Installation): Promise<string> {
  const made = ['key', 'create', '--workspace', workspaceId, '--scopes', keyScopes.join(','), '--json']
  return (JSON.parse(await run([binary, ...made], env)) as { graphToken: string }).graphToken
}

/** The executable, serving an installation. */
export interface BenchGateway extends Installation {
  readonly url: string
  readonly pid: number
  /** From the start of the process to the first /readyz that says 200. */
  readonly readyMs: number
  end(how: End): Promise<void>
}

export async function serve(options: { fleet: Fleet; installation: Installation }): Promise<BenchGateway> {
  const { fleet, installation } = options
  const { url, port } = freeAddress()
  const start = performance.now()
  const child = fleet.start([installation.binary, 'serve'], { ...installation.env, PORT: port })
  await ready(url)
  const readyMs = performance.now() - start

  return {
    ...installation,
    url,
    pid: child.pid,
    readyMs,
    end: how => end(child, how),
  }
}

export const ready = (url: string) =>
  until('the start of the gateway', async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok || null)

/** Asks a database for one number, which its statement calls `count`. */
export function count(databasePath: string, sql: string, ...values: readonly (string | number)[]): number {
  using database = new Database(databasePath, { readonly: true, strict: true })
  return Number(database.query<{ count: number }, (string | number)[]>(sql).get(...values)?.count)
}

/** A gateway that logs only warnings does not tell which port it took. */
export function freeAddress() {
  const port = freePort()
  return { url: `http://127.0.0.1:${port}`, port: String(port) }
}
