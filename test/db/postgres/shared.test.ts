import { afterEach, describe, expect, test } from 'bun:test'
import type { Change } from '../../../db/contract/shared.ts'
import { leaseMs } from '../../../db/postgres/instances.ts'
import type { Clock } from '../../../src/base/clock.ts'
import { hourMs } from '../../../src/base/durations.ts'
import { ManualClock } from '../../clock.ts'
import { eventually } from '../../eventually.ts'
import { hasPostgres } from '../../postgres.ts'
import { draft, t0 } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { openInstance, seedSending, type TestInstance } from './instance.ts'

describe.skipIf(!hasPostgres)('what several instances agree on', () => {
  const current = postgresDatabase()
  const instances: TestInstance[] = []
  const open = async (clock?: Clock) => {
    const instance = await openInstance(current().url, clock)
    instances.push(instance)
    return instance
  }
  afterEach(async () => {
    for (const instance of instances.splice(0)) await instance.close()
  })

  describe('rate windows', () => {
    const of = (...subjects: (readonly [subject: string, limit: number])[]) => ({
      subjects: subjects.map(([subject, limit]) => ({ subject, limit })),
    })

    test('three instances that ask for 300 requests at once admit exactly the limit', async () => {
      const opened = await Promise.all([open(), open(), open()])
      const answers = await Promise.all(
        opened.flatMap(({ shared }) =>
          Array.from({ length: 100 }, () => shared.admit({ requests: [of(['key:a', 120])], windowMs: hourMs })),
        ),
      )
      const admissions = answers.flat()
      expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(120)
      expect(new Set(admissions.flatMap(({ admitted, remaining }) => (admitted ? [remaining] : [])))).toEqual(
        new Set(Array.from({ length: 120 }, (_, n) => n)),
      )
      expect(admissions.every(({ resetsInMs }) => resetsInMs > 0 && resetsInMs <= hourMs)).toBe(true)
    })

    test('a request counts for all its subjects or for none; the tightest one is told', async () => {
      const { shared } = await open()
      const ask = (...requests: ReturnType<typeof of>[]) => shared.admit({ requests, windowMs: hourMs })
      const narrow = of(['ip:a', 1], ['ip:net', 10])
      expect(await ask(narrow, narrow)).toMatchObject([
        { admitted: true, subject: 'ip:a', limit: 1, remaining: 0 },
        { admitted: false, subject: 'ip:a', limit: 1, remaining: 0 },
      ])
      expect(await ask(of(['ip:net', 10]))).toMatchObject([{ admitted: true, remaining: 8 }])
    })

    test('a new window begins at nothing', async () => {
      const { shared } = await open()
      const ask = async (windowMs: number) =>
        (await shared.admit({ requests: [of(['ip:a', 1])], windowMs }))[0]?.admitted
      await ask(hourMs)
      expect(await ask(hourMs)).toBe(false)
      await current().pool.query('UPDATE rate_windows SET starts_at = starts_at - $1::bigint', [hourMs])
      expect(await ask(hourMs)).toBe(true)
    })
  })

  describe('the pace of a line', () => {
    const accept = async (instance: TestInstance, ids: readonly string[]) => {
      const answers = await Promise.all(ids.map(id => instance.acceptMessage(draft({ id }))))
      return answers.flatMap(answer => (answer.outcome === 'accepted' && answer.handOver ? [answer.handOver] : []))
    }
    const range = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}_${n}`)
    /** How many seconds have begun since then: a pace allows its number in each. A busy machine needs more than one. */
    const secondsSince = (startedAt: number) => Math.floor((performance.now() - startedAt) / 1_000) + 1

    test('is that of the line however many instances ask at once, and what is beyond is stored as waiting', async () => {
      const rate = 20
      await seedSending(current(), { perSecond: rate })
      const opened = await Promise.all([open(), open(), open()])
      const startedAt = performance.now()
      const handOvers = (await Promise.all(opened.map((each, at) => accept(each, range(`msg_${at}`, 30))))).flat()
      const held = handOvers.flatMap(handOver => (handOver.state === 'held' ? [handOver.waitMs] : []))
      expect(handOvers).toHaveLength(90)
      // Exactly the rate when all were accepted within a second.
      expect(90 - held.length).toBeGreaterThanOrEqual(rate)
      expect(90 - held.length).toBeLessThanOrEqual(rate * secondsSince(startedAt))
      expect(held.every(waitMs => waitMs > 0 && waitMs <= 1_000 + leaseMs)).toBe(true)
      const waiting = await current().pool.query('SELECT 1 FROM messages WHERE dispatched_at IS NULL')
      expect(waiting).toHaveLength(held.length)
    })

    test('holds in any second over three instances that hand over what waits, again and again', async () => {
      const rate = 40
      await seedSending(current(), { perSecond: rate })
      const opened = await Promise.all([open(), open(), open()])
      const departures: number[] = []
      const endsAt = performance.now() + 3_000
      await Promise.all(
        opened.map(async (instance, at) => {
          const ids = range(`msg_${at}`, 120)
          await Promise.all(ids.map(id => instance.acceptMessage(draft({ id, dispatchedAt: null }))))
          while (ids.length > 0 && (performance.now() < endsAt || departures.length <= rate)) {
            const askedAt = performance.now()
            const { handedOver } = await instance.handOverMessages({ messageIds: ids.slice(0, 25), at: t0 })
            for (const id of handedOver.messageIds) ids.splice(ids.indexOf(id), 1)
            // Some leave at once, some at the last moment. What is told too late does not leave.
            const until = askedAt + (handedOver.validMs ?? 0)
            handedOver.messageIds.forEach((_, n) => {
              departures.push(n % 2 === 0 ? Math.min(performance.now(), until) : until)
            })
          }
        }),
      )
      departures.sort((a, b) => a - b)
      const most = Math.max(
        ...departures.map((at, n) => departures.slice(n).findLastIndex(later => later < at + 1_000) + 1),
      )
      expect(most).toBeLessThanOrEqual(rate)
      expect(departures.length).toBeGreaterThan(rate)
    })

    test('is halved for all of them by a throttle, once within a second', async () => {
      await seedSending(current(), { perSecond: 20 })
      const [one, other] = await Promise.all([open(), open()])
      const slowedFrom = performance.now()
      await Promise.all([one, other, one].map(({ shared }) => shared.slowDown({ lineId: 'line_1' })))
      // Each of the three halves it when a second lies between them.
      const halvings = Math.min(3, secondsSince(slowedFrom))
      const acceptedFrom = performance.now()
      const handOvers = await accept(other, range('msg', 30))
      const handedOver = handOvers.filter(({ state }) => state === 'handedOver').length
      // Exactly half of the rate when both were done within a second.
      expect(handedOver).toBeGreaterThanOrEqual(Math.floor(20 / 2 ** halvings))
      expect(handedOver).toBeLessThanOrEqual(10 * secondsSince(acceptedFrom))
    })

    test('a pause of a line or an account hands over nothing on any instance, also of a line without a limit', async () => {
      await seedSending(current(), { lineIds: ['line_1', 'line_2'] })
      const [one, other] = await Promise.all([open(), open()])
      await one.shared.pause({ scope: 'line', id: 'line_1', ms: 60_000 })
      await one.shared.pause({ scope: 'line', id: 'line_1', ms: 10 })
      const [held] = await accept(other, ['msg_1'])
      expect(held?.state === 'held' && held.waitMs > 30_000).toBe(true)
      const onOther = () => other.acceptMessage(draft({ id: crypto.randomUUID(), lineId: 'line_2' }))
      expect(await onOther()).toMatchObject({ handOver: { state: 'handedOver', validMs: leaseMs } })
      await one.shared.pause({ scope: 'channel', id: 'chan_1', ms: 60_000 })
      expect(await onOther()).toMatchObject({ handOver: { state: 'held' } })
      const handOvers = await other.handOverMessages({ messageIds: ['msg_1'], at: t0 })
      expect([handOvers.handedOver.messageIds, handOvers.held.messageIds]).toEqual([[], ['msg_1']])
    })
  })

  describe('the jobs of all', () => {
    test('are done by one instance, and by another once that one has stopped or is gone', async () => {
      const [one, other] = await Promise.all([open(), open(new ManualClock())])
      const leaders = await Promise.all([one, other, one, other].map(({ shared }) => shared.leads()))
      const leader = leaders[0] ? one : other
      const second = leaders[0] ? other : one
      expect(leaders).toEqual([leader === one, leader === other, leader === one, leader === other])
      await leader.instance.stop()
      expect(await second.shared.leads()).toBe(true)
      const third = await open()
      expect(await third.shared.leads()).toBe(false)
      await current().pool.query('UPDATE leases SET expires_at = 0')
      expect(await third.shared.leads()).toBe(true)
      expect(await second.shared.leads()).toBe(false)
    })

    test('are led by nobody while the database cannot be asked', async () => {
      const instance = await open()
      await current().pool.query('ALTER TABLE leases RENAME TO gone')
      expect(await instance.shared.leads()).toBe(false)
      await current().pool.query('ALTER TABLE gone RENAME TO leases')
    })
  })

  describe('what changes', () => {
    const change = (messageId: string): Change => ({ workspaceId: 'ws_1', subject: 'messages', messageId })
    const stored = () => current().pool.query<{ detail: string }>('SELECT detail FROM changes ORDER BY seq')

    test('is told to instances that watch, also what changed just before, and not to the one that says it', async () => {
      const [one, other] = await Promise.all([open(), open()])
      const seen: Change[] = []
      const own: Change[] = []
      one.shared.announce([change('msg_1')])
      const ends = [
        other.shared.watch(changes => seen.push(...changes)),
        one.shared.watch(changes => own.push(...changes)),
      ]
      await eventually(() => expect(seen).toEqual([change('msg_1')]))
      one.shared.announce([change('msg_2'), change('msg_3')])
      await eventually(() => expect(seen).toEqual(['msg_1', 'msg_2', 'msg_3'].map(change)))
      // It is told what another one says, so that it has looked by then.
      other.shared.announce([change('msg_4')])
      await eventually(() => expect(own).toEqual([change('msg_4')]))
      for (const end of ends) end()
    })

    test('is not written while nobody watches', async () => {
      const clock = new ManualClock()
      const [one, other] = await Promise.all([open(clock), open()])
      /** Longer than a change waits for more, before it is written. */
      const afterGatheringMs = 100
      for (const id of ['msg_1', 'msg_2']) {
        one.shared.announce([change(id)])
        await one.instance.beat()
        clock.advance(afterGatheringMs)
      }
      expect(await stored()).toHaveLength(0)
      // A change is written once, with all that wait for it. So both are in one row only when neither was written
      // before.
      const end = other.shared.watch(() => {})
      await eventually(async () => {
        await one.instance.beat()
        clock.advance(afterGatheringMs)
        expect((await stored()).map(({ detail }) => JSON.parse(detail))).toEqual([['msg_1', 'msg_2'].map(change)])
      })
      end()
    })
  })
})
