import { describe, expect, test } from 'bun:test'
import type { NewBatchItem } from '../../../db/contract/batches.ts'
import type { StoreWrites } from '../../../db/contract/store.ts'
import { hourMs } from '../../../src/base/durations.ts'
import type { BatchReason } from '../../../src/message/batches.ts'
import { openBatchesMax } from '../../../src/message/batches.ts'
import { readPricing } from '../../../src/message/pricing.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, draft, inbound, refused, report, t0 } from '../fixtures.ts'

type NewBatch = Parameters<StoreWrites['createBatch']>[0]['batch']

/** Many sends as one thing. */
export function batchesSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  const at = t0 + 50
  const batchId = 'batch_1'

  const newBatch = (fields: Partial<NewBatch> = {}): NewBatch => ({
    ...{ id: batchId, workspaceId: 'ws_1', name: 'News', state: 'running', keyId: 'pk_seed', scope: 'pk_seed' },
    ...{ idempotencyKey: null, fingerprint: 'f', defaults: { type: 'text' }, duplicates: 'skip', createdAt: t0 },
    sendAt: null,
    ...fields,
  })
  const items = (...recipients: readonly string[]): NewBatchItem[] =>
    recipients.map(recipient => ({ recipient, reference: null, body: { phone: recipient, content: 'é\u0000' } }))
  const create = (fields: Partial<NewBatch> = {}, ...recipients: readonly string[]) =>
    db.write('createBatch', {
      batch: newBatch(fields),
      items: items(...(recipients.length ? recipients : ['+1', '+2'])),
    })
  const lateMs = hourMs
  const startDue = (now: number) => db.write('startDueBatches', { at: now, lateBefore: now - lateMs, lateReason: why })
  const claim = (...messageIds: readonly string[]) => db.write('claimBatchItems', { batchId, messageIds })
  const settle = (number: number, messageId: string, state: 'sent' | 'failed' | 'skipped' = 'sent') =>
    db.write('settleBatchItems', {
      batchId,
      items: [{ number, messageId, state, reason: state === 'sent' ? null : why }],
    })
  const move = (event: 'start' | 'pause' | 'resume' | 'cancel' | 'finish' | 'schedule', fields: object = {}) =>
    db.write('moveBatch', { batchId, event, at, ...fields })
  const counts = async (after = -1, limit = 100) => (await db.read.countBatchItems({ batchId, after, limit })).counts
  const sums = () => db.read.countBatchItems({ batchId, after: -1, limit: 100 })
  const shown = async (fields: object = {}) =>
    (await db.read.batchItems({ batchId, after: -1, limit: 100, statuses: null, ...fields })).items
  const why: BatchReason = { code: 'line', message: 'It is blocked.' }
  const told = async () =>
    (await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 100 })).events
      .filter(({ type }) => type.startsWith('batch.'))
      .map(({ type, data }) => [type, data?.counts])

  describe('a batch', () => {
    test('is made with its items, and read back', async () => {
      const made = await create()
      const batch = { ...newBatch(), total: 2, startedAt: t0, endedAt: null, reason: null }
      const { fingerprint: _, ...read } = batch
      expect(made).toEqual({ outcome: 'created', batch: read })
      expect(await db.read.batch(batchId)).toEqual(read)
      expect(await db.read.batch('batch_9')).toBeNull()
      expect(await db.read.runningBatches()).toEqual([read])
      expect(await counts()).toEqual({ WAITING: 2 })
      expect((await claim('msg_1'))?.[0]?.body).toEqual({ phone: '+1', content: 'é\u0000' })
    })

    test('shows an item as skipped whose number turned out to be none, and whether what it says is still there', async () => {
      await create({}, '+1', '+2')
      await claim('msg_1', 'msg_2')
      for (const [id, reason] of Object.entries({ msg_1: '131026: Undeliverable', msg_2: '131009: Wrong' })) {
        await db.write('acceptMessage', draft({ id }))
        const event = { kind: 'refused', at, reason } as const
        await db.write('recordEvent', { messageId: id, event, detail: null, recordedAt: at })
      }
      await settle(0, 'msg_1')
      await settle(1, 'msg_2')
      expect(await shown()).toMatchObject([
        { status: 'SKIPPED', messageId: 'msg_1', reason: { code: 'BAD_NUMBER' }, hasContent: true },
        { status: 'FAILED', messageId: 'msg_2', reason: null },
      ])
      expect(await counts()).toEqual({ SKIPPED: 1, FAILED: 1 })
      expect((await shown({ statuses: ['SKIPPED'] })).map(({ number }) => number)).toEqual([0])
      await move('cancel')
      await db.write('pruneBatchContents', { endedBefore: at + 1, limit: 9 })
      expect((await shown()).map(({ hasContent }) => hasContent)).toEqual([false, false])
    })

    test('is made once by its key, whatever comes between', async () => {
      await create({ idempotencyKey: 'k' })
      await move('cancel')
      const again = await create({ id: 'batch_2', idempotencyKey: 'k' })
      expect(again).toMatchObject({ outcome: 'replayed', batch: { id: batchId, state: 'cancelled' } })
      expect(await create({ id: 'batch_2', idempotencyKey: 'k', fingerprint: 'g' })).toEqual({ outcome: 'conflict' })
      expect(await create({ id: 'batch_3', idempotencyKey: 'k', scope: 'pk_2' })).toMatchObject({ outcome: 'created' })
      expect(await create({ id: 'batch_4', workspaceId: 'ws_9' })).toEqual({ outcome: 'unknownWorkspace' })
    })

    test('is one of a bounded number that have not ended; the list has the newest first', async () => {
      const ids = Array.from({ length: openBatchesMax }, (_, at) => `batch_${100 + at}`)
      for (const id of ids) expect(await create({ id, state: 'draft' })).toMatchObject({ outcome: 'created' })
      expect(await create()).toEqual({ outcome: 'tooMany' })
      await db.write('moveBatch', { batchId: 'batch_150', event: 'cancel', at })
      expect(await create({ id: 'batch_999' })).toMatchObject({ outcome: 'created' })
      const page = await db.read.batches({ workspaceId: 'ws_1', after: 'batch_190', limit: 2 })
      expect(page.map(({ id }) => id)).toEqual(['batch_189', 'batch_188'])
      expect(await db.read.batches({ workspaceId: 'ws_2', after: null, limit: 2 })).toEqual([])
    })

    test('leaves out who was named before, in a later request too; or sends to them', async () => {
      await create({ state: 'draft' }, '+1', '+1')
      await db.write('addBatchItems', { batchId, offset: 2, items: items('+1', '+2') })
      expect((await shown()).map(({ status, reason }) => [status, reason?.code])).toEqual([
        ['WAITING', undefined],
        ['SKIPPED', 'DUPLICATE'],
        ['SKIPPED', 'DUPLICATE'],
        ['WAITING', undefined],
      ])
      await create({ id: 'batch_2', duplicates: 'send' }, '+1', '+1')
      expect((await db.read.countBatchItems({ batchId: 'batch_2', after: -1, limit: 9 })).counts).toEqual({
        WAITING: 2,
      })
    })

    test('takes further items as a draft, each request once', async () => {
      await create({ state: 'draft' })
      const more = { batchId, offset: 2, items: items('+3') }
      expect(await db.write('addBatchItems', more)).toMatchObject({ outcome: 'added', batch: { total: 3 } })
      expect(await db.write('addBatchItems', more)).toMatchObject({ outcome: 'replayed', batch: { total: 3 } })
      const other = { ...more, items: items('+4') }
      expect(await db.write('addBatchItems', other)).toMatchObject({ outcome: 'conflict', batch: { total: 3 } })
      expect(await db.write('addBatchItems', { ...other, offset: 4 })).toMatchObject({ outcome: 'conflict' })
      expect(await db.write('addBatchItems', { ...other, offset: 3, isLate: true })).toEqual({ outcome: 'late' })
      expect(await db.write('addBatchItems', { ...more, isLate: true })).toMatchObject({ outcome: 'replayed' })
      await move('start')
      expect(await db.write('addBatchItems', more)).toMatchObject({ outcome: 'replayed' })
      expect(await db.write('addBatchItems', { ...other, offset: 3 })).toMatchObject({ outcome: 'notDraft' })
      expect(await db.write('addBatchItems', { ...other, batchId: 'batch_9' })).toEqual({ outcome: 'unknown' })
    })

    test('starts when it is due, and tells of its start and its end', async () => {
      await create({ state: 'scheduled', sendAt: at })
      expect(await startDue(at - 1)).toBe(0)
      expect(await startDue(at)).toBe(1)
      expect(await startDue(at)).toBe(0)
      expect(await db.read.batch(batchId)).toMatchObject({ state: 'running', startedAt: at })
      expect(await move('pause', { reason: why })).toMatchObject({ outcome: 'moved', batch: { reason: why } })
      expect(await move('pause')).toMatchObject({ outcome: 'same', batch: { reason: why } })
      expect(await move('resume', { keyId: null })).toMatchObject({ batch: { reason: null, keyId: null } })
      expect(await move('schedule')).toMatchObject({ outcome: 'refused', batch: { state: 'running' } })
      expect(await move('cancel')).toMatchObject({ outcome: 'moved', batch: { state: 'cancelled', endedAt: at } })
      expect(await db.write('moveBatch', { batchId: 'batch_9', event: 'pause', at })).toEqual({ outcome: 'unknown' })
      const all = { total: 2, waiting: 2, messages: 0, failed: 0, skipped: 0, cancelled: 0 }
      expect(await told()).toEqual([
        ['batch.started', all],
        ['batch.paused', all],
        ['batch.done', { ...all, waiting: 0, cancelled: 2 }],
      ])
    })

    test('whose time has passed for long is paused, and starts when it is resumed', async () => {
      await create({ state: 'scheduled', sendAt: at })
      await create({ id: 'batch_2', state: 'scheduled', sendAt: at + lateMs })
      expect(await startDue(at + lateMs + 1)).toBe(2)
      expect(await db.read.batch(batchId)).toMatchObject({ state: 'paused', reason: why, startedAt: null })
      expect(await db.read.batch('batch_2')).toMatchObject({ state: 'running' })
      expect(await move('resume')).toMatchObject({ batch: { state: 'running', reason: null, startedAt: at } })
    })

    test('that ran in a backup is paused, and one that was to start too', async () => {
      await create()
      await create({ id: 'batch_2', state: 'scheduled', sendAt: at })
      await create({ id: 'batch_3', state: 'draft' })
      expect(await db.write('pauseBatches', { at, reason: why })).toBe(2)
      expect(await db.write('pauseBatches', { at, reason: why })).toBe(0)
      expect(await db.read.runningBatches()).toEqual([])
      expect(await db.read.batch('batch_2')).toMatchObject({ state: 'paused', reason: why })
    })
  })

  describe('its items', () => {
    test('get the ids of their messages before these are made, each once, and only while it runs', async () => {
      await create({}, '+1', '+2', '+3')
      expect(
        (await claim('msg_1', 'msg_2'))?.map(({ number, messageId, attempt }) => [number, messageId, attempt]),
      ).toEqual([
        [0, 'msg_1', 1],
        [1, 'msg_2', 1],
      ])
      expect((await claim('msg_3', 'msg_4'))?.map(({ number }) => number)).toEqual([2])
      expect(await claim('msg_5')).toEqual([])
      expect(
        (await db.read.claimedBatchItems({ batchId, from: 0, limit: 2 })).map(({ messageId }) => messageId),
      ).toEqual(['msg_1', 'msg_2'])
      expect(await counts()).toEqual({ WAITING: 3 })
      await move('pause')
      expect(await claim('msg_6')).toBeNull()
      expect(await db.write('claimBatchItems', { batchId: 'batch_9', messageIds: ['msg_7'] })).toBeNull()
    })

    test('are never claimed twice by several at once', async () => {
      const recipients = Array.from({ length: 40 }, (_, at) => `+${at}`)
      await create({}, ...recipients)
      const claims = await Promise.all(
        [0, 1, 2, 3].map(one => claim(...Array.from({ length: 10 }, (_, at) => `msg_${one}_${at}`))),
      )
      const numbers = claims.flatMap(claimed => claimed?.map(({ number }) => number) ?? [])
      expect(numbers.sort((one, other) => one - other)).toEqual(recipients.map((_, at) => at))
    })

    test('show what became of their messages, also before that is kept', async () => {
      await create({}, '+1', '+2', '+3', '+4')
      await claim('msg_1', 'msg_2', 'msg_3', 'msg_4')
      await db.write('acceptMessage', draft({ id: 'msg_1' }))
      await db.write('acceptMessage', draft({ id: 'msg_2' }))
      await db.write('recordEvent', accepted('msg_2'))
      expect(await counts()).toEqual({ QUEUED: 1, SENT: 1, WAITING: 2 })
      await settle(0, 'msg_1')
      await settle(2, 'msg_3', 'failed')
      await settle(3, 'msg_4', 'skipped')
      expect((await shown()).map(({ status, messageId, reason }) => [status, messageId, reason])).toEqual([
        ['QUEUED', 'msg_1', null],
        ['SENT', 'msg_2', null],
        ['FAILED', null, why],
        ['SKIPPED', null, why],
      ])
      expect((await shown({ statuses: ['SENT', 'FAILED'] })).map(({ number }) => number)).toEqual([1, 2])
      expect(await counts(0, 2)).toEqual({ SENT: 1, FAILED: 1 })
      expect((await db.read.batchItems({ batchId, after: 0, limit: 2, statuses: null })).next).toBe(2)
      expect((await db.read.batchItems({ batchId, after: 2, limit: 2, statuses: null })).next).toBeNull()
      expect(await db.read.countBatchItems({ batchId, after: -1, limit: 2 })).toMatchObject({ firstAt: t0, lastAt: t0 })
    })

    test('say who wrote within 72 hours of their message, also who was unknown then', async () => {
      const later = (hours: number) => t0 + hours * hourMs
      const write = (channelMessageId: string, phone: string, at: number, kind = 'text') =>
        inbound({
          channelMessageId,
          kind,
          at,
          from: { phone, userId: null, name: null, newContactId: `contact_${phone}` },
        })
      const people = ['+1', '+2', '+3', '+4', '+5', '+6']
      const ids = people.map((_, at) => `msg_${at}`)
      await create({}, ...people)
      await claim(...ids)
      for (const [at, recipient] of people.entries())
        await db.write('acceptMessage', draft({ id: `msg_${at}`, recipient, createdAt: t0 + 400 }))
      for (const id of ids.slice(0, 5)) await db.write('recordEvent', accepted(id))
      const messages = [
        // In the second of it, and at the end.
        ...[write('in1', '+1', t0), write('in2', '+2', later(72)), write('in3', '+2', later(2))],
        ...[write('in4', '+3', later(73)), write('in5', '+3', t0 - 1_000), write('in6', '+4', later(1), 'system')],
        ...[write('in7', '+5', later(1), 'smb_message_echoes text'), write('in8', '+6', later(1))],
      ]
      await db.write('recordInbound', { channelId: 'chan_1', messages, recordedAt: later(73) })
      expect(await sums()).toMatchObject({ counts: { SENT: 5, QUEUED: 1 }, answered: 2 })
    })

    test('say who wrote after a message that waited for its time, and not who wrote before', async () => {
      const people = ['+1', '+2']
      await create({}, ...people)
      await claim('msg_0', 'msg_1')
      const releasedAt = t0 + 240 * hourMs
      for (const [at, recipient] of people.entries()) {
        const messageId = `msg_${at}`
        const { dispatchedAt: _, opensFlow: _opens, closesFlows: _closes, generation: __, ...waiting } = draft()
        await db.write('scheduleMessage', { ...waiting, id: messageId, recipient, dueAt: releasedAt, payload: '{}' })
        await db.write('releaseMessage', {
          ...{ messageId, at: releasedAt, payload: '{}', opensFlow: null, closesFlows: null },
          to: { recipient, contactId: null, templateLanguage: null },
        })
        await db.write('handOverMessages', { messageIds: [messageId], at: releasedAt })
        await db.write('recordEvent', accepted(messageId, `wamid.${at}`, releasedAt))
      }
      const writes = (person: number, at: number) =>
        db.write('recordInbound', {
          channelId: 'chan_1',
          messages: [
            inbound({
              ...{ channelMessageId: `in${person}`, kind: 'text', at },
              from: { phone: people[person] ?? '', userId: null, name: null, newContactId: `contact_${person}` },
            }),
          ],
          recordedAt: at,
        })
      await writes(0, t0 + hourMs)
      expect(await sums()).toMatchObject({ counts: { SENT: 2 }, answered: 0 })
      await writes(1, releasedAt + hourMs)
      expect(await sums()).toMatchObject({ answered: 1 })
    })

    test('say what they cost, and of which the price is still to come', async () => {
      const price = (billable: boolean) =>
        readPricing('delivered', { billable, type: 'regular', category: 'marketing', pricing_model: 'PMP' })
      const people = ['+491', '+492', '+493', '+331', '+494', 'user_1', '+495']
      const ids = people.map((_, at) => `msg_${at}`)
      await create({}, ...people)
      await claim(...ids.slice(0, 5))
      for (const [at, recipient] of people.slice(0, 5).entries())
        await db.write('acceptMessage', draft({ id: `msg_${at}`, recipient }))
      for (const id of ids.slice(0, 4)) await db.write('recordEvent', accepted(id))
      await db.write('recordEvent', refused('msg_4'))
      const delivered = (messageId: string, pricing: number | null) =>
        report('delivered', { messageId, channelMessageId: `wamid.${messageId}`, pricing })
      const reports = [delivered('msg_0', price(true)), delivered('msg_1', price(false)), delivered('msg_2', null)]
      await db.write('applyReports', { channelId: 'chan_1', reports, recordedAt: t0 })
      expect(await sums()).toMatchObject({
        costs: [{ category: 'marketing', country: 'DE', billable: 1, free: 1 }],
        // What was sent to France, and what waits; not what failed, or was delivered without a price.
        unpriced: [
          { country: 'FR', own: null, count: 1 },
          { country: null, own: null, count: 1 },
          { country: 'DE', own: null, count: 1 },
        ],
        reasons: [{ status: 'SKIPPED', code: '131026', message: null, count: 1 }],
      })
    })

    test('say of what they are charged as what each has for itself', async () => {
      const own = { templateName: 'news "2"', templateLanguage: 'de' }
      const phones = ['+491', '+492', '+331', '+493']
      const bodies = [{}, own, { content: '"type": "text"' }, own]
      const given = phones.map((phone, at) => ({ recipient: phone, reference: null, body: { phone, ...bodies[at] } }))
      await db.write('createBatch', { batch: newBatch(), items: given })
      expect((await sums()).unpriced).toEqual([
        { country: 'DE', own: null, count: 1 },
        { country: 'DE', own, count: 2 },
        { country: 'FR', own: null, count: 1 },
      ])
      expect((await shown()).map(item => item.own)).toEqual([null, own, null, own])
    })

    test('are read as they say it: the first that are not left out, as long as it is kept', async () => {
      await create({ state: 'draft' }, '+1', '+1', '+2', '+3')
      const found = await db.read.firstBatchItems({ batchId, limit: 2 })
      expect(found.map(({ number, body }) => [number, body?.phone])).toEqual([
        [0, '+1'],
        [2, '+2'],
      ])
      expect(await db.read.firstBatchItems({ batchId: 'batch_9', limit: 2 })).toEqual([])
    })

    test('are counted by why they failed or were left out', async () => {
      await create({}, '+1', '+1', '+2', '+3')
      await claim('msg_1', 'msg_2', 'msg_3')
      await settle(0, 'msg_1', 'failed')
      await settle(2, 'msg_2', 'skipped')
      await settle(3, 'msg_3', 'skipped')
      const left = {
        status: 'SKIPPED' as const,
        code: 'DUPLICATE',
        message: expect.stringContaining('same recipient'),
        count: 1,
      }
      const failed = { status: 'FAILED' as const, code: why.code, message: why.message, count: 1 }
      const skipped = { status: 'SKIPPED' as const, code: why.code, message: why.message, count: 2 }
      expect((await sums()).reasons).toEqual([failed, left, skipped])
    })

    test('are settled by the claim that they have alone, and as often as it is said', async () => {
      await create({}, '+1')
      await claim('msg_1')
      await settle(0, 'msg_2', 'failed')
      expect(await counts()).toEqual({ WAITING: 1 })
      for (const _ of [1, 2]) await settle(0, 'msg_1', 'failed')
      await settle(0, 'msg_1')
      expect(await counts()).toEqual({ FAILED: 1 })
      expect(await move('finish')).toMatchObject({ outcome: 'moved', batch: { state: 'done', endedAt: at } })
    })

    test('are left out one at a time while they wait, and counted as long as they do', async () => {
      await create({}, '+1', '+2', '+3')
      const leaveOut = (number: number, id = batchId) => db.write('cancelBatchItem', { batchId: id, number })
      await claim('msg_1')
      expect(await db.read.batchItemStates(batchId)).toEqual({ claimed: 1, waiting: 2 })
      expect([await leaveOut(0), await leaveOut(1), await leaveOut(1)]).toEqual(['late', 'cancelled', 'same'])
      expect([await leaveOut(3), await leaveOut(0, 'batch_9')]).toEqual(['unknown', 'unknown'])
      expect(await counts()).toEqual({ WAITING: 2, CANCELLED: 1 })
      expect(await db.read.batchItemStates(batchId)).toEqual({ claimed: 1, waiting: 1, cancelled: 1 })
      expect((await claim('msg_2', 'msg_3'))?.map(({ number }) => number)).toEqual([2])
    })

    test('keep the batch from its end while one waits or is claimed', async () => {
      await create({}, '+1')
      expect(await move('finish')).toMatchObject({ outcome: 'refused', batch: { state: 'running' } })
      await claim('msg_1')
      expect(await move('finish')).toMatchObject({ outcome: 'refused' })
      await settle(0, 'msg_1')
      expect(await move('finish')).toMatchObject({ outcome: 'moved' })
    })

    test('are sent again by another id, while their message is the one that failed', async () => {
      await create({}, '+1', '+2')
      await claim('msg_1', 'msg_2')
      await settle(0, 'msg_1')
      await settle(1, 'msg_2')
      await move('finish')
      const again = (number: number, messageId: string) =>
        db.write('retryBatchItems', { batchId, items: [{ number, messageId }], at, isFirst: true })
      expect(await again(0, 'msg_9')).toBe(0)
      expect(await db.read.batch(batchId)).toMatchObject({ state: 'done' })
      expect([await again(0, 'msg_1'), await again(0, 'msg_1')]).toEqual([1, 0])
      expect(await db.read.batch(batchId)).toMatchObject({ state: 'running', endedAt: null })
      expect(await claim('msg_3', 'msg_4')).toMatchObject([{ number: 0, messageId: 'msg_3', attempt: 2 }])
      await settle(0, 'msg_1', 'failed')
      expect((await shown())[0]).toMatchObject({ status: 'WAITING' })
      await move('cancel')
      expect(await again(1, 'msg_2')).toBe(0)
    })
  })

  describe('a draft', () => {
    test('is started at another time than it was made for, which changes as long as it waits', async () => {
      await create({ state: 'draft' })
      for (const [sendAt, outcome] of [
        [at + 5, 'moved'],
        [at + 9, 'moved'],
        [at + 9, 'same'],
      ] as const)
        expect(await move('schedule', { sendAt })).toMatchObject({ outcome, batch: { state: 'scheduled', sendAt } })
      expect(await startDue(at)).toBe(0)
      expect(await startDue(at + 9)).toBe(1)
    })
  })

  describe('people who wrote', () => {
    test('are found, who wrote last first, as long ago as it is asked', async () => {
      const day = 24 * hourMs
      const write = (channelMessageId: string, phone: string, at: number) =>
        inbound({ channelMessageId, at, from: { phone, userId: null, name: phone, newContactId: `contact_${phone}` } })
      const now = t0 + 20 * day
      const messages = [
        ...[write('in1', '+1', t0), write('in2', '+2', t0 + 10 * day), write('in3', '+3', t0 + 15 * day)],
        write('in4', '+2', t0 + 19 * day),
      ]
      await db.write('recordInbound', { channelId: 'chan_1', messages, recordedAt: now })
      const source = { kind: 'member', word: null, by: 'Ada' } as const
      await db.write('setWish', { workspaceId: 'ws_1', contactId: 'contact_+3', value: 'stop', source, at: now })
      const find = (since: number, after: number | null = null, limit = 10) =>
        db.read.heardPeople({ workspaceId: 'ws_1', since, after, limit })
      const [two, three, one] = [
        { id: 'contact_+2', phone: '+2', userId: null, name: '+2', heardAt: t0 + 19 * day, noMarketing: false },
        { id: 'contact_+3', phone: '+3', userId: null, name: '+3', heardAt: t0 + 15 * day, noMarketing: true },
        { id: 'contact_+1', phone: '+1', userId: null, name: '+1', heardAt: t0, noMarketing: false },
      ]
      expect(await find(0)).toEqual({ people: [two, three, one], next: null })
      expect(await find(t0 + 15 * day)).toEqual({ people: [two, three], next: null })
      const part = await find(t0 + 15 * day, null, 1)
      expect(part.people).toEqual([two])
      expect(await find(t0 + 15 * day, part.next, 2)).toEqual({ people: [three], next: null })
      expect((await db.read.heardPeople({ workspaceId: 'ws_2', since: 0, after: null, limit: 9 })).people).toEqual([])
    })

    test('are all contacts, the last that came first, also those who never wrote', async () => {
      const from = { phone: '+1', userId: null, name: 'Ada', newContactId: 'contact_1' }
      const messages = [inbound({ channelMessageId: 'in1', at: t0, from })]
      await db.write('recordInbound', { channelId: 'chan_1', messages, recordedAt: t0 })
      const added = { id: 'contact_2', workspaceId: 'ws_1', phone: '+2', userId: null, name: null }
      await db.write('saveContact', { ...added, createdAt: t0, updatedAt: t0 })
      const source = { kind: 'member', word: null, by: 'Ada' } as const
      await db.write('setWish', { workspaceId: 'ws_1', contactId: 'contact_2', value: 'stop', source, at: t0 })
      const find = (after: string | null, limit: number) => db.read.people({ workspaceId: 'ws_1', after, limit })
      const [two, one] = [
        { id: 'contact_2', phone: '+2', userId: null, name: null, heardAt: null, noMarketing: true },
        { id: 'contact_1', phone: '+1', userId: null, name: 'Ada', heardAt: t0, noMarketing: false },
      ]
      expect(await find(null, 9)).toEqual({ people: [two, one], next: null })
      const part = await find(null, 1)
      expect(part).toEqual({ people: [two], next: 'contact_2' })
      expect((await find(part.next, 1)).people).toEqual([one])
      expect((await db.read.people({ workspaceId: 'ws_2', after: null, limit: 9 })).people).toEqual([])
    })
  })

  describe('pruning', () => {
    test('takes what items say of batches that have ended, and then these themselves, a step at a time', async () => {
      await create({}, '+1', '+2', '+3')
      await create({ id: 'batch_2' })
      await move('cancel')
      const prune = { endedBefore: at, limit: 2 }
      const bodies = () => db.rows('SELECT batch_id, CAST(count(body) AS INTEGER) FROM batch_items GROUP BY batch_id')
      expect(await db.write('pruneBatchContents', prune)).toBe(0)
      expect(await db.write('pruneBatches', prune)).toBe(0)
      const later = { endedBefore: at + 1, limit: 2 }
      for (let step = 0; (await db.write('pruneBatchContents', later)) === 2; step += 1) expect(step).toBeLessThan(5)
      expect((await bodies()).sort()).toEqual([
        [batchId, 0],
        ['batch_2', 2],
      ])
      expect(await db.read.batch(batchId)).toMatchObject({ defaults: {}, total: 3 })
      for (let step = 0; (await db.write('pruneBatches', later)) === 2; step += 1) expect(step).toBeLessThan(5)
      expect((await bodies()).map(([id]) => id)).toEqual(['batch_2'])
      expect(await db.read.batch(batchId)).toBeNull()
    })
  })

  describe('erasing', () => {
    const addAda = () =>
      db.write('saveContact', {
        ...{ id: 'contact_1', workspaceId: 'ws_1', phone: '+1', userId: null, name: 'Ada' },
        ...{ createdAt: t0, updatedAt: t0 },
      })
    const eraseAda = async () => {
      const step = () => db.write('eraseContact', { contactId: 'contact_1', limit: 10, at })
      for (let steps = 0; (await step())?.state === 'underWay'; steps += 1) expect(steps).toBeLessThan(50)
    }

    test('a person takes what batches have of it; what waits is never sent', async () => {
      await addAda()
      await create({ duplicates: 'send' }, '+1', 'contact_1', '+2')
      expect((await db.write('forgetContact', { contactId: 'contact_1', at })).outcome).toBe('removed')
      expect((await shown()).map(({ status, recipient }) => [status, recipient])).toEqual([
        ['CANCELLED', ''],
        ['CANCELLED', ''],
        ['WAITING', '+2'],
      ])
      expect(await db.rows(`SELECT CAST(number AS INTEGER) FROM batch_items WHERE body IS NOT NULL`)).toEqual([[2]])
      expect((await claim('msg_1', 'msg_2'))?.map(({ number }) => number)).toEqual([2])
    })

    test('a person leaves what is added to a draft once the erasure has begun', async () => {
      await addAda()
      await create({ state: 'draft', duplicates: 'send' }, '+1')
      expect((await db.write('forgetContact', { contactId: 'contact_1', at })).outcome).toBe('removed')
      await db.write('addBatchItems', { batchId, offset: 1, items: items('+1') })
      await eraseAda()
      expect((await shown()).map(({ status, recipient }) => [status, recipient])).toEqual([
        ['CANCELLED', ''],
        ['WAITING', '+1'],
      ])
    })

    test('a person takes what many items have of it, also where one commit does not take them all', async () => {
      await addAda()
      await create({ duplicates: 'send' }, ...Array<string>(1_002).fill('+1'), '+2')
      expect((await db.write('forgetContact', { contactId: 'contact_1', at })).outcome).toBe('removed')
      await eraseAda()
      expect(await db.rows(`SELECT CAST(number AS INTEGER) FROM batch_items WHERE body IS NOT NULL`)).toEqual([[1_002]])
    })

    test('a person is taken from what all items share, too', async () => {
      await addAda()
      const shared = { recipient: '+1', reference: null, body: { content: 'Hello' } }
      const batch = newBatch({ defaults: { type: 'text', phone: '+1' }, duplicates: 'send' })
      await db.write('createBatch', { batch, items: [shared, ...items('+2')] })
      const other = newBatch({ id: 'batch_2', defaults: { type: 'text', phone: '+2' } })
      await db.write('createBatch', { batch: other, items: items('+1') })
      expect((await db.write('forgetContact', { contactId: 'contact_1', at })).outcome).toBe('removed')
      expect((await db.read.batch(batchId))?.defaults).toEqual({ type: 'text' })
      expect((await db.read.batch('batch_2'))?.defaults).toEqual({ type: 'text', phone: '+2' })
    })

    test('a workspace takes its batches, which run no more from the first step on', async () => {
      await create()
      expect((await db.write('closeWorkspace', { workspaceId: 'ws_1', at })).outcome).toBe('removed')
      expect(await claim('msg_1')).toBeNull()
      const step = () => db.write('eraseWorkspace', { workspaceId: 'ws_1', limit: 10, at })
      for (let steps = 0; !(await step()).isDone; steps += 1) expect(steps).toBeLessThan(50)
      expect(await db.rows('SELECT id FROM batches')).toEqual([])
      expect(await db.rows('SELECT number FROM batch_items')).toEqual([])
    })
  })
}
