import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewKey } from '../db/contract/accounts.ts'
import type { Line, Message, Template } from '../db/contract/records.ts'
import type { Clock } from '../src/base/clock.ts'
import { sha256 } from '../src/base/crypto.ts'
import { newId, newKeyId, newKeySecret } from '../src/base/ids.ts'
import { loadConfig } from '../src/config/config.ts'
import { type HashCost, Passwords } from '../src/operations/passwords.ts'
import { type Gateway, startGateway } from '../src/serve.ts'
import { type Logger, silentLogger } from '../src/telemetry/log.ts'
import { databaseSettings, dropDatabaseOf } from './gatewayDatabase.ts'
import { startUpstream, type Upstream } from './upstream.ts'

export interface Key {
  readonly apiKey: string
  readonly apiSecret: string
}

/** A workspace beside the first one, with a channel, a line and a key of its own. */
export interface Tenant {
  readonly workspaceId: string
  readonly channelId: string
  readonly line: Line
  readonly key: Key
}

/** A running gateway on a real database, threads and sockets, with a workspace, a channel and one line. */
export interface TestGateway {
  readonly gateway: Gateway
  readonly upstream: Upstream
  readonly url: string
  readonly dataDir: string
  readonly workspaceId: string
  readonly channelId: string
  readonly line: Line
  readonly key: Key
  readonly appSecret: string
  readonly verifyToken: string
  /** `POST /messages/send` with the workspace's key. */
  send(body: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string, key?: Key): Promise<Answer>
  addLine(fields?: Partial<Line>): Promise<Line>
  addTemplates(...templates: readonly (Partial<Template> & { name: string })[]): Promise<void>
  /** Of this workspace, that may do everything, unless said. */
  createKey(of?: Partial<Pick<NewKey, 'workspaceId' | 'scopes' | 'lineIds' | 'onOptOut'>>): Promise<Key>
  /** A second workspace; its channel has the same app secret and verify token. */
  addWorkspace(): Promise<Tenant>
  /** What is stored for the workspace, newest first. */
  messages(): Promise<Message[]>
  /** Stops it; what is on disk stays for the next one on the same folder. */
  stop(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape and assert what they find
  readonly json: any
}

/** @returns the answer, with its JSON */
export async function answerOf(answering: Promise<Response>): Promise<Answer> {
  const response = await answering
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null }
}

/** @returns an error answer in one line, `404 NOT_FOUND`. */
export async function codeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: unknown }
  return `${response.status} ${error}`
}

/** Bodies of templates that tests use; `components` as the upstream lists them. */
export const orderTemplate = {
  name: 'order_confirmation',
  language: 'en_US',
  components: JSON.stringify([
    { type: 'BODY', text: 'Hi {{1}}, your order {{2}} is confirmed.', example: { body_text: [['Ada', '1001']] } },
  ]),
}

/** What hashes cost where the cost is not what is tested: nothing that can be felt. */
export const cheapHash: HashCost = { memoryCost: 8, timeCost: 1 }

/**
 * A gateway that adds nothing to its database: one more on that of another, or the next one on its folder. It fails the
 * tests when it cannot go on, and counts no requests unless it is told to. Its jobs run when a test triggers them: at
 * their own times, which are of the real clock, they would ask the platform between a test's own requests.
 * @param parts what it is made of beside its settings
 */
export async function startBareGateway(
  env: Readonly<Record<string, string>>,
  parts: Partial<Omit<Parameters<typeof startGateway>[0], 'config'>> = {},
): Promise<Gateway> {
  const unlimited = { PORT: '0', PUBLIC_IP_RATE_LIMIT: '0', PUBLIC_API_KEY_RATE_LIMIT: '0' }
  const gateway = await startGateway({
    config: loadConfig({ ...unlimited, ...env }),
    log: silentLogger,
    onFatal: why => {
      throw new Error(why)
    },
    ...parts,
  })
  gateway.jobs.stop()
  return gateway
}

