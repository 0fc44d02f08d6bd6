import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { getTableColumns } from 'drizzle-orm'
import type { MessageDraft } from '../../../db/contract/records.ts'
import { dialect } from '../../../db/schema/sqlite.ts'
import { ownTables } from '../../../db/sqlite/schema.ts'
import type { MessageEvent, ReportEvent } from '../../../src/message/state.ts'
import { type Full, type FullDraft, fullDraft, messageOf, recordOf, stateOf, viewOf } from '../drafts.ts'
import { type OpenStore, type StoreUnderTest, single } from '../engines.ts'
import { acceptedToLeave, acceptedToWait, apiKey, draft, handOvers, line, seed, t0, webhook } from '../fixtures.ts'

/** Of a table of messages, those that every engine has. */
const columns = Object.entries(getTableColumns(ownTables.messages)).filter(
  ([field]) => !(field in dialect.own.messageColumns),
)

/**
 * Nothing of a message is lost: what a draft has in every field is in every column, and in all that is read of it, after
 * each step. What is expected is computed from the draft and the events, by the state machine.
 */
export function wholeMessagesSuite(open: OpenStore): void {
  let db: StoreUnderTest
  afterEach(() => db.close())

  /** The line and the key of a full draft are not the first ones. */
  async function prepare(): Promise<void> {
    db = await open()
    await seed(db)
    await db.write('addLine', line({ id: 'line_full', upstreamPhoneId: '2' }))
    for (const id of ['pk_2', 'pk_full']) await db.write('createKey', apiKey({ id }))
  }

  const accept = (offered: MessageDraft) => db.write('acceptMessage', offered)
  const record = (event: MessageEvent, messageId = 'msg_full') =>
    db.write('recordEvent', { messageId, channelId: 'chan_1', event, detail: null, recordedAt: t0 + 50 })
  const apply = (...events: readonly ReportEvent[]) =>
    db.write('applyReports', {
      channelId: 'chan_1',
      reports: events.map(event => ({ messageId: 'msg_full', event, detail: null, isMediaGone: false })),
      recordedAt: t0 + 60,
    })

  /** Every column of the row, by its field. */
  async function rowOf(id: string): Promise<Readonly<Record<string, unknown>>> {
    const selected = columns.map(([, { name, dataType }]) =>
      dataType === 'number' ? `CAST(${name} AS double precision)` : name,
    )
    const [values = []] = await db.rows(`SELECT ${selected.join(', ')} FROM messages WHERE id = '${id}'`)
    return Object.fromEntries(columns.map(([field], at) => [field, values[at]]))
  }

  /** The same, as it has to be: a column that nothing here knows of is undefined, and so is none of the row. */
  async function expectedRow(offered: FullDraft, sequence: number, ...events: readonly MessageEvent[]) {
    const seqOf = (table: string, id: string) =>
      single(db, `SELECT CAST(seq AS double precision) FROM ${table} WHERE id = '${id}'`)
    const known: Readonly<Record<string, unknown>> = {
      ...messageOf(offered, ...events),
      seq: await seqOf('messages', offered.id),
      lineSeq: await seqOf('lines', offered.lineId),
      apiKeySeq: await seqOf('api_keys', offered.apiKeyId),
      sequence,
    }
    return Object.fromEntries(columns.map(([field]) => [field, known[field]]))
  }

  async function expectWhole(offered: FullDraft, sequence: number, ...events: readonly MessageEvent[]): Promise<void> {
    expect(await rowOf(offered.id)).toStrictEqual(await expectedRow(offered, sequence, ...events))
    expect(await db.read.statusView(offered.id)).toStrictEqual(viewOf(offered, ...events))
    expect(await db.read.message(offered.id)).toStrictEqual(messageOf(offered, ...events))
    expect(await db.read.messageContent(offered.id)).toBe(offered.payload)
  }

  const took: Full<Extract<MessageEvent, { kind: 'accepted' }>> = {
    kind: 'accepted',
    at: t0 + 10,
    channelMessageId: 'wamid.full',
    waId: '4930123477',
  }
  const reported = (status: ReportEvent['status'], at: number): ReportEvent => ({
    ...{ kind: 'reported', status, at, channelMessageId: 'wamid.full' },
    reason: status === 'failed' ? '131026: undeliverable' : null,
    pricing: status === 'failed' ? null : 4_095,
  })

  describe.each<[asked: string, isAsked: boolean]>([
    ['nobody asks for', false],
    ['a webhook asks for', true],
  ])('an acceptance that %s', (_, isAsked) => {
    beforeEach(async () => {
      await prepare()
      if (isAsked) await db.write('addWebhook', webhook({ types: ['message.queued', 'message.sent'] }))
      // From here on the process knows whether anybody asks.
      await db.claimWebhooks()
    })

    /** The messages that events show, with the type of each. */
    const told = async (): Promise<unknown[]> => {
      const { events } = await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 100 })
      return events.map(({ type, message }) => [type, message])
    }
    const queued = (...offered: readonly MessageDraft[]) =>
      isAsked ? offered.map(each => ['message.queued', viewOf(each)]) : []

    test('stores each column, alone and among others', async () => {
      const others = [fullDraft({ id: 'msg_2' }), fullDraft({ id: 'msg_3', recipient: '+4930123478' })].map(each => ({
        ...each,
        idempotency: { ...each.idempotency, key: each.id },
      }))
      expect(await accept(fullDraft())).toEqual(acceptedToLeave(db.unlimitedMs))
      await expectWhole(fullDraft(), 1)
      await db.batch(...others.map(each => ['acceptMessage', each] as const))
      for (const each of others) await expectWhole(each, 1)
      expect(await told()).toStrictEqual(queued(fullDraft(), ...others))
    })

    test('stores its key, and opens and closes flows', async () => {
      const { opensFlow, idempotency, createdAt } = fullDraft()
      const { scope, key, fingerprint, expiresAt } = idempotency
      await accept(draft({ id: 'msg_former', lineId: 'line_full', opensFlow }))
      await accept(fullDraft())
      const keyAt = (at: number) => db.read.idempotencyKey({ workspaceId: 'ws_1', scope, key, at })
      expect(await keyAt(expiresAt - 1)).toEqual({ messageId: 'msg_full', fingerprint })
      expect(await keyAt(expiresAt)).toBeNull()
      const flows = await db.read.flowSessions(opensFlow.contactId)
      const flow = { ...opensFlow, lineId: 'line_full' }
      expect(flows.toSorted((one, other) => one.openedAt - other.openedAt)).toStrictEqual([
        { ...flow, messageId: 'msg_former', openedAt: t0, closedAt: createdAt, closedBy: 'revalidated' },
        { ...flow, messageId: 'msg_full', openedAt: createdAt, closedAt: null, closedBy: null },
      ])
    })

    test('is whole wherever it is looked up', async () => {
      await accept(fullDraft())
      await record(took)
      const whole = messageOf(fullDraft(), took)
      const { workspaceId, idempotency, recipient } = fullDraft()
      for (const reference of ['msg_full', 'wamid.full', idempotency.key])
        expect([reference, await db.read.messagesReferred({ reference })]).toStrictEqual([reference, [whole]])
      for (const filter of [{}, { recipient }, { status: ['SENT'] as const }]) {
        expect(await db.read.messages({ workspaceId, ...filter, limit: 9 })).toStrictEqual([whole])
        const search = { workspaceId, ...filter, direction: 'older', limit: 9, scan: 9 } as const
        expect((await db.read.searchMessages(search)).messages).toStrictEqual([whole])
      }
    })

    test('is whole where a later start takes it up, and once it is handed over there', async () => {
      const waiting = { ...fullDraft(), dispatchedAt: null }
      expect(await accept(waiting)).toEqual(acceptedToWait)
      await db.restart()
      expect(await db.write('claimWaiting', { after: null, limit: 9 })).toStrictEqual([
        { message: messageOf(waiting), payload: waiting.payload },
      ])
      const handedOver = await db.write('handOverMessages', { messageIds: ['msg_full'], at: t0 + 3 })
      expect(handedOver).toEqual(handOvers({ handedOver: ['msg_full'], validMs: db.unlimitedMs }))
      await expectWhole(fullDraft({ dispatchedAt: t0 + 3 }), 1)
    })

    test('is whole where a later start does not know whether it went out', async () => {
      await accept(fullDraft())
      await db.restart()
      await db.write('markInterrupted', { at: t0 + 9 })
      await expectWhole(fullDraft(), 2, { kind: 'lost', at: t0 + 9 })
    })

    test.each<[end: string, type: string, event: MessageEvent]>([
      ['taken', 'message.sent', took],
      ['refused', 'message.failed', { kind: 'refused', at: t0 + 10, reason: '131026: undeliverable' }],
      ['lost', 'message.unknown', { kind: 'lost', at: t0 + 10 }],
    ])('is whole once it is %s: as it is answered, as it is told, and as it is stored', async (_, type, event) => {
      await accept(fullDraft())
      expect(await record(event)).toStrictEqual(stateOf(fullDraft(), event))
      await expectWhole(fullDraft(), 2, event)
      expect(await told()).toStrictEqual([...queued(fullDraft()), [type, viewOf(fullDraft(), event)]])
    })

    test('is whole once it is taken after its client was given an id of ours', async () => {
      const named = { kind: 'namedByUs', at: t0 + 4 } as const
      await accept(fullDraft())
      for (const events of [[named], [named, took]])
        expect(await record(events.at(-1) ?? took)).toStrictEqual(stateOf(fullDraft(), ...events))
      await expectWhole(fullDraft(), 2, named, took)
      expect((await told()).at(-1)).toStrictEqual(['message.sent', viewOf(fullDraft(), named, took)])
    })

    test('is whole in each event, as it was then', async () => {
      await accept(fullDraft())
      const [delivered, read] = [reported('delivered', t0 + 20), reported('read', t0 + 30)]
      await record(took)
      await apply(delivered, read)
      await expectWhole(fullDraft(), 4, took, delivered, read)
      expect(await told()).toStrictEqual([
        ...queued(fullDraft()),
        ['message.sent', viewOf(fullDraft(), took)],
        ['message.delivered', viewOf(fullDraft(), took, delivered)],
        ['message.read', viewOf(fullDraft(), took, delivered, read)],
      ])
    })

    test('is whole with all that can happen to it, in one row without a null', async () => {
      await accept(fullDraft())
      const ours: MessageEvent[] = [
        { kind: 'namedByUs', at: t0 + 4 },
        { kind: 'lost', at: t0 + 5 },
        { kind: 'abandoned', at: t0 + 6, reason: 'silence' },
        took,
      ]
      const reports = [
        reported('sent', t0 + 20),
        reported('failed', t0 + 21),
        reported('delivered', t0 + 22),
        reported('read', t0 + 23),
      ]
      for (const [at, event] of ours.entries())
        expect(await record(event)).toStrictEqual(stateOf(fullDraft(), ...ours.slice(0, at + 1)))
      await apply(...reports)
      const known = recordOf(fullDraft(), ...ours, ...reports)
      // No acceptance waits for a time: scheduled.ts.
      const { dueAt, releasedAt, cancelledAt, ...facts } = known
      expect([dueAt, releasedAt, cancelledAt]).toEqual([null, null, null])
      expect(Object.entries(facts).filter(([, value]) => value === null)).toEqual([])
      const { sequence } = await rowOf('msg_full')
      await expectWhole(fullDraft(), Number(sequence), ...ours, ...reports)
    })
  })
}
