import { describe, expect, test } from 'bun:test'
import type { Release, ScheduledDraft } from '../../../db/contract/scheduled.ts'
import { hourMs } from '../../../src/base/durations.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { draft, line, t0, withKey } from '../fixtures.ts'

const dueAt = t0 + hourMs

export function scheduledSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  function later(fields: Partial<ScheduledDraft> = {}): ScheduledDraft {
    const { dispatchedAt: _, opensFlow: _opens, closesFlows: _closes, generation: __, ...offered } = draft()
    return { ...offered, dueAt, payload: '{"held":{}}', ...fields }
  }
  const schedule = (fields: Partial<ScheduledDraft> = {}) => db.write('scheduleMessage', later(fields))
  const release = (messageId: string, fields: Partial<Release> = {}) =>
    db.write('releaseMessage', {
      ...{ messageId, at: dueAt, payload: '{"to":"+491"}', opensFlow: null, closesFlows: null },
      to: { recipient: '+491', contactId: null, templateLanguage: null },
      ...fields,
    })
  const cancel = (messageId: string) =>
    db.write('recordEvent', { messageId, event: { kind: 'cancelled', at: t0 + 5 }, detail: null, recordedAt: t0 + 5 })
  const used = async () => (await db.read.plan({ workspaceId: 'ws_1', month: '2026-01' })).used
  const due = async (at = dueAt) =>
    (await db.read.dueMessages({ lineId: 'line_1', at, limit: 10 })).map(({ message }) => message.id)

  test('what is scheduled waits, counts in no plan, and is claimed by nobody', async () => {
    expect(await schedule({ id: 'msg_1' })).toEqual({ outcome: 'scheduled' })
    expect(await db.read.message('msg_1')).toMatchObject({ status: 'SCHEDULED', dueAt, releasedAt: null })
    expect(await db.read.messageContent('msg_1')).toBe('{"held":{}}')
    expect(await used()).toBe(0)
    await db.restart()
    expect(await db.write('claimWaiting', { after: null, limit: 10 })).toEqual([])
    expect(await db.read.scheduledCount({ workspaceId: 'ws_1', before: dueAt + 1, max: 10 })).toBe(1)
    expect(await db.read.scheduledCount({ workspaceId: 'ws_1', before: dueAt, max: 10 })).toBe(0)
  })

  test('its idempotency key is that of any send: of both kinds, one has it', async () => {
    await schedule({ id: 'msg_1', ...withKey('once') })
    expect(await schedule({ id: 'msg_2', ...withKey('once') })).toEqual({ outcome: 'replayed', messageId: 'msg_1' })
    expect(await db.write('acceptMessage', draft({ id: 'msg_3', ...withKey('once') }))).toEqual({
      outcome: 'replayed',
      messageId: 'msg_1',
    })
    expect(await schedule({ id: 'msg_4', ...withKey('once', 'f2') })).toEqual({ outcome: 'conflict' })
    const many = Array.from({ length: 8 }, (_, at) => schedule({ ...withKey('many'), id: `msg_m${at}`, dueAt }))
    const outcomes = (await Promise.all(many)).map(({ outcome }) => outcome)
    expect(outcomes.toSorted()).toEqual([...Array(7).fill('replayed'), 'scheduled'])
  })

  test('a key that was revoked since it was looked at schedules nothing, and a repeat is still one', async () => {
    await schedule({ id: 'msg_1', ...withKey('once') })
    await db.write('revokeKey', { keyId: 'pk_seed', at: t0 })
    expect(await schedule({ id: 'msg_2', ...withKey('again') })).toEqual({ outcome: 'keyRevoked' })
    expect(await db.read.message('msg_2')).toBeNull()
    expect(await schedule({ id: 'msg_3', ...withKey('once') })).toEqual({ outcome: 'replayed', messageId: 'msg_1' })
  })

  test('due are those of a line whose time has come, in the order of their times', async () => {
    await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '206540352242922', number: '+4930999' }))
    await schedule({ id: 'msg_late', dueAt: dueAt + 2 })
    await schedule({ id: 'msg_early', dueAt: dueAt - 2 })
    await schedule({ id: 'msg_other', lineId: 'line_2', dueAt: dueAt + 5 })
    expect(await db.read.dueLines({ at: dueAt - 3 })).toEqual([])
    expect(await db.read.dueLines({ at: dueAt })).toEqual([{ lineId: 'line_1', workspaceId: 'ws_1' }])
    expect(await due()).toEqual(['msg_early'])
    expect(await due(dueAt + 5)).toEqual(['msg_early', 'msg_late'])
  })

  describe('releaseMessage', () => {
    test('makes it wait for its turn with what was decided anew, counts it, and it is resumed like any other', async () => {
      await schedule({ id: 'msg_1' })
      const released = await release('msg_1')
      expect(released).toMatchObject({
        outcome: 'released',
        message: {
          message: { id: 'msg_1', status: 'QUEUED', releasedAt: dueAt, recipient: '+491' },
          payload: '{"to":"+491"}',
        },
      })
      expect(await used()).toBe(1)
      expect(await release('msg_1')).toEqual({ outcome: 'gone' })
      expect(await used()).toBe(1)
      expect(await due()).toEqual([])
      await db.restart()
      const claimed = await db.write('claimWaiting', { after: null, limit: 10 })
      expect(claimed.map(({ message, payload }) => [message.id, payload])).toEqual([['msg_1', '{"to":"+491"}']])
    })

    test('of many at once, and of a cancellation beside it, one happens', async () => {
      await schedule({ id: 'msg_1' })
      await schedule({ id: 'msg_2' })
      const all = await Promise.all([release('msg_1'), release('msg_1'), release('msg_1')])
      expect(all.map(({ outcome }) => outcome).toSorted()).toEqual(['gone', 'gone', 'released'])
      const [released, cancelled] = await Promise.all([release('msg_2'), cancel('msg_2')])
      expect(cancelled?.status).toBe(released.outcome === 'released' ? 'QUEUED' : 'CANCELLED')
      expect(await used()).toBe(released.outcome === 'released' ? 2 : 1)
    })

    test('is refused by a plan that is used up, and by a revoked key, and changes nothing then', async () => {
      await schedule({ id: 'msg_1', apiKeyId: 'pk_seed' })
      await db.write('setMonthlyLimit', { workspaceId: 'ws_1', limit: 0 })
      expect(await release('msg_1')).toEqual({ outcome: 'planExhausted', limit: 0, used: 0 })
      await db.write('setMonthlyLimit', { workspaceId: 'ws_1', limit: null })
      await db.write('revokeKey', { keyId: 'pk_seed', at: t0 + 2 })
      expect(await release('msg_1')).toEqual({ outcome: 'keyRevoked' })
      expect([(await db.read.message('msg_1'))?.status, await used()]).toEqual(['SCHEDULED', 0])
    })

    test('not before its time, which may have been moved', async () => {
      await schedule({ id: 'msg_1' })
      const moved = { messageId: 'msg_1', dueAt: dueAt + 9, keyExpiresAt: dueAt + hourMs, at: t0 + 3 }
      expect(await db.write('rescheduleMessage', moved)).toMatchObject({ status: 'SCHEDULED', dueAt: dueAt + 9 })
      expect(await release('msg_1')).toEqual({ outcome: 'gone' })
      expect((await release('msg_1', { at: dueAt + 9 })).outcome).toBe('released')
      expect(await db.write('rescheduleMessage', { ...moved, dueAt: dueAt + 20 })).toMatchObject({ status: 'QUEUED' })
      expect(await db.write('rescheduleMessage', { ...moved, messageId: 'msg_none' })).toBeNull()
      expect((await db.read.timeline('msg_1')).map(({ kind }) => kind)).toEqual(['rescheduled', 'released'])
    })

    test('one that was moved meanwhile is not moved from its time before', async () => {
      const idempotency = { scope: 'pk_seed', key: 'once', fingerprint: 'ab'.repeat(32), expiresAt: dueAt }
      await schedule({ id: 'msg_1', idempotency })
      const byPerson = { messageId: 'msg_1', dueAt: dueAt + 9, keyExpiresAt: dueAt + hourMs, at: t0 + 3 }
      await db.write('rescheduleMessage', byPerson)
      const byHours = { ...byPerson, dueAt: dueAt + 5, keyExpiresAt: dueAt + 5 }
      expect(await db.write('rescheduleMessage', { ...byHours, from: dueAt })).toBeNull()
      expect((await db.read.message('msg_1'))?.dueAt).toBe(dueAt + 9)
      const used = { workspaceId: 'ws_1', scope: 'pk_seed', key: 'once', at: dueAt + 9 }
      expect(await db.read.idempotencyKey(used)).toMatchObject({ messageId: 'msg_1' })
      expect(await db.write('rescheduleMessage', { ...byHours, from: dueAt + 9 })).toMatchObject({ dueAt: dueAt + 5 })
    })

    test('opens the flow of a message, and closes those that it asks for', async () => {
      await schedule({ id: 'msg_1', contactId: 'contact_1' })
      await schedule({ id: 'msg_2', contactId: 'contact_1' })
      const opensFlow = { contactId: 'contact_1', flowToken: 'token' }
      await release('msg_1', { opensFlow })
      await release('msg_2', { opensFlow, closesFlows: { contactId: 'contact_1', lineId: null } })
      const flows = await db.read.flowSessions('contact_1')
      expect(flows.map(({ messageId, closedBy }) => [messageId, closedBy]).toSorted()).toEqual([
        ['msg_1', 'revalidated'],
        ['msg_2', null],
      ])
    })
  })

  test('usage and the numbers of templates count it when it is released, not by the walk through acceptances', async () => {
    await schedule({ id: 'msg_1', type: 'template', templateName: 'order', templateLanguage: 'de' })
    await db.write('acceptMessage', draft({ id: 'msg_2' }))
    await db.write('countUsage', { before: dueAt, limit: 100 })
    const counts = async () =>
      Object.fromEntries(
        (await db.read.monthlyCounts({ workspaceId: 'ws_1', month: '2026-01' })).map(({ kind, count }) => [
          kind,
          count,
        ]),
      )
    expect(await counts()).toMatchObject({ 'line:line_1': 1 })
    await release('msg_1', { to: { recipient: '+491', contactId: null, templateLanguage: 'de' } })
    expect(await counts()).toMatchObject({ 'line:line_1': 2, 'template:order': 1 })
    await db.write('countUsage', { before: dueAt + hourMs, limit: 100 })
    expect(await counts()).toMatchObject({ 'line:line_1': 2, 'template:order': 1 })
  })
}