/** @param options `hashesSlowly`: passwords, as the gateway of an operator does */
export async function startTestGateway(
  options: {
    env?: Record<string, string>
    clock?: Clock
    upstream?: Upstream
    dataDir?: string
    log?: Logger
    hashesSlowly?: boolean
    ownAttemptsMax?: number
  } = {},
): Promise<TestGateway> {
  const upstream = options.upstream ?? startUpstream()
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'waypost-test-'))
  const own = { DATA_DIR: dataDir, ...(await databaseSettings(dataDir)), CHANNEL_API_URL: upstream.url }
  const gateway = await startBareGateway(
    { ...own, ...options.env },
    {
      ...(options.log && { log: options.log }),
      ...(options.clock && { clock: options.clock }),
      ...(options.ownAttemptsMax !== undefined && { ownAttemptsMax: options.ownAttemptsMax }),
      ...(!options.hashesSlowly && { passwords: new Passwords(cheapHash) }),
    },
  )
  const { store, credentials } = gateway
  const now = Date.now()
  const workspaceId = newId('ws')
  const channelId = newId('chan')
  const appSecret = 'app-secret'
  const verifyToken = 'verify-token'
  await store.write.createWorkspace({ id: workspaceId, name: 'Acme', monthlyMessageLimit: null, createdAt: now })
  await store.write.connectChannel({
    id: channelId,
    workspaceId,
    accountId: '100001',
    ...credentials.seal(channelId, { accessToken: 'access-token', appSecret, verifyToken }),
    createdAt: now,
    updatedAt: now,
  })

  let lines = 0
  async function addLine(fields: Partial<Line> = {}): Promise<Line> {
    lines += 1
    const added = await store.write.addLine({
      id: newId('line'),
      workspaceId,
      channelId,
      upstreamPhoneId: `10654035224292${lines}`,
      number: '+15550783881',
      active: true,
      perSecond: 0,
      pairSeconds: 0,
      createdAt: now,
      ...fields,
    })
    if (added.outcome !== 'added') throw new Error(`the line was not added: ${added.outcome}`)
    return added.line
  }

  const createKey: TestGateway['createKey'] = async ({ workspaceId: owner = workspaceId, ...may } = {}) => {
    const key = { apiKey: newKeyId(), apiSecret: newKeySecret() }
    const { apiKey: id, apiSecret } = key
    const secretHash = sha256(apiSecret)
    await store.write.createKey({ id, workspaceId: owner, label: null, createdAt: now, secretHash, ...may })
    return key
  }

  async function addWorkspace(): Promise<Tenant> {
    const owner = newId('ws')
    const channel = newId('chan')
    await store.write.createWorkspace({ id: owner, name: 'Other', monthlyMessageLimit: null, createdAt: now })
    await store.write.connectChannel({
      id: channel,
      workspaceId: owner,
      accountId: '100002',
      ...credentials.seal(channel, { accessToken: 'other-token', appSecret, verifyToken }),
      createdAt: now,
      updatedAt: now,
    })
    const owned = await addLine({ workspaceId: owner, channelId: channel })
    return { workspaceId: owner, channelId: channel, line: owned, key: await createKey({ workspaceId: owner }) }
  }

  async function addTemplates(...templates: readonly (Partial<Template> & { name: string })[]) {
    await store.write.replaceTemplates({
      channelId,
      at: now,
      recordedAt: now,
      templates: templates.map((template, index) => ({
        id: newId('tpl'),
        channelId,
        upstreamId: String(1_000 + index),
        language: 'en_US',
        category: 'UTILITY',
        status: 'APPROVED',
        parameterFormat: 'POSITIONAL',
        components: '[]',
        updatedAt: now,
        lastUpdateAt: null,
        ...template,
      })),
    })
  }

  const request = (path: string, init: RequestInit) => answerOf(fetch(gateway.url + path, init))

  const line = await addLine()
  const key = await createKey()
  return {
    gateway,
    upstream,
    url: gateway.url,
    dataDir,
    workspaceId,
    channelId,
    line,
    key,
    appSecret,
    verifyToken,
    send: (body, headers = {}) =>
      request('/api/v1/public/messages/send', {
        method: 'POST',
        headers: { ...key, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path, as = key) => request(path, { headers: { ...as } }),
    addLine,
    addTemplates,
    createKey,
    addWorkspace,
    messages: () => store.read.messages({ workspaceId, limit: 1_000 }),
    async stop() {
      await gateway.stop()
      if (!options.upstream) await upstream.stop()
      if (options.dataDir) return
      rmSync(dataDir, { recursive: true, force: true })
      await dropDatabaseOf(dataDir)
    },
  }
}
