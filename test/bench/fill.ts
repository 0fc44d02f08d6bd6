import { closeSync, fsyncSync, openSync } from 'node:fs'
import type { Verbs } from '../../db/sqlite/commit.ts'
import { type Connection, closeWriter, openForWriting } from '../../db/sqlite/open.ts'
import { storeWrites } from '../../db/sqlite/writes.ts'
import { sha256 } from '../../src/base/crypto.ts'
import { dayMs } from '../../src/base/durations.ts'
import { newId } from '../../src/base/ids.ts'
import { sendRequest } from '../../src/graph/request.ts'
import type { VerbCall } from '../../src/threads/protocol.ts'
import { draft } from '../db/fixtures.ts'
import type { Installation } from './gateway.ts'
import type { Seeded } from './traffic.ts'

/** Messages of one transaction: enough that its end costs nothing. */
const messagesPerCommit = 5_000
/** Negative: kibibytes. The keys' tree is filled at random places, and is to stay in memory meanwhile. */
const fillCacheKib = -1_000_000
const keyTtlMs = dayMs

/** Which of the messages have got further than SENT. */
export type Outcome =
  | 'SENT'
  /** Two of three are READ, with the three callbacks that lead there. */
  | 'SENT or READ'

/**
 * Stores messages as the gateway does, by the store's own verbs, with their keys, their contents and their timelines.
 * Only the disk is not waited for, until all are there.
 * @returns every `keepEvery`th message
 */
export async function fill(options: {
  installation: Installation
  messages: number
  outcome: Outcome
  keepEvery: number
}): Promise<Seeded[]> {
  const { installation, messages, outcome, keepEvery } = options
  const connection = openForWriting(installation.databasePath)
  const { client } = connection
  client.run('PRAGMA synchronous = OFF')
  client.run(`PRAGMA cache_size = ${fillCacheKib}`)
  const commit = committer(connection)
  const kept: Seeded[] = []
  for (let stored = 0; stored < messages; ) {
    const calls: VerbCall[] = []
    const end = Math.min(stored + messagesPerCommit, messages)
    for (; stored < end; stored += 1) {
      const message = { id: newId('msg'), channelMessageId: `wamid.bench${stored}` }
      if (stored % keepEvery === 0) kept.push(message)
      calls.push(...lifeOf(message, stored, installation, outcome === 'SENT or READ' && stored % 3 > 0))
    }
    await commit(calls)
    // A signal that ends the run is heard between two transactions.
    await Bun.sleep(0)
  }
  closeWriter(connection)
  syncFile(installation.databasePath)
  return kept
}

/** Changes a database on which nothing runs yet, by the store's own verbs. */
export async function change(databasePath: string, calls: readonly VerbCall[]): Promise<void> {
  const connection = openForWriting(databasePath)
  await committer(connection)(calls)
  closeWriter(connection)
}

/** What was written without waiting for the disk gets there now: nothing that is measured later is to pay for it. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

function committer(connection: Connection) {
  const { commit } = storeWrites(connection)
  return async (calls: readonly VerbCall[]) => {
    for (const answer of await commit(calls))
      if (!answer.ok) throw new Error(`a verb of the fill failed: ${answer.message}`)
  }
}

/** @returns what the gateway asks of its store for one message. */
function lifeOf(
  { id, channelMessageId }: Seeded,
  number: number,
  installation: Installation,
  isRead: boolean,
): VerbCall[] {
  const { workspaceId, channelId, lineId, key } = installation
  const createdAt = Date.now()
  const recipient = `+4915${String(number).padStart(9, '0')}`
  const reportedAt = Math.floor(createdAt / 1000) * 1000
  const text = { body: 'Your parcel is on its way.', preview_url: undefined }
  const content = { type: 'text', text, category: undefined, ttl_seconds: undefined } as const
  const calls = [
    call(
      'acceptMessage',
      draft({
        id,
        workspaceId,
        channelId,
        lineId,
        recipient,
        payload: sendRequest(recipient, content, id),
        createdAt,
        dispatchedAt: createdAt,
        apiKeyId: key.apiKey,
        idempotency: {
          scope: key.apiKey,
          key: crypto.randomUUID(),
          fingerprint: sha256(recipient),
          expiresAt: createdAt + keyTtlMs,
        },
      }),
    ),
    call('recordEvent', {
      messageId: id,
      event: { kind: 'accepted', at: createdAt + 300, channelMessageId, waId: recipient.slice(1) },
      detail: null,
      recordedAt: createdAt + 300,
    }),
  ]
  if (!isRead) return calls
  const report = (status: 'sent' | 'delivered' | 'read', at: number) =>
    call('applyReports', {
      channelId,
      reports: [
        {
          messageId: id,
          event: { kind: 'reported', status, at, channelMessageId, reason: null, pricing: null },
          detail: null,
          isMediaGone: false,
        },
      ],
      recordedAt: at,
    })
  const later = [
    report('sent', reportedAt),
    report('delivered', reportedAt + 1_000),
    report('read', reportedAt + 9_000),
  ]
  return [...calls, ...later]
}

/** Nobody waits for one of the answers, so no call has a number of its own. */
export const call = <Verb extends keyof Verbs>(verb: Verb, argument: Parameters<Verbs[Verb]>[0]): VerbCall => ({
  id: 0,
  verb,
  argument,
})
