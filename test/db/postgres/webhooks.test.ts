import { afterEach, describe, expect, test } from 'bun:test'
import type { StoreWrites } from '../../../db/contract/store.ts'
import type { Pool } from '../../../db/postgres/open.ts'
import { claimWebhooks, fencedWebhookVerbs, noticing } from '../../../db/postgres/webhooks.ts'
import { hasPostgres } from '../../postgres.ts'
import { draft, outcome, webhook } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { openInstance, seedSending, type TestInstance } from './instance.ts'

describe.skipIf(!hasPostgres)('webhooks of several instances', () => {
  const current = postgresDatabase()
  const instances: TestInstance[] = []
  const open = async () => {
    const instance = await openInstance(current().url)
    instances.push(instance)
    return instance
  }
  afterEach(async () => {
    for (const instance of instances.splice(0)) await instance.close()
  })
  const add = async (...ids: readonly string[]) => {
    for (const id of ids) await current().verbs.addWebhook(webhook({ id }))
  }
  const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `hook_${at}`)
  const record = ({ instance }: TestInstance, endpointId: string) =>
    fencedWebhookVerbs(instance).recordAttempts({ endpointId, position: 1, outcomes: [outcome(1)] })
  const claim = async ({ shared }: TestInstance, isReady = true) => (await shared.claimWebhooks({ isReady })).ids
  /** As the deliverer does: it takes its share, and leaves what is more. */
  const balance = async ({ shared }: TestInstance, isReady = true) => {
    const { ids, surplus } = await shared.claimWebhooks({ isReady })
    await shared.releaseWebhooks({ endpointIds: ids.slice(0, surplus) })
  }
  /** Until each has what it will have. */
  const claimAll = async (...all: readonly TestInstance[]) => {
    for (const _ of [1, 2, 3]) await Promise.all(all.map(one => claim(one)))
    return Promise.all(all.map(one => claim(one)))
  }

  test('each has its share of the endpoints, and no two have one', async () => {
    await seedSending(current())
    await add(...idsOf(9))
    const claimed = await claimAll(await open(), await open(), await open())
    expect(claimed.map(ids => ids.length)).toEqual([3, 3, 3])
    expect(claimed.flat().toSorted()).toEqual(idsOf(9))
  })

  test('those of one that is gone go to the others, and it records nothing more', async () => {
    await seedSending(current())
    await add('hook_1')
    const [first, second] = [await open(), await open()]
    expect(await claim(first)).toEqual(['hook_1'])
    expect(await claim(second)).toEqual([])
    expect(await record(second, 'hook_1')).toBeNull()
    await first.expire()
    await second.instance.buryOthers()
    expect(await claim(second)).toEqual(['hook_1'])
    expect(await record(first, 'hook_1')).toBeNull()
    expect(await record(second, 'hook_1')).toMatchObject({
      deliveredAt: expect.any(Number),
    })
    const gone = { endpointId: 'hook_1', reason: 'gone', failedSince: 0, at: 1 } as const
    expect(await fencedWebhookVerbs(first.instance).disableWebhook(gone)).toBe(false)
  })

  test('one that starts later gets its share of the others', async () => {
    await seedSending(current())
    await add(...idsOf(9))
    const first = await open()
    await claimAll(first)
    expect(await claim(first)).toHaveLength(9)
    const [second, third] = [await open(), await open()]
    await balance(first)
    expect((await claimAll(first, second, third)).map(ids => ids.length)).toEqual([3, 3, 3])
    // Nothing moves any more.
    for (const one of [first, second, third])
      expect(await one.shared.claimWebhooks({ isReady: true })).toMatchObject({ surplus: 0 })
  })

  test('one that is not ready leaves all it has to those that are, takes none, and is back with its share', async () => {
    await seedSending(current())
    await add(...idsOf(4))
    const [first, second] = [await open(), await open()]
    expect((await claimAll(first, second)).map(ids => ids.length)).toEqual([2, 2])
    await balance(first, false)
    expect(await claim(first, false)).toEqual([])
    expect(await claim(second)).toHaveLength(4)
    expect(await claim(first, false)).toEqual([])
    expect(await claim(first)).toEqual([])
    await balance(second)
    expect((await claimAll(first, second)).map(ids => ids.length)).toEqual([2, 2])
  })

  test('where none is ready, each keeps its share', async () => {
    await seedSending(current())
    await add(...idsOf(4))
    const [first, second] = [await open(), await open()]
    await claimAll(first, second)
    for (let time = 0; time < 3; time += 1) for (const one of [first, second]) await balance(one, false)
    expect([await claim(first, false), await claim(second, false)].map(ids => ids.length)).toEqual([2, 2])
  })

  test('an endpoint that was left is recorded by its next instance alone', async () => {
    await seedSending(current())
    await add('hook_1')
    const [first, second] = [await open(), await open()]
    await claim(first)
    await second.shared.releaseWebhooks({ endpointIds: ['hook_1'] })
    expect(await record(first, 'hook_1')).not.toBeNull()
    await claim(second)
    await balance(first, false)
    expect(await record(first, 'hook_1')).toBeNull()
    expect(await claim(second)).toEqual(['hook_1'])
  })

  test('one that is off is nobody’s', async () => {
    await seedSending(current())
    await add('hook_1', 'hook_2')
    const instance = await open()
    await current().verbs.changeWebhook({ endpointId: 'hook_2', isOn: false, at: 1 })
    expect(await claim(instance)).toEqual(['hook_1'])
  })

  test('an acceptance looks for who asks for it only while somebody may: from the next claim on', async () => {
    await seedSending(current())
    const [accepting, other] = [await open(), await open()]
    const types = async () => (await current().pool.query('SELECT type FROM events')).length
    await claim(accepting)
    expect(accepting.instance.mayBeAsked).toBe(false)
    await current().verbs.addWebhook(webhook({ types: ['message.queued'] }))
    await accepting.acceptMessage(draft({ id: 'msg_1' }))
    expect(await types()).toBe(0)
    await claim(accepting)
    await accepting.acceptMessage(draft({ id: 'msg_2' }))
    expect(await types()).toBe(1)
    other.instance.mayBeAsked = false
    const own = noticing(current().verbs as unknown as StoreWrites, other.instance)
    await own.changeWebhook({ endpointId: 'hook_1', description: 'x', at: 1 })
    await other.acceptMessage(draft({ id: 'msg_3' }))
    expect(await types()).toBe(2)
  })

  test('a claim that began before a change does not hide it', async () => {
    await seedSending(current())
    const accepting = await open()
    const { instance } = accepting
    const { promise, resolve } = Promise.withResolvers<{ ids: string[]; surplus: number; isAsked: boolean }[]>()
    const claiming = claimWebhooks({ ...current().pool, query: () => promise } as unknown as Pool, instance)
    await noticing(current().verbs as unknown as StoreWrites, instance).addWebhook(
      webhook({ types: ['message.queued'] }),
    )
    resolve([{ ids: [], surplus: 0, isAsked: false }])
    await claiming
    expect(instance.mayBeAsked).toBe(true)
    await claim(accepting)
    expect(instance.mayBeAsked).toBe(true)
    await noticing(current().verbs as unknown as StoreWrites, instance).changeWebhook({
      ...{ endpointId: 'hook_1', types: ['message.sent'], at: 1 },
    })
    await claim(accepting)
    expect(instance.mayBeAsked).toBe(false)
  })
})
