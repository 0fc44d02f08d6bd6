import { beforeEach, describe, expect, test } from 'bun:test'
import type { SendSettings } from '../../../db/contract/store.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, channel, draft, line, recorded, t0, template, withKey } from '../fixtures.ts'

export function readsSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  test('lists of what the operator made are whole, however long: jobs and commands go by them', async () => {
    // One more than the longest list of messages.
    const numbers = Array.from({ length: 1_001 }, (_, index) => index + 10)
    const made = { createdAt: t0, updatedAt: t0 }
    const callsOf = (n: number) => {
      const key = { id: `pk_${n}`, workspaceId: 'ws_1', label: null, createdAt: t0, secretHash: 'h' }
      const user = { id: `user_${n}`, workspaceId: 'ws_1', email: `${n}@example.com`, name: null, role: null, ...made }
      return [
        ['createWorkspace', { id: `ws_${n}`, name: 'Acme', monthlyMessageLimit: null, createdAt: t0 }],
        ['connectChannel', channel({ id: `chan_${n}`, accountId: String(n) })],
        ['createKey', key],
        ['createUser', { ...user, passwordHash: 'h' }],
      ] as const
    }
    // Not all at once: none waits longer than a busy server lets it.
    for (let from = 0; from < numbers.length; from += 100) {
      const outcomes = await db.batch(...numbers.slice(from, from + 100).flatMap(callsOf))
      expect(outcomes.filter(({ ok }) => !ok)).toEqual([])
    }
    const { read } = db
    const lists: readonly Promise<readonly unknown[]>[] = [
      read.workspaces(),
      read.channels(null),
      read.channels('ws_1'),
      read.keys('ws_1'),
      read.members(null),
    ]
    expect((await Promise.all(lists)).map(({ length }) => length)).toEqual([1_002, 1_002, 1_002, 1_002, 1_001])
  })

  describe('what a send is decided by', () => {
    const ask = (keyId = 'pk_seed', month = '2026-01') => db.read.sendingKey({ keyId, month, isAnew: true })

    test('is its key, and what the single reads say where that comes with the key', async () => {
      await db.write('setMonthlyLimit', { workspaceId: 'ws_1', limit: 9 })
      await db.write('limitKey', { keyId: 'pk_seed', allowedNetworks: ['10.0.0.0/8'] })
      await db.write('acceptMessage', draft())
      const [key, plan, lines, channel] = await Promise.all([
        db.read.key('pk_seed'),
        db.read.plan({ workspaceId: 'ws_1', month: '2026-01' }),
        db.read.lines('ws_1'),
        db.read.channel('chan_1'),
      ])
      if (!key || !channel) throw new Error('they were stored')
      expect([plan, lines.length]).toEqual([{ limit: 9, used: 1, onOptOut: 'refuse', quietHours: null }, 1])
      // Also when many are asked for at once: each gets its own.
      const [asked, later, same, none] = await Promise.all([ask(), ask('pk_seed', '2026-02'), ask(), ask('pk_none')])
      const settings: SendSettings = { month: '2026-01', plan, lines, channels: [channel] }
      const unused: SendSettings = {
        ...settings,
        month: '2026-02',
        plan: { limit: 9, used: 0, onOptOut: 'refuse', quietHours: null },
      }
      if (!asked || !later) throw new Error('the key was found before')
      expect<(SendSettings | null)[]>([null, settings]).toContainEqual(asked.settings)
      expect<(SendSettings | null)[]>([null, unused]).toContainEqual(later.settings)
      expect({ ...asked, settings: null }).toEqual({ ...key, settings: null })
      expect([same, none]).toEqual([asked, null])
    })

    test('is no removed line', async () => {
      await db.write('removeLine', { lineId: 'line_1', at: t0 })
      expect((await ask())?.settings?.lines ?? []).toEqual([])
    })
  })

  describe('a workspace sees nothing of another', () => {
    beforeEach(async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: 7, createdAt: t0 })
      await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2' }))
      await db.write('addLine', line({ id: 'line_2', channelId: 'chan_2' }))
      for (const n of [1, 2]) {
        const workspaceId = `ws_${n}`
        const key = { id: `pk_${n}`, workspaceId, label: null, createdAt: t0, secretHash: 'h' }
        await db.write('createKey', key)
        await db.write('replaceTemplates', {
          channelId: `chan_${n}`,
          templates: [template({ id: `tpl_${n}`, channelId: `chan_${n}` })],
          at: t0,
          recordedAt: t0,
        })
        await db.write('saveContact', {
          id: `contact_${n}`,
          workspaceId,
          phone: '+4930123456',
          userId: null,
          name: null,
          createdAt: t0,
          updatedAt: t0,
        })
        await db.write(
          'acceptMessage',
          draft({
            id: `msg_${n}`,
            workspaceId,
            channelId: `chan_${n}`,
            lineId: `line_${n}`,
            ...withKey('k', 'f0', t0 + 1, `pk_${n}`),
          }),
        )
      }
    })

    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

    test('in any list', async () => {
      const workspaceId = 'ws_2'
      expect([ids(await db.read.workspaces()), ids(await db.read.channels(null))]).toEqual([
        ['ws_1', 'ws_2'],
        ['chan_1', 'chan_2'],
      ])
      expect(ids(await db.read.keys(workspaceId))).toEqual(['pk_2'])
      expect(ids(await db.read.channels(workspaceId))).toEqual(['chan_2'])
      expect(ids(await db.read.lines(workspaceId))).toEqual(['line_2'])
      expect(ids(await db.read.templates({ workspaceId, approved: true }))).toEqual(['tpl_2'])
      expect(ids(await db.read.contacts({ workspaceId, limit: 10 }))).toEqual(['contact_2'])
      expect(ids(await db.read.messages({ workspaceId, limit: 10 }))).toEqual(['msg_2'])
      expect(await db.read.plan({ workspaceId, month: '2026-01' })).toEqual({
        limit: 7,
        used: 1,
        onOptOut: 'refuse',
        quietHours: null,
      })
    })

    test('in what is open, however alike their ids end', async () => {
      for (const n of [3, 4]) {
        const [workspaceId, channelId, lineId] = [`ws_${n}_alike`, `chan_${n}`, `line_${n}`]
        await db.write('createWorkspace', { id: workspaceId, name: 'Alike', monthlyMessageLimit: null, createdAt: t0 })
        await db.write('connectChannel', channel({ id: channelId, workspaceId }))
        await db.write('addLine', line({ id: lineId, channelId }))
        await db.write('acceptMessage', draft({ id: `msg_${n}`, workspaceId, channelId, lineId }))
      }
      expect(await db.read.openMessages({ workspaceId: 'ws_3_alike', max: 9 })).toMatchObject({ queued: 1 })
    })

    test('by a key or an id of the other', async () => {
      expect(await db.read.idempotencyKey({ workspaceId: 'ws_2', scope: 'pk_2', key: 'k', at: t0 })).toMatchObject({
        messageId: 'msg_2',
      })
      expect(await db.read.contact({ workspaceId: 'ws_2', contactId: 'contact_1' })).toBeNull()
      expect(await db.read.templatesNamed({ channelId: 'chan_2', name: 'order_confirmation' })).toMatchObject([
        { id: 'tpl_2' },
      ])
    })

    test('whatever a message or line says, it says whose it is', async () => {
      expect(await db.read.message('msg_1')).toMatchObject({ workspaceId: 'ws_1' })
      expect(await db.read.line('line_1')).toMatchObject({ workspaceId: 'ws_1' })
      expect(await db.read.channel('chan_1')).toMatchObject({ workspaceId: 'ws_1' })
    })
  })

  describe('what is not there', () => {
    test('is null or empty, never an error', async () => {
      expect(await db.read.workspace('x')).toBeNull()
      expect(await db.read.key('x')).toBeNull()
      expect(await db.read.channel('x')).toBeNull()
      expect(await db.read.line('x')).toBeNull()
      expect(await db.read.message('x')).toBeNull()
      expect(await db.read.timeline('x')).toEqual([])
      expect(await db.read.lines('x')).toEqual([])
      expect(await db.read.plan({ workspaceId: 'x', month: '2026-01' })).toEqual({
        limit: null,
        used: 0,
        onOptOut: 'send',
        quietHours: null,
      })
    })
  })

  describe('messages', () => {
    beforeEach(async () => {
      for (const n of [1, 2, 3, 4])
        await db.write('acceptMessage', draft({ id: `msg_${n}`, dispatchedAt: n === 3 ? null : t0 }))
    })

    test('newest first, by status, and no more than asked for', async () => {
      await db.write('recordEvent', accepted('msg_2'))
      const list = async (status?: 'QUEUED' | 'SENT', limit = 10) =>
        (await db.read.messages({ workspaceId: 'ws_1', status: status && [status], limit })).map(({ id }) => id)
      expect(await list()).toEqual(['msg_4', 'msg_3', 'msg_2', 'msg_1'])
      expect(await list('QUEUED')).toEqual(['msg_4', 'msg_3', 'msg_1'])
      expect(await list(undefined, 2)).toEqual(['msg_4', 'msg_3'])
    })

    test('those that repeat one are found by it, newest first, and are the last 20', async () => {
      const again = Array.from({ length: 21 }, (_, n) => `msg_${n + 10}`)
      for (const id of again) await db.write('acceptMessage', draft({ id, againOf: 'msg_1' }))
      await db.write('acceptMessage', draft({ id: 'msg_other', againOf: 'msg_2' }))
      expect(await db.read.sentAgainAs('msg_1')).toEqual(again.slice(1).reverse())
      expect(await db.read.sentAgainAs('msg_3')).toEqual([])
      // They know its id, however little there is left of it.
      await db.write('recordEvent', accepted('msg_1'))
      expect(await db.write('pruneMessages', { createdBefore: t0 + 1, limit: 1 })).toBe(1)
      expect(await db.read.message('msg_10')).toMatchObject({ againOf: 'msg_1' })
    })

    test('none of them carries the text', async () => {
      expect(await db.read.message('msg_1')).not.toHaveProperty('payload')
      expect((await db.read.messages({ workspaceId: 'ws_1', limit: 1 }))[0]).not.toHaveProperty('payload')
    })

    test('the timeline is in the order of what happened, not of when we recorded it', async () => {
      const at = (ms: number, recordedMs: number, kind: 'lost' | 'dispatched') => ({
        ...recorded('msg_4', { kind, at: t0 + ms }),
        recordedAt: t0 + recordedMs,
      })
      await db.write('recordEvent', at(50, 60, 'lost'))
      await db.write('recordEvent', at(10, 70, 'dispatched'))
      expect((await db.read.timeline('msg_4')).map(({ kind, recordedAt }) => [kind, recordedAt - t0])).toEqual([
        ['dispatched', 70],
        ['lost', 60],
      ])
    })
  })

  test('a page after a message that is not there is empty, not the first one', async () => {
    expect(await db.read.messages({ workspaceId: 'ws_1', limit: 10, after: 'msg_none' })).toEqual([])
  })
}
