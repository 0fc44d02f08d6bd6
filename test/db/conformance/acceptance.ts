import { beforeEach, describe, expect, test } from 'bun:test'
import type { MessageDraft } from '../../../db/contract/records.ts'
import { hourMs } from '../../../src/base/durations.ts'
import { freshFixture } from '../../fixture.ts'
import { count, type OpenStore } from '../engines.ts'
import {
  accepted,
  acceptedToLeave,
  apiKey,
  draft,
  line,
  recorded,
  refused,
  report,
  seed,
  t0,
  used,
  withKey,
} from '../fixtures.ts'

export function acceptanceSuite(open: OpenStore): void {
  const db = freshFixture(() => open())

  const keyOf = (key: string, at = t0) => db.read.idempotencyKey({ workspaceId: 'ws_1', scope: 'pk_seed', key, at })

  describe('accepting a message', () => {
    test('stores message, key and count as one', async () => {
      await seed(db)
      const offered = draft({ ...withKey('k-1'), contactId: 'contact_1', requestId: 'order-1' })
      expect(await db.write('acceptMessage', offered)).toEqual(acceptedToLeave(db.unlimitedMs))
      const { payload, idempotency, opensFlow, closesFlows, ...kept } = offered
      const state = { status: 'QUEUED', acceptedAt: null } as const
      expect(await db.read.message('msg_1')).toMatchObject({ ...kept, ...state, idempotencyKey: 'k-1' })
      expect(await db.read.messageContent('msg_1')).toBe(payload)
      expect(await keyOf('k-1')).toEqual({ fingerprint: 'f1', messageId: 'msg_1' })
      expect(await used(db)).toBe(1)
    })

    test('what fails after the first write leaves none of the three', async () => {
      await seed(db)
      // The key's row cannot be written: it comes last.
      const answers = await db.batch(
        ['acceptMessage', draft({ id: 'msg_1', ...withKey('k-1', null as unknown as string) })],
        ['acceptMessage', draft({ id: 'msg_2', ...withKey('k-2') })],
      )
      expect(answers.map(({ ok }) => ok)).toEqual([false, true])
      expect(await db.read.message('msg_1')).toBeNull()
      expect(await keyOf('k-1')).toBeNull()
      expect(await used(db)).toBe(1)
    })

    test('offered twice under one id it is stored and counted once', async () => {
      await seed(db)
      const answers = await db.batch(['acceptMessage', draft()], ['acceptMessage', draft()])
      // Which of two at once is the first is the engine's choice.
      expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true])
      expect(await used(db)).toBe(1)
    })

    test('a field that was forgotten is refused, not stored as null', async () => {
      await seed(db)
      const { requestId: _, ...forgetful } = draft()
      await expect(db.write('acceptMessage', forgetful as MessageDraft)).rejects.toThrow('requestId')
      expect([await db.read.message('msg_1'), await used(db)]).toEqual([null, 0])
    })

    test('a workspace that does not exist accepts nothing', async () => {
      await expect(db.write('acceptMessage', draft({ workspaceId: 'ws_9' }))).rejects.toThrow(
        'workspace does not exist',
      )
      expect(await db.read.message('msg_1')).toBeNull()
    })

    test('is counted for the month of its acceptance, in UTC', async () => {
      await seed(db)
      await db.write('acceptMessage', draft({ id: 'msg_1', createdAt: t0 - 1 }))
      await db.write('acceptMessage', draft({ id: 'msg_2', createdAt: t0 }))
      expect(await db.read.plan({ workspaceId: 'ws_1', month: '2025-12' })).toMatchObject({ limit: null, used: 1 })
      expect(await db.read.plan({ workspaceId: 'ws_1', month: '2026-01' })).toMatchObject({ limit: null, used: 1 })
    })
  })

  describe('idempotency', () => {
    beforeEach(async () => {
      await seed(db)
      await db.write('acceptMessage', draft({ id: 'msg_1', ...withKey('k-1', 'f1') }))
    })

    const again = (id: string, fields = withKey('k-1', 'f1')) => db.write('acceptMessage', draft({ id, ...fields }))

    test('the same key and body replay the first message, and count nothing', async () => {
      expect(await again('msg_2')).toEqual({ outcome: 'replayed', messageId: 'msg_1' })
      expect(await db.read.message('msg_2')).toBeNull()
      expect(await used(db)).toBe(1)
    })

    test('the same key with another body is a conflict, and counts nothing', async () => {
      expect(await again('msg_2', withKey('k-1', 'f2'))).toEqual({ outcome: 'conflict' })
      expect(await db.read.message('msg_2')).toBeNull()
      expect(await used(db)).toBe(1)
    })

    test('a message without an API key has its key in the scope of its workspace, and a refusal frees it', async () => {
      const { idempotency } = withKey('k-1')
      const send = (id: string) => draft({ id, apiKeyId: null, idempotency: { ...idempotency, scope: 'ws_1' } })
      expect(await db.write('acceptMessage', send('msg_2'))).toEqual(acceptedToLeave(db.unlimitedMs))
      expect(await db.write('acceptMessage', send('msg_3'))).toEqual({ outcome: 'replayed', messageId: 'msg_2' })
      await db.write('recordEvent', refused('msg_2'))
      expect(await db.write('acceptMessage', send('msg_3'))).toEqual(acceptedToLeave(db.unlimitedMs))
    })

    test('a key that was revoked since it was looked at accepts nothing, and its earlier sends are replayed', async () => {
      await db.write('revokeKey', { keyId: 'pk_seed', at: t0 })
      const again = draft({ id: 'msg_2', ...withKey('k-1') })
      expect(await db.write('acceptMessage', again)).toEqual({ outcome: 'replayed', messageId: 'msg_1' })
      const late = draft({ id: 'msg_3', ...withKey('k-2') })
      expect(await db.write('acceptMessage', late)).toMatchObject({ outcome: 'outdated' })
      expect([await db.read.message('msg_3'), await used(db)]).toEqual([null, 1])
    })

    test('200 at once with one key are one message', async () => {
      const answers = await db.batch(
        ...Array.from(
          { length: 200 },
          (_, index) => ['acceptMessage', draft({ id: `msg_x${index}`, ...withKey('k-9') })] as const,
        ),
      )
      const outcomes = answers.map(answer => answer.ok && answer.value)
      expect(outcomes[0]).toEqual(acceptedToLeave(db.unlimitedMs))
      expect(outcomes.slice(1)).toEqual(Array(199).fill({ outcome: 'replayed', messageId: 'msg_x0' }))
      expect(await used(db)).toBe(2)
    })

    test("another API key's key is another key, also in the same workspace", async () => {
      await db.write('createKey', apiKey({ id: 'pk_staging' }))
      const other = draft({ id: 'msg_2', ...withKey('k-1', 'f2', t0 + hourMs, 'pk_staging') })
      expect(await db.write('acceptMessage', other)).toEqual(acceptedToLeave(db.unlimitedMs))
    })

    test('keys are told apart by every character', async () => {
      for (const key of ['K-1', 'k-1 ', ' k-1', 'k-\u0031\u0000']) {
        expect(await again(`msg_${key}`, withKey(key, 'f2'))).toEqual(acceptedToLeave(db.unlimitedMs))
      }
    })

    test('an expired key counts as absent before it is pruned, and is the new message then', async () => {
      const at = t0 + 24 * hourMs
      expect(await keyOf('k-1', at - 1)).not.toBeNull()
      expect(await keyOf('k-1', at)).toBeNull()
      const late = draft({ id: 'msg_2', createdAt: at, ...withKey('k-1', 'f2', at + 24 * hourMs) })
      expect(await db.write('acceptMessage', late)).toEqual(acceptedToLeave(db.unlimitedMs))
      expect(await keyOf('k-1', at)).toEqual({ fingerprint: 'f2', messageId: 'msg_2' })
    })

    test('a key that is used again, after refusals and after its time, is stored once', async () => {
      for (const id of ['msg_1', 'msg_2', 'msg_3']) {
        await db.write('recordEvent', refused(id))
        await again(`msg_${Number(id.slice(4)) + 1}`)
      }
      const late = draft({ id: 'msg_5', createdAt: t0 + 24 * hourMs, ...withKey('k-1', 'f2', t0 + 48 * hourMs) })
      expect(await db.write('acceptMessage', late)).toEqual(acceptedToLeave(db.unlimitedMs))
      expect(await count(db, 'idempotency_keys')).toBe(1)
      expect(await keyOf('k-1')).toEqual({ fingerprint: 'f2', messageId: 'msg_5' })
    })

    test('a refusal of the older message does not free the key of the newer one', async () => {
      const at = t0 + 24 * hourMs
      await db.write('acceptMessage', draft({ id: 'msg_2', createdAt: at, ...withKey('k-1', 'f2', at + 24 * hourMs) }))
      await db.write('recordEvent', refused('msg_1'))
      expect(await keyOf('k-1', at)).toEqual({ fingerprint: 'f2', messageId: 'msg_2' })
    })
  })

  describe('the plan', () => {
    test('500 at once against a limit of 100 are exactly 100', async () => {
      await seed(db, { monthlyMessageLimit: 100 })
      const answers = await db.batch(
        ...Array.from({ length: 500 }, (_, index) => ['acceptMessage', draft({ id: `msg_${index}` })] as const),
      )
      const outcomes = answers.map(answer => (answer.ok ? (answer.value as { outcome: string }).outcome : 'failed'))
      expect(outcomes.filter(outcome => outcome === 'accepted')).toHaveLength(100)
      expect(outcomes.filter(outcome => outcome === 'planExhausted')).toHaveLength(400)
      expect(await used(db)).toBe(100)
    })

    test('what it says when exhausted: the limit and what is used', async () => {
      await seed(db, { monthlyMessageLimit: 1 })
      await db.write('acceptMessage', draft({ id: 'msg_1' }))
      const refusedByPlan = await db.write('acceptMessage', draft({ id: 'msg_2', ...withKey('k-2') }))
      expect(refusedByPlan).toEqual({ outcome: 'planExhausted', limit: 1, used: 1 })
    })

    test('an exhausted plan uses up no key, and still replays', async () => {
      await seed(db, { monthlyMessageLimit: 1 })
      await db.write('acceptMessage', draft({ id: 'msg_1', ...withKey('k-1') }))
      await db.write('acceptMessage', draft({ id: 'msg_2', ...withKey('k-2') }))
      expect(await keyOf('k-2')).toBeNull()
      const replay = await db.write('acceptMessage', draft({ id: 'msg_3', ...withKey('k-1') }))
      expect(replay).toEqual({ outcome: 'replayed', messageId: 'msg_1' })
    })

    test('a limit of 0 accepts nothing; none at all accepts anything; a new month starts anew', async () => {
      await seed(db, { monthlyMessageLimit: 0 })
      expect(await db.write('acceptMessage', draft())).toMatchObject({ outcome: 'planExhausted' })
      await db.write('setMonthlyCeiling', { workspaceId: 'ws_1', ceiling: 1 })
      expect(await db.write('acceptMessage', draft({ id: 'msg_1' }))).toEqual(acceptedToLeave(db.unlimitedMs))
      expect(await db.write('acceptMessage', draft({ id: 'msg_2' }))).toMatchObject({ outcome: 'planExhausted' })
      const february = draft({ id: 'msg_3', createdAt: Date.UTC(2026, 1, 1) })
      expect(await db.write('acceptMessage', february)).toEqual(acceptedToLeave(db.unlimitedMs))
      await db.write('setMonthlyCeiling', { workspaceId: 'ws_1', ceiling: null })
      expect(await db.write('acceptMessage', draft({ id: 'msg_4' }))).toEqual(acceptedToLeave(db.unlimitedMs))
    })
  })

  describe('the end of what waited for too long', () => {
    const tooLong = (messageId: string) =>
      recorded(messageId, { kind: 'expired', at: t0 + 9, reason: 'too long' }, { title: 'too long' })

    test('frees the key, gives the count back and is told, as a refusal', async () => {
      await seed(db)
      await db.write('acceptMessage', draft({ id: 'msg_1', ...withKey('k-1'), dispatchedAt: null }))
      for (let times = 0; times < 2; times += 1)
        expect(await db.write('recordEvent', tooLong('msg_1'))).toMatchObject({
          status: 'FAILED',
          gaveUpReason: 'too long',
        })
      expect([await keyOf('k-1'), await used(db)]).toEqual([null, 0])
      expect(await db.read.timeline('msg_1')).toMatchObject([{ kind: 'expired', detail: { title: 'too long' } }])
      const { events } = await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 9 })
      expect(events.map(({ type }) => type)).toEqual(['message.failed'])
      expect((await db.write('handOverMessages', { messageIds: ['msg_1'], at: t0 + 10 })).overtaken).toEqual(['msg_1'])
    })

    test('comes to nothing that was handed over meanwhile', async () => {
      await seed(db)
      await db.write('acceptMessage', draft({ id: 'msg_1', ...withKey('k-1') }))
      expect(await db.write('recordEvent', tooLong('msg_1'))).toMatchObject({ status: 'QUEUED' })
      await db.write('recordEvent', accepted('msg_1'))
      expect(await db.write('recordEvent', tooLong('msg_1'))).toMatchObject({ status: 'SENT' })
      expect((await db.read.timeline('msg_1')).map(({ kind }) => kind)).toEqual(['accepted'])
      expect([(await keyOf('k-1'))?.messageId, await used(db)]).toEqual(['msg_1', 1])
    })
  })

  describe('a refusal by the upstream', () => {
    beforeEach(async () => {
      await seed(db)
      await db.write('acceptMessage', draft({ id: 'msg_1', ...withKey('k-1') }))
      await db.write('acceptMessage', draft({ id: 'msg_2' }))
    })

    test('frees the key and gives the count back, once, however often it is recorded', async () => {
      for (let times = 0; times < 3; times += 1) await db.write('recordEvent', refused('msg_1', t0 + 100 + times))
      expect(await keyOf('k-1')).toBeNull()
      expect(await used(db)).toBe(1)
      expect(await db.write('acceptMessage', draft({ id: 'msg_3', ...withKey('k-1', 'f2') }))).toEqual(
        acceptedToLeave(db.unlimitedMs),
      )
      await db.write('recordEvent', refused('msg_1'))
      expect(await keyOf('k-1')).toMatchObject({ messageId: 'msg_3' })
      expect(await used(db)).toBe(2)
    })

    test('is given back to the month that it was counted for', async () => {
      await db.write('recordEvent', refused('msg_1', Date.UTC(2026, 1, 1)))
      expect(await used(db)).toBe(1)
      expect(await db.read.plan({ workspaceId: 'ws_1', month: '2026-02' })).toMatchObject({ used: 0 })
    })

    test('of a message that a callback shows to have gone out gives nothing back', async () => {
      await db.write('applyReports', { channelId: 'chan_1', reports: [report('delivered')], recordedAt: t0 })
      await db.write('recordEvent', refused('msg_1'))
      expect(await keyOf('k-1')).toMatchObject({ messageId: 'msg_1' })
      expect(await used(db)).toBe(2)
    })

    test('an operator who settles it as failed gives nothing back: it may have gone out', async () => {
      for (const event of [
        { kind: 'lost', at: t0 },
        { kind: 'resolved', at: t0 + 1, as: 'FAILED', reason: 'never arrived' },
      ] as const) {
        await db.write('recordEvent', { messageId: 'msg_1', event, detail: null, recordedAt: t0 })
      }
      expect(await db.read.message('msg_1')).toMatchObject({ status: 'FAILED' })
      expect(await keyOf('k-1')).toMatchObject({ messageId: 'msg_1' })
      expect(await used(db)).toBe(2)
    })

    test('nothing else gives back: not a lost answer, not giving up, not a failure by callback', async () => {
      await db.write('recordEvent', accepted('msg_1'))
      await db.write('applyReports', { channelId: 'chan_1', reports: [report('failed')], recordedAt: t0 })
      await db.write('recordEvent', {
        messageId: 'msg_2',
        event: { kind: 'lost', at: t0 },
        detail: null,
        recordedAt: t0,
      })
      await db.write('abandonUnknown', { lostBefore: t0 + 1, at: t0 + 1, reason: 'silence', limit: 10 })
      expect(await db.read.message('msg_2')).toMatchObject({ status: 'FAILED' })
      expect(await keyOf('k-1')).toMatchObject({ messageId: 'msg_1' })
      expect(await used(db)).toBe(2)
    })
  })

  describe('flows', () => {
    const sessions = async () =>
      (await db.read.flowSessions('contact_1')).map(({ messageId, closedBy }) => [messageId, closedBy])
    const opening = (id: string, lineId = 'line_1') =>
      draft({ id, lineId, type: 'interactive', opensFlow: { contactId: 'contact_1', flowToken: id } })

    beforeEach(() => seed(db))

    test('a flow message opens one; a refusal closes it', async () => {
      await db.write('acceptMessage', opening('msg_1'))
      expect(await sessions()).toEqual([['msg_1', null]])
      await db.write('recordEvent', refused('msg_1', t0 + 5_000))
      expect(await sessions()).toEqual([['msg_1', 'refused']])
      expect(await db.read.flowSessions('contact_1')).toMatchObject([{ openedAt: t0, closedAt: t0 + 5_000 }])
    })

    test('a refusal leaves one as it is that was closed before', async () => {
      await db.write('acceptMessage', opening('msg_1'))
      const closesFlows = { contactId: 'contact_1', lineId: null }
      await db.write('acceptMessage', draft({ id: 'msg_2', createdAt: t0 + 1, closesFlows }))
      await db.write('recordEvent', refused('msg_1'))
      expect(await sessions()).toEqual([['msg_1', 'revalidated']])
    })

    test("revalidation closes the contact's active ones, on the named line only, and not the one it opens", async () => {
      await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2' }))
      await db.write('acceptMessage', opening('msg_1', 'line_1'))
      await db.write('acceptMessage', opening('msg_2', 'line_2'))
      const closing = {
        ...opening('msg_3'),
        createdAt: t0 + 1,
        closesFlows: { contactId: 'contact_1', lineId: 'line_1' },
      }
      await db.write('acceptMessage', closing)
      expect(new Map((await sessions()) as [string, string | null][])).toEqual(
        new Map([
          ['msg_1', 'revalidated'],
          ['msg_2', null],
          ['msg_3', null],
        ]),
      )
      const everywhere = draft({ id: 'msg_4', closesFlows: { contactId: 'contact_1', lineId: null } })
      await db.write('acceptMessage', everywhere)
      expect((await sessions()).filter(([, closedBy]) => closedBy === null)).toEqual([])
    })

    test('a message that is not accepted closes nothing', async () => {
      await db.write('acceptMessage', { ...opening('msg_1'), ...withKey('k-1') })
      await db.write('acceptMessage', {
        ...draft({ id: 'msg_2', closesFlows: { contactId: 'contact_1', lineId: null } }),
        ...withKey('k-1', 'f2'),
      })
      expect(await sessions()).toEqual([['msg_1', null]])
    })
  })

  describe('rate windows', () => {
    test('a window that is counted again holds the newer count', async () => {
      await db.write('countRequests', { windows: [{ subject: 'ip:1', startsAt: t0, count: 1 }] })
      await db.write('countRequests', {
        windows: [
          { subject: 'ip:1', startsAt: t0, count: 5 },
          { subject: 'key:a', startsAt: t0, count: 2 },
        ],
      })
      const windows = await db.read.rateWindows(t0)
      expect(windows.toSorted((one, other) => one.subject.localeCompare(other.subject))).toEqual([
        { subject: 'ip:1', startsAt: t0, count: 5 },
        { subject: 'key:a', startsAt: t0, count: 2 },
      ])
      expect(await db.read.rateWindows(t0 + 1)).toEqual([])
    })
  })
}
