import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { eventually } from '../../eventually.ts'
import { binary, ensureBuilt } from '../../executable.ts'
import { freshFixture } from '../../fixture.ts'
import { openFile } from '../../openFile.ts'
import { hungAfterMs } from '../../timeLimit.ts'
import { Installation } from '../disk/installation.ts'
import { readLedger } from '../rig/ledger.ts'
import { messageIds, repeated } from '../threads/heldUpstream.ts'

setDefaultTimeout(5 * hungAfterMs)
beforeAll(ensureBuilt)

const count = 1_000
const recipientCount = 50
/** So slow that on any machine most of them wait still when the last one is accepted. */
const perSecond = 5
const kills = 3

const installation = freshFixture(() => Installation.make(undefined, { perSecond, pairSeconds: 6 }))
const start = () => installation.run({ program: [binary, 'serve'], env: { SEND_WAIT_MS: '100' } })

/** As `line set-rate` does, so that the rest of the test is quick. */
async function unpace(): Promise<void> {
  const path = installation.path('waypost.db')
  const store = await openFile(path)
  await store.write.changeLine({ lineId: installation.seeded.lineId, perSecond: 0 })
  await store.close()
}

test('a backlog that waits for its turn survives kills: all of it is sent, once, in order per recipient', async () => {
  const { upstream } = installation
  const ids: string[] = []
  let { serving, url } = await start()
  const client = async (number: number) => {
    const phone = `+1555020${String(number).padStart(4, '0')}`
    for (let index = 0; index < count / recipientCount; index += 1) {
      const { status, id = '' } = await installation.post(url, { type: 'text', phone, content: String(index) })
      expect(status).toBe(201)
      ids.push(id)
    }
  }
  await Promise.all(Array.from({ length: recipientCount }, (_, number) => client(number)))

  for (let kill = 0; kill < kills; kill += 1) {
    const sent = upstream.received.length
    await eventually(() => expect(upstream.received.length).toBeGreaterThan(sent))
    await serving.end('SIGKILL')
    if (kill === kills - 1) await unpace()
    ;({ serving, url } = await start())
  }
  const statuses = await eventually(async () => {
    const { messages } = await readLedger(installation.path('waypost.db'))
    const found = ids.map(id => messages.get(id)?.status)
    expect(found).not.toContain('QUEUED')
    return found
  }, 2 * hungAfterMs)

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
