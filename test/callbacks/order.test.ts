import { describe, expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { messageAnswer } from '../partner/messageAnswer.ts'
import { failure, iso, messageData, report, second, status, text, timeline } from './report.ts'

const gateway = sharedFixture(startTestGateway)

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length === 0) return [[]]
  return list.flatMap((first, at) => permutations(list.toSpliced(at, 1)).map(rest => [first, ...rest]))
}

const at: Readonly<Record<string, number>> = { sent: 1, delivered: 2, read: 3, failed: 4 }
const secondsOf = (name: string) => second + (at[name] ?? 0)

/** Sends a message, posts these statuses one by one, or all in one body, and tells how it ends. */
async function story(names: readonly string[], together: boolean) {
  const { json } = await gateway.send(text)
  const { id, channelMessageId } = json.data
  const statuses = names.map(name => status(channelMessageId, name, secondsOf(name)))
  if (together) await report(gateway, ...statuses)
  else for (const each of statuses) await report(gateway, each)
  const data = await messageData(gateway, id)
  const { sentAt, createdAt } = json.data
  expect(data).toMatchObject({ id, channelMessageId, sentAt, createdAt })
  return data
}

const readState = messageAnswer({
  status: 'READ',
  deliveredAt: iso(secondsOf('delivered')),
  readAt: iso(secondsOf('read')),
})

/** Any order and number of them: test/message/state.test.ts. */
describe('statuses in any order end in the same state', () => {
  test('all orders of sent, delivered, read and failed: a delivery beats a failure, whichever came first', async () => {
    for (const names of permutations(['sent', 'delivered', 'read', 'failed']))
      expect(await story([...names, ...names], true)).toEqual(readState)
    expect(await story(['read', 'read', 'sent', 'delivered'], false)).toEqual(readState)
  })

  test('failed and sent: the failure counts while nothing was delivered', async () => {
    for (const names of permutations(['sent', 'failed'])) {
      const { status: state, failureReason, deliveredAt } = await story(names, false)
      expect([state, deliveredAt]).toEqual(['FAILED', null])
      expect(failureReason).toBe('131049: In order to maintain a healthy ecosystem.')
    }
  })

  test('each permutation at the same time, in requests of their own', async () => {
    const sends = await Promise.all(Array.from({ length: 30 }, () => gateway.send(text)))
    await Promise.all(
      sends.flatMap(({ json }, index) => {
        const names = permutations(['sent', 'delivered', 'read'])[index % 6] ?? []
        return names.map(name => report(gateway, status(json.data.channelMessageId, name, secondsOf(name))))
      }),
    )
    for (const { json } of sends) {
      const { status: state, deliveredAt, readAt } = await messageData(gateway, json.data.id)
      expect({ state, deliveredAt, readAt }).toEqual({
        state: 'READ',
        deliveredAt: readState.deliveredAt,
        readAt: readState.readAt,
      })
    }
  })

  test('read alone does not invent a delivery time; played counts as read', async () => {
    for (const name of ['read', 'played']) {
      const { json } = await gateway.send(text)
      await report(gateway, status(json.data.channelMessageId, name))
      const { status: state, deliveredAt, readAt } = await messageData(gateway, json.data.id)
      expect([state, deliveredAt, readAt]).toEqual(['READ', null, iso(second)])
    }
  })
})

describe('the timeline', () => {
  test('every event is kept once, with its own time, however often it came', async () => {
    const { json } = await gateway.send(text)
    const { id, channelMessageId } = json.data
    const statuses = ['read', 'delivered', 'sent'].map(name => status(channelMessageId, name, secondsOf(name)))
    for (let times = 0; times < 3; times += 1) await report(gateway, ...statuses)
    const kinds = (await timeline(gateway, id)).map(({ kind, at: time }) => [kind, time])
    for (const name of ['sent', 'delivered', 'read'])
      expect(kinds.filter(([kind]) => kind === name)).toEqual([[name, secondsOf(name) * 1000]])
  })

  test('the errors of a failure are kept as they came, also when a delivery follows', async () => {
    const { json } = await gateway.send(text)
    const { id, channelMessageId } = json.data
    await report(gateway, status(channelMessageId, 'failed'))
    await report(gateway, status(channelMessageId, 'delivered', second + 5))
    expect((await messageData(gateway, id)).status).toBe('DELIVERED')
    const kept = (await timeline(gateway, id)).find(({ kind }) => kind === 'failed')
    expect(kept?.detail).toEqual({ errors: [failure] })
  })
})
