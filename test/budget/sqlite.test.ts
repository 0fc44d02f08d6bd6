import { afterEach, beforeEach, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ManualClock } from '../clock.ts'
import { draft } from '../db/fixtures.ts'
import { eventually } from '../eventually.ts'
import { startTestGateway, type TestGateway } from '../gateway.ts'
import { startUpstream } from '../upstream.ts'
import { type Budget, expectSpent } from './budget.ts'
import { type CountedUpstream, countConnections } from './connections.ts'
import { type Ran, watchStatements } from './statements.ts'
import { type WatchedThreads, watchThreads } from './threads.ts'

/** One text send by HTTP, alone, on a gateway that has sent before. */
const alone = {
  statements: {
    is: 7,
    on:
      'accepted: message and content put; settled: message moved, put on its timeline, its event put; and before each, ' +
      'whether another process has written meanwhile',
  },
  commits: { is: 2, on: 'the acceptance before the hand-over, and the end before the answer' },
  logBytes: { is: 18_648, on: 'nine pages of 2 kB with their heads: five of the acceptance, four of the end' },
  posts: {
    is: 4,
    on: 'to the writer, and to the writer again, each with its answer: the main thread makes the attempt',
  },
  connections: { is: 0, on: 'one is kept from the send before' },
  mainReads: { is: 0, on: 'key, plan, lines and channel are kept' },
  mainRows: { is: 0, on: 'nothing' },
} satisfies Budget<string>

/** The same with an idempotency key: what it adds. */
const keyed = {
  statements: { is: 2, on: 'the key looked for, and put' },
  logBytes: { is: 4_144, on: 'two pages: the last one of the keys, and one of the index that has them in order' },
} satisfies Budget<string>

/** 64 text sends whose verbs share a post and a commit. */
const together = {
  statements: { is: 322, on: 'five for each, and twice the question for other processes for all' },
  commits: { is: 2, on: 'one for all acceptances, and one for all ends' },
  logBytes: {
    is: 74_592,
    on: 'pages that they share: 36 in place of 576, two of them because the lists of a workspace begin with it',
  },
  posts: { is: 4, on: 'to the writer and back, twice' },
} satisfies Budget<string>

const manySends = 64

let threads: WatchedThreads
let upstream: CountedUpstream
let gateway: TestGateway
let clock: ManualClock
/** Of the main thread. */
let reads: Ran[]
let endWatch: () => void
beforeEach(async () => {
  threads = watchThreads()
  reads = []
  endWatch = watchStatements(ran => reads.push(ran))
  upstream = await countConnections(startUpstream())
  // It stands still, so that no job does anything meanwhile.
  clock = new ManualClock()
  gateway = await startTestGateway({ upstream, clock, env: { SEND_WORKERS: '1' } })
  await send()
})
afterEach(async () => {
  await gateway.stop()
  await upstream.stop()
  endWatch()
  threads.restore()
})

async function send(fields: Readonly<Record<string, string>> = {}): Promise<void> {
  const { json } = await gateway.send({ type: 'text', phone: '+15550100200', content: 'Hello', ...fields })
  expect(json.data.status).toBe('SENT')
}

const isOfTransaction = ({ sql }: Ran) => /^(BEGIN|COMMIT)/.test(sql)

/** Counts what is spent from now on. */
function meter() {
  const logBytes = () => statSync(join(gateway.dataDir, 'waypost.db-wal')).size
  const before = { logBytes: logBytes(), opened: upstream.opened }
  threads.clear()
  reads = []
  return () => {
    const { statements, posts } = threads
    const read = reads.filter(ran => !isOfTransaction(ran))
    return {
      statements: statements.filter(ran => !isOfTransaction(ran)).length,
      commits: statements.filter(({ sql }) => sql === 'COMMIT').length,
      logBytes: logBytes() - before.logBytes,
      posts: posts.length,
      connections: upstream.opened - before.opened,
      mainReads: read.length,
      mainRows: read.reduce((sum, { rows }) => sum + rows, 0),
    }
  }
}

/*
 * What a send may use. A change that raises a number changes it here, and says in its commit what a user gets for it.
 */

test('a text send that is alone', async () => {
  // After it, what decides on a send is kept.
  await send()
  const spent = meter()
  await send()
  expectSpent(alone, spent())
  expect(threads.posts).toEqual(['writer: acceptMessage', 'writer answers', 'writer: recordEvent', 'writer answers'])
})

test('an idempotency key', async () => {
  await send()
  await send({ idempotencyKey: 'order-1' })
  const spent = meter()
  await send({ idempotencyKey: 'order-2' })
  const { statements, logBytes } = spent()
  expectSpent(keyed, { statements: statements - alone.statements.is, logBytes: logBytes - alone.logBytes.is })
})

test('a message that waits for its turn is handed over by a post of its own', async () => {
  const line = await gateway.addLine({ perSecond: 1, pairSeconds: 0 })
  for (let n = 0; n < 3; n += 1) {
    const sent = send({ phoneNumberId: line.id })
    clock.advance(1_000)
    await sent
  }
  threads.clear()
  const second = send({ phoneNumberId: line.id })
  await eventually(() => expect(threads.posts.at(-1)).toBe('writer answers'))
  clock.advance(1_000)
  await second
  expect(threads.posts).toEqual([
    'writer: acceptMessage',
    'writer answers',
    // With the calls of the second before, and whose conversations they move: all commit at once.
    'writer: noteSpoken,recordApiRequests,handOverMessages',
    'writer answers',
    'writer: recordEvent',
    'writer answers',
  ])
})

test('text sends whose verbs are asked for in one turn', async () => {
  const { store } = gateway.gateway
  const drafts = Array.from({ length: manySends }, (_, at) =>
    draft({
      // In order, as real ones are.
      id: `msg_7${String(at).padStart(25, '0')}`,
      workspaceId: gateway.workspaceId,
      channelId: gateway.channelId,
      lineId: gateway.line.id,
      recipient: '+15550100200',
      payload: '{"messaging_product":"whatsapp","to":"+15550100200","type":"text","text":{"body":"Hello"}}',
      createdAt: clock.now(),
      dispatchedAt: clock.now(),
      apiKeyId: gateway.key.apiKey,
    }),
  )
  const spent = meter()
  await Promise.all(drafts.map(draft => store.write.acceptMessage(draft)))
  const at = clock.now()
  await Promise.all(
    drafts.map(({ id }) =>
      store.write.recordEvent({
        messageId: id,
        event: { kind: 'accepted', at, channelMessageId: `wamid.${id}`, waId: '15550100200' },
        detail: null,
        recordedAt: at,
      }),
    ),
  )
  const { connections, mainReads, mainRows, ...stored } = spent()
  expectSpent(together, stored)
})
