import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Channel, Contact, Line } from '../../db/contract/records.ts'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { createChannelClient } from '../../src/graph/client.ts'
import type { Control, RunningSandbox, SandboxOptions } from '../../src/sandbox/server.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { type Sync, syncTemplates } from '../../src/templates/sync.ts'
import { createTransport } from '../../src/transport/transport.ts'
import { type Answer, type Key, startTestGateway, type TestGateway } from '../gateway.ts'
import { accept, postCallback } from '../upstream.ts'

/** The gateway of the tests has this account, token, secret and these lines; so must the stand-in. */
export const accountId = '100001'
const accessToken = 'access-token'
const appSecret = 'app-secret'
export const upstreamLine = (number: number) => `10654035224292${number}`
const lines = Array.from({ length: 9 }, (_, at) => ({
  upstreamPhoneId: upstreamLine(at + 1),
  number: `+1555078388${at + 1}`,
}))

export const user = '+16505551234'

/** One message of a user, as it is stored. */
export interface InboundRow {
  readonly channelMessageId: string
  readonly contactId: string | null
  readonly lineId: string | null
  readonly kind: string
  readonly at: number
  readonly content: Record<string, unknown>
}

/** The gateway in front of the stand-in upstream, which posts its callbacks to it. */
export interface Stack extends TestGateway {
  readonly sandbox: RunningSandbox
  readonly control: Control
  readonly callbackUrl: string
  /** Reads the account's templates into the gateway, as the command and the job do. */
  sync(): Promise<Sync>
  /** Uploads a file to the workspace's line at the upstream. @returns its media id */
  upload(bytes: Uint8Array<ArrayBuffer>, mime: string): Promise<string>
  contact(fields?: Partial<Contact>): Promise<Contact>
  contacts(): Promise<Contact[]>
  /** Every message of a user that is on disk, in the order it came. */
  inbound(): InboundRow[]
  /** Posts a callback of any content, signed. */
  callback(payload: unknown): Promise<Response>
  /** The bodies that the upstream got for sends, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies of every shape and assert what they find
  sent(): any[]
  /** A workspace with a channel, a line and a key of its own on the same upstream account. */
  neighbour(line?: Partial<Line>): Promise<{ workspaceId: string; channel: Channel; line: Line; key: Key }>
}

export async function startStack(
  options: {
    env?: Record<string, string>
    sandbox?: SandboxOptions
    clock?: Clock
    /** Statuses follow each send; without them a test sees the message as the answer to the send left it. */
    callbacks?: boolean
  } = {},
): Promise<Stack> {
  const sandbox = await startSandbox({
    accessToken,
    appSecret,
    accountId,
    lines,
    deliveredAfterMs: 5,
    readAfterMs: 10,
    ...options.sandbox,
  })
  const { control } = sandbox
  control.configure({ callbacks: { silent: !options.callbacks } })
  const upstream = { url: sandbox.url, received: [], listings: [], answer: accept, stop: () => sandbox.stop() }
  const gateway = await startTestGateway({
    upstream,
    env: { MEDIA_ALLOWED_NETWORKS: '127.0.0.0/8', ...options.env },
    ...(options.clock && { clock: options.clock }),
  })
  const { store, credentials } = gateway.gateway
  const callbackUrl = `${gateway.url}/callbacks/channel/${gateway.channelId}`
  control.setCallbackUrl(callbackUrl)
  const transport = createTransport(systemClock)
  const client = createChannelClient(transport, { apiUrl: sandbox.url, apiVersion: 'v25.0', timeoutMs: 5_000 })
  let neighbours = 0

  async function channelOf(channelId: string): Promise<Channel> {
    const channel = await store.read.channel(channelId)
    if (!channel) throw new Error('the channel is gone')
    return channel
  }

  return {
    ...gateway,
    sandbox,
    control,
    callbackUrl,
    async sync() {
      return syncTemplates({
        store,
        client,
        credentials,
        clock: systemClock,
        channel: await channelOf(gateway.channelId),
      })
    },
    async contact(fields = {}) {
      const now = Date.now()
      const contact = await store.write.saveContact({
        id: newId('contact'),
        workspaceId: gateway.workspaceId,
        phone: user,
        userId: null,
        name: null,
        createdAt: now,
        updatedAt: now,
        ...fields,
      })
      if (!contact) throw new Error('the contact was not saved')
      return contact
    },
    contacts: () => store.read.contacts({ workspaceId: gateway.workspaceId, limit: 1_000 }),
    inbound() {
      using database = new Database(join(gateway.dataDir, 'waypost.db'), { readonly: true })
      const rows = database
        .query(
          `SELECT channel_message_id AS channelMessageId, contact_id AS contactId, line_id AS lineId, kind, at, content
           FROM inbound_messages ORDER BY rowid`,
        )
        .all() as (Omit<InboundRow, 'content'> & { content: string })[]
      return rows.map(row => ({ ...row, content: JSON.parse(row.content) }))
    },
    callback: payload => postCallback(callbackUrl, payload, appSecret),
    sent: () => control.requests().map(({ body }) => body),
    async neighbour(line = {}) {
      neighbours += 1
      const workspaceId = newId('ws')
      const channelId = newId('chan')
      const now = Date.now()
      await store.write.createWorkspace({ id: workspaceId, name: 'Other', monthlyMessageLimit: null, createdAt: now })
      await store.write.connectChannel({
        id: channelId,
        workspaceId,
        accountId,
        ...credentials.seal(channelId, { accessToken, appSecret, verifyToken: 'verify-token' }),
        createdAt: now,
        updatedAt: now,
      })
      // Each line of the upstream account is taken once, from the end: the first ones are the workspace's own.
      const upstreamPhoneId = upstreamLine(10 - neighbours)
      const own = await gateway.addLine({ workspaceId, channelId, upstreamPhoneId, ...line })
      return {
        workspaceId,
        channel: await channelOf(channelId),
        line: own,
        key: await gateway.createKey({ workspaceId }),
      }
    },
    async upload(bytes, mime) {
      const { upstreamPhoneId } = gateway.line
      const upload = await client.uploadMedia({ upstreamPhoneId, accessToken, file: [bytes], mime, fileName: 'file' })
      if (upload.kind !== 'uploaded') throw new Error(`the upstream did not take the file: ${upload.kind}`)
      return upload.mediaId
    },
    async stop() {
      await gateway.stop()
      transport.close()
      await sandbox.stop()
    },
  }
}

/** The one envelope that every refusal of a malformed send has. @returns its issues as `[path, message]`, sorted. */
export function issuesOf(answer: Answer): [path: string, message: string][] {
  if (answer.status !== 400 || answer.json?.error !== 'VALIDATION_ERROR') {
    throw new Error(`not a 400 VALIDATION_ERROR: ${answer.status} ${answer.text}`)
  }
  const { issues } = answer.json.details as { issues: { path: string; message: string }[] }
  return issues.map(({ path, message }): [string, string] => [path, message]).sort()
}

export const pathsOf = (answer: Answer): string[] => issuesOf(answer).map(([path]) => path)
