import { beforeEach, describe, expect, test } from 'bun:test'
import type { ReportedTo } from '../../../db/contract/records.ts'
import type { MessageEvent, MessageRecord } from '../../../src/message/state.ts'
import { apply, eventless, statusOf } from '../../../src/message/state.ts'
import { ownToken, peers, userToken, wamid } from '../../message/wamids.ts'
import { randomOf } from '../../random.ts'
import { count, freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, draft, line, recorded, report, t0 } from '../fixtures.ts'

const [number, spelling, userId] = peers
const upstreamPhoneId = line().upstreamPhoneId
const otherLine = line({ id: 'line_2', upstreamPhoneId: '106540352242923' })

/** One message has several ids at the upstream (docs/upstream.md#message-identifiers). */
export function messageTokensSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  beforeEach(async () => {
    await db.write('addLine', otherLine)
  })

  const to = { upstreamPhoneId, phone: `+${number}`, userId: null }
  const named = (channelMessageId: string, fields: Partial<ReportedTo> = {}, status = 'delivered' as const) =>
    report(status, { messageId: null, channelMessageId, to: { ...to, ...fields } })
  const told = async (...reports: readonly ReturnType<typeof report>[]) =>
    db.write('applyReports', { channelId: 'chan_1', reports, recordedAt: t0 + 5_000 })
  const send = (fields: Parameters<typeof draft>[0] = {}) =>
    db.write('acceptMessage', draft({ recipient: `+${number}`, ...fields }))
  const sent = async (id: string, channelMessageId: string, fields: Parameters<typeof draft>[0] = {}) => {
    await send({ id, ...fields })
    await db.write('recordEvent', accepted(id, channelMessageId))
  }
  const statusesOf = (...ids: readonly string[]) =>
    Promise.all(ids.map(async id => (await db.read.message(id))?.status ?? null))

  describe('a status without our id', () => {
    test('finds its message by another text of the id, and the message keeps the id of its answer', async () => {
      await sent('msg_1', wamid(number, ownToken))
      const counts = await told(named(wamid(userId, ownToken)), named(wamid(spelling, ownToken)))
      expect(counts).toEqual({ applied: 2, parked: 0, foreign: 0 })
      const { status, channelMessageId } = (await db.read.message('msg_1')) ?? {}
      expect({ status, channelMessageId }).toEqual({ status: 'DELIVERED', channelMessageId: wamid(number, ownToken) })
    })

    test('that overtakes the answer waits for it, whatever text the answer has', async () => {
      await send()
      expect(await told(named(wamid(userId, ownToken)))).toEqual({ applied: 0, parked: 1, foreign: 0 })
      expect(await db.write('recordEvent', accepted('msg_1', wamid(number, ownToken)))).toMatchObject({
        ...{ status: 'DELIVERED', channelMessageId: wamid(number, ownToken) },
      })
      expect(await count(db, 'parked_reports')).toBe(0)
    })

    test('that overtakes one which names our id in another text is applied with it, also in one call', async () => {
      await send()
      const own = { ...named(wamid(number, ownToken)), messageId: 'msg_1' }
      expect(await told(named(wamid(userId, ownToken), {}), own)).toEqual({ applied: 1, parked: 1, foreign: 0 })
      await told(named(wamid(spelling, ownToken)))
      expect([await statusesOf('msg_1'), await count(db, 'parked_reports')]).toEqual([['DELIVERED'], 0])
    })

    test.each([
      ['of another line', { upstreamPhoneId: otherLine.upstreamPhoneId }],
      ['of no line that is known', { upstreamPhoneId: '1' }],
      ['to somebody else', { phone: '+4930123456' }],
    ])('is not taken for a message %s, before and after its answer', async (_name, fields) => {
      await send()
      await told(named(wamid(userId, ownToken), fields))
      await db.write('recordEvent', accepted('msg_1', wamid(number, ownToken)))
      await told(named(wamid(spelling, ownToken), fields))
      expect([await statusesOf('msg_1'), await count(db, 'parked_reports')]).toEqual([['SENT'], 2])
    })

    test('of the other direction is another message', async () => {
      await sent('msg_1', wamid(number, ownToken))
      await told(named(wamid(userId, ownToken, 'user')))
      expect(await statusesOf('msg_1')).toEqual(['SENT'])
    })

    test('finds that of its line and its person among those with one token', async () => {
      await sent('msg_1', wamid(number, ownToken))
      await sent('msg_2', wamid('4930123456', ownToken), { recipient: '+4930123456' })
      await sent('msg_3', wamid(number, ownToken), { lineId: otherLine.id })
      await told(named(wamid(userId, ownToken)))
      expect(await statusesOf('msg_1', 'msg_2', 'msg_3')).toEqual(['DELIVERED', 'SENT', 'SENT'])
    })

    test('that may be about two messages is about none, unless one has exactly its id', async () => {
      await sent('msg_1', wamid(number, ownToken))
      await sent('msg_2', wamid(spelling, ownToken))
      await told(named(wamid(userId, ownToken)))
      expect(await statusesOf('msg_1', 'msg_2')).toEqual(['SENT', 'SENT'])
      await told(named(wamid(spelling, ownToken)))
      expect(await statusesOf('msg_1', 'msg_2')).toEqual(['SENT', 'DELIVERED'])
    })

    test('names a number that the answer told, and a user id that the message went to', async () => {
      await send({ recipient: `+${spelling}` })
      const answer = { kind: 'accepted', at: t0, channelMessageId: wamid(spelling, ownToken), waId: number } as const
      await db.write('recordEvent', recorded('msg_1', answer))
      await sent('msg_2', wamid(number, userToken), { recipient: userId })
      await told(named(wamid(number, ownToken)), named(wamid(userId, userToken), { userId }))
      expect(await statusesOf('msg_1', 'msg_2')).toEqual(['DELIVERED', 'DELIVERED'])
    })
  })

  test('a failure under another text of the id is that of the attempt, before and after its answer', async () => {
    const failed = { ...report('failed', { messageId: 'msg_1', channelMessageId: wamid(userId, ownToken) }), to }
    await send()
    await told(failed)
    expect(await db.write('recordEvent', accepted('msg_1', wamid(number, ownToken)))).toMatchObject({
      status: 'FAILED',
    })
    await sent('msg_2', wamid(number, userToken))
    await told({ ...report('failed', { messageId: null, channelMessageId: wamid(userId, userToken) }), to })
    expect(await statusesOf('msg_2')).toEqual(['FAILED'])
  })

  test('a report under another text of the id leaves the one that is known', async () => {
    await send()
    const own = (status: 'failed' | 'sent' | 'read', id: string) =>
      report(status, { messageId: 'msg_1', channelMessageId: id, to })
    await told(own('failed', wamid(number, ownToken)))
    await told(own('sent', wamid(userId, ownToken)), own('read', wamid(spelling, ownToken)))
    expect(await db.read.message('msg_1')).toMatchObject({ status: 'READ', channelMessageId: wamid(number, ownToken) })
  })

  test('in any order, answers and statuses under any text end as they do under one id', async () => {
    const rounds = 40
    for (let round = 1; round <= rounds; round += 1) {
      const random = randomOf(round)
      const any = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value
      const people = [
        [number, spelling, userId],
        ['4930123456', '49030123456', 'DE.1'],
      ] as const
      // Messages to two people, one to each with one token: a person's ids are the same texts on each line.
      const messages = people.flatMap((ids, person) =>
        ['line_1', 'line_2'].map(lineId => {
          const own = `${round}P${person}${lineId}`.padEnd(18, '0')
          const token = lineId === 'line_1' ? any([`${round}SHARED000`, own]) : own
          return { id: `msg_${round}_${person}_${lineId}`, lineId, ids, token }
        }),
      )
      const steps = messages.flatMap(({ id, lineId, ids, token }) => {
        const answer: MessageEvent = {
          kind: 'accepted',
          at: t0,
          channelMessageId: wamid(any(ids), token),
          waId: ids[0],
        }
        const names = { phone: `+${ids[0]}`, userId: any([null, ids[2]]) }
        const line = { upstreamPhoneId: lineId === 'line_1' ? upstreamPhoneId : otherLine.upstreamPhoneId }
        const statuses = (['sent', 'delivered', 'read', 'failed'] as const)
          .filter(() => random(2) === 0)
          .map((status, at) => {
            const fields = { at: t0 + at, channelMessageId: wamid(any(ids), token), to: { ...line, ...names } }
            return report(status, { ...fields, messageId: any([null, null, id]) })
          })
        return [{ id, answer }, ...statuses.map(status => ({ id, status }))] as const
      })
      for (const { id, lineId, ids } of messages) await send({ id, lineId, recipient: `+${ids[0]}` })
      const shuffled = steps.map(step => [random(1_000_000), step] as const).sort(([one], [other]) => one - other)
      for (const [, step] of shuffled) {
        if ('status' in step) await told(step.status)
        else await db.write('recordEvent', recorded(step.id, step.answer))
      }
      for (const { id } of messages) {
        const expected = steps
          .filter(step => step.id === id)
          .map(step => ('status' in step ? step.status.event : step.answer))
          .reduce<MessageRecord>(apply, { createdAt: t0, dispatchedAt: t0, ...eventless })
        const { status, channelMessageId } = (await db.read.message(id)) ?? {}
        expect({ round, status, channelMessageId }).toEqual({
          round,
          status: statusOf(expected),
          channelMessageId: expected.channelMessageId,
        })
      }
      expect(await count(db, 'parked_reports')).toBe(0)
    }
  })
}
