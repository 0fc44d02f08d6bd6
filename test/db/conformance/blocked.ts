import { beforeEach, describe, expect, test } from 'bun:test'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { channel, inbound, line, t0 } from '../fixtures.ts'

export function blockedSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  const times = { createdAt: t0, updatedAt: t0 }
  const add = (id: string, who: { phone: string | null; userId: string | null }) =>
    db.write('saveContact', { id, workspaceId: 'ws_1', name: null, ...who, ...times })
  const keep = (isBlocked: boolean, lineIds: string[], contactId = 'contact_1', workspaceId = 'ws_1') =>
    db.write('keepBlocked', { workspaceId, contactId, lineIds, isBlocked })
  const blockedOn = async (contactId = 'contact_1') => (await db.read.contactById(contactId))?.blockedOn

  beforeEach(async () => {
    for (const id of ['line_2', 'line_3']) await db.write('addLine', line({ id, upstreamPhoneId: id }))
    await add('contact_1', { phone: '+4930123456', userId: null })
  })

  describe('the lines on which a person is blocked', () => {
    test('are noted once, and go one by one', async () => {
      expect(await blockedOn()).toEqual([])
      expect([await keep(true, ['line_1', 'line_2']), await keep(true, ['line_2'])]).toEqual([true, false])
      expect(await keep(true, ['line_3', 'line_2'])).toBeTrue()
      expect(await blockedOn()).toEqual(['line_1', 'line_2', 'line_3'])
      expect([await keep(false, ['line_1', 'line_3']), await keep(false, ['line_3'])]).toEqual([true, false])
      expect(await blockedOn()).toEqual(['line_2'])
    })

    test('leave nothing unread, until the person writes after they are gone', async () => {
      const unread = async () => (await db.read.heard({ workspaceId: 'ws_1', contactId: 'contact_1' })).unread
      const wrote = (channelMessageId: string) => {
        const from = { phone: '+4930123456', userId: null, name: null, newContactId: 'contact_9' }
        return db.write('recordInbound', {
          ...{ channelId: 'chan_1', recordedAt: t0 },
          messages: [inbound({ from, channelMessageId })],
        })
      }
      await wrote('wamid.1')
      expect(await unread()).toBe(1)
      await keep(true, ['line_1'])
      expect(await unread()).toBe(0)
      await keep(false, ['line_1'])
      expect(await unread()).toBe(0)
      await wrote('wamid.2')
      expect(await unread()).toBe(1)
    })

    test('are there lines of the workspace, of a contact in it', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2' }))
      await db.write('addLine', line({ id: 'line_other', channelId: 'chan_2', upstreamPhoneId: '9' }))
      await db.write('removeLine', { lineId: 'line_2', at: t0 })
      expect(await keep(true, ['line_other', 'line_2', 'line_9'])).toBeFalse()
      expect(await keep(true, ['line_other'], 'contact_1', 'ws_2')).toBeFalse()
      expect(await keep(true, ['line_1'], 'contact_9')).toBeFalse()
      expect(await blockedOn()).toEqual([])
    })

    test.each(['first', 'middle', 'last', 'only'])('lose a line that is removed, the %s of them', async place => {
      const lines = { first: '1 2 3', middle: '2 1 3', last: '2 3 1', only: '1' }[place] ?? ''
      const blocked = lines.split(' ').map(number => `line_${number}`)
      await keep(true, blocked)
      expect(await db.write('removeLine', { lineId: 'line_1', at: t0 })).toMatchObject({ outcome: 'removed' })
      expect(await blockedOn()).toEqual(blocked.filter(id => id !== 'line_1'))
    })

    test('go with the channel of the lines, and with the contact', async () => {
      await add('contact_2', { phone: null, userId: 'DE.2' })
      for (const id of ['contact_1', 'contact_2']) await keep(true, ['line_1', 'line_2'], id)
      await db.write('forgetContact', { contactId: 'contact_2', at: t0 })
      expect([await blockedOn('contact_2'), await keep(true, ['line_1'], 'contact_2')]).toEqual([[], false])
      await db.write('disconnectChannel', { channelId: 'chan_1', at: t0 })
      expect(await blockedOn()).toEqual([])
    })

    test('are those of both when two contacts turn out to be one, also of an id that was noted later', async () => {
      await add('contact_2', { phone: null, userId: 'DE.2' })
      await keep(true, ['line_1', 'line_2'])
      await keep(true, ['line_2', 'line_3'], 'contact_2')
      const from = { phone: '+4930123456', userId: 'DE.2', name: null, newContactId: 'contact_3' }
      await db.write('recordInbound', { channelId: 'chan_1', messages: [inbound({ from })], recordedAt: t0 })
      expect(await blockedOn()).toEqual(['line_1', 'line_2', 'line_3'])
      expect(await keep(false, ['line_2'], 'contact_2')).toBeTrue()
      expect(await blockedOn('contact_2')).toEqual(['line_1', 'line_3'])
    })
  })
}
