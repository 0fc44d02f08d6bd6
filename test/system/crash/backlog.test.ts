import { afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { openStore } from '../../../db/sqlite/store.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { silentLogger } from '../../../src/telemetry/log.ts'
import { eventually } from '../../eventually.ts'
import { ensureBuilt } from '../../executable.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { startUpstream, type Upstream } from '../../upstream.ts'
import { readLedger } from '../rig/ledger.ts'
import { type Serving, serve } from '../rig/serving.ts'
import { messageIds, repeated } from '../threads/heldUpstream.ts'
import { type Seeded, seedFolder } from '../threads/seeded.ts'

setDefaultTimeout(2 * hungAfterMs)
beforeAll(ensureBuilt)

const count = 1_000
const recipientCount = 50
const perSecond = 80
const kills = 3

let upstream: Upstream
let seeded: Seeded
let serving: Serving

afterEach(async () => {
  await serving.end('SIGKILL')
  await upstream.stop()
  seeded.remove()
})

async function start(): Promise<string> {
  serving = serve({ env: { DATA_DIR: seeded.dataDir, CHANNEL_API_URL: upstream.url, SEND_WAIT_MS: '100' } })
  const url = await serving.ready
  if (url === null) throw new Error(`the gateway did not start: ${serving.stderr()}`)
  return url
}

async function send(url: string, phone: string, content: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/public/messages/send`, {
    method: 'POST',
    headers: { ...seeded.key, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'text', phone, content }),
  })
  const { data } = (await response.json()) as { data?: { id: string } }
  if (response.status !== 201 || !data) throw new Error(`a send was answered ${response.status}`)
  return data.id
}

/** As `line set-rate` does, so that the rest of the test is quick. */
async function unpace(): Promise<void> {
  const path = `${seeded.dataDir}/waypost.db`
  const store = await openStore({ path, clock: systemClock, log: silentLogger, onWriterLost: () => {} })
  await store.write.changeLine({ lineId: seeded.lineId, perSecond: 0 })
  await store.close()
}

test('a backlog that waits for its turn survives kills: all of it is sent, once, in order per recipient', async () => {
  upstream = startUpstream()
  seeded = await seedFolder(upstream, undefined, { perSecond, pairSeconds: 6 })
  const ids: string[] = []
  const first = await start()
  const client = async (number: number) => {
    const phone = `+1555020${String(number).padStart(4, '0')}`
    for (let index = 0; index < count / recipientCount; index += 1) ids.push(await send(first, phone, String(index)))
  }
  await Promise.all(Array.from({ length: recipientCount }, (_, number) => client(number)))

  for (let kill = 0; kill < kills; kill += 1) {
    const sent = upstream.received.length
    await eventually(() => expect(upstream.received.length).toBeGreaterThan(sent))
    await serving.end('SIGKILL')
    if (kill === kills - 1) await unpace()
    await start()
  }
  const statusOf = () => {
    const { messages } = readLedger(`${seeded.dataDir}/waypost.db`)
    return ids.map(id => messages.get(id)?.status)
  }
  await eventually(() => expect(statusOf().filter(status => status === 'QUEUED')).toEqual([]), 60_000)

  const statuses = statusOf()
  const arrived = messageIds(upstream)
  expect(new Set(statuses).difference(new Set(['SENT', 'UNKNOWN']))).toEqual(new Set())
  expect(repeated(arrived)).toEqual([])
  // Only what was being handed over at the moment of a kill may be unknown, a second's worth at most: nothing that
  // waited.
  const unknown = ids.filter((_, at) => statuses[at] === 'UNKNOWN')
  expect(unknown.length).toBeLessThanOrEqual(kills * perSecond)
  expect(new Set(ids).difference(new Set([...arrived, ...unknown]))).toEqual(new Set())
  for (const received of Map.groupBy(upstream.received, ({ json }) => String(json.to)).values()) {
    const order = received.map(({ json }) => Number((json.text as { body: string }).body))
    expect(order).toEqual(order.toSorted((one, other) => one - other))
  }
})
