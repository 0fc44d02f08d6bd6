import { describe, expect, test } from 'bun:test'
import type { StoredBytes } from '../../../db/contract/files.ts'
import { count, freshSeeded, type OpenStore } from '../engines.ts'
import { channel, inbound, line, t0 } from '../fixtures.ts'
import { forgetWholly } from './contactErasure.ts'

export function inboundFilesSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const file = (id: string) => ({
    ...{ id, upstreamId: '77', sha256: 'hash', mimeType: 'image/png', fileName: 'a.png' },
  })

  /** Has users send files, one message each. */
  async function receive(recordedAt: number, ...ids: readonly string[]) {
    const messages = ids.map(id => inbound({ channelMessageId: `wamid.${id}`, file: file(id) }))
    await db.write('recordInbound', { channelId: 'chan_1', messages, recordedAt })
  }
  async function store(recordedAt: number, ...ids: readonly string[]) {
    await receive(recordedAt, ...ids)
    for (const fileId of ids) await db.write('keepFile', { fileId, bytes: 100, mimeType: 'image/jpeg' })
  }
  /** All that is due: each look finds one of a workspace. */
  async function due(at: number) {
    const found: (readonly [id: string, state: string])[] = []
    for (;;) {
      const heads = await db.read.dueFiles({ at, except: found.map(([id]) => id), limit: 10 })
      if (heads.length === 0) return found
      found.push(...heads.map(({ id, state }) => [id, state] as const))
    }
  }
  const shown = (fileId: string, workspaceId = 'ws_1') => db.read.file({ workspaceId, fileId })
  const state = async (fileId: string) => (await shown(fileId))?.state ?? null
  const page = async () =>
    (await db.read.inboundMessages({ workspaceId: 'ws_1', after: 0, limit: 10, scan: 100 })).messages

  test('a file that a caller gives is kept as those of users, and given up when it never came', async () => {
    const times = { recordedAt: t0, dueAt: t0 + 1 }
    const given = { workspaceId: 'ws_1', sha256: 'sum', mimeType: 'image/png', fileName: 'a.png', ...times }
    for (const id of ['media_kept', 'media_lost']) await db.write('announceFile', { ...given, id })
    expect(await db.write('keepFile', { fileId: 'media_kept', bytes: 7, mimeType: 'image/png' })).toBe(true)
    expect(await shown('media_kept')).toEqual({ ...keptFile, state: 'stored', bytes: 7, sha256: 'sum' })
    expect(await shown('media_kept', 'ws_2')).toBeNull()
    expect(await due(t0)).toEqual([])
    expect(await due(t0 + 1)).toEqual([['media_lost', 'pending']])
    expect(await db.write('expireOldestFiles', { workspaceId: 'ws_1', bytes: 7, limit: 10 })).toBe(7)
    expect(await state('media_kept')).toBe('expired')
  })

  test('what was sent is found by the id that it has on its line, in its own workspace alone', async () => {
    const given = { workspaceId: 'ws_1', sha256: null, mimeType: null, fileName: null, recordedAt: t0, dueAt: t0 + 1 }
    for (const id of ['media_1', 'media_2']) {
      await db.write('announceFile', { ...given, id })
      await db.write('keepFile', { fileId: id, bytes: 7, mimeType: 'image/png' })
    }
    const link = 'https://shop.example/cake.png'
    const upload = { lineId: 'line_1', format: 'image', expiresAt: t0 }
    await db.write('rememberMedia', { ...upload, link: 'media_1', mediaId: '71' })
    await db.write('rememberMedia', { ...upload, link, mediaId: '72' })
    await db.write('rememberMedia', { ...upload, lineId: 'line_2', link, mediaId: '74' })
    // Uploaded by its caller, who has the upstream's id.
    await db.write('rememberMedia', { ...upload, link: '73', format: 'id', mediaId: 'media_2' })
    const sent = async (workspaceId: string) => {
      const query = { workspaceId, lineIds: ['line_1'], mediaIds: ['71', '72', '73', '74', '75'] }
      const found = await db.read.sentFiles(query)
      return found.map(one => [one.mediaId, one.file?.id ?? one.link]).toSorted()
    }
    expect(await sent('ws_1')).toEqual([
      ['71', 'media_1'],
      ['72', link],
      ['73', 'media_2'],
    ])
    expect((await sent('ws_2')).filter(([, id]) => id?.startsWith('media_'))).toEqual([])
    expect(await db.read.sentFiles({ workspaceId: 'ws_1', lineIds: ['line_1'], mediaIds: [] })).toEqual([])
  })

  test('of some lines are those of messages that came to them, and those that a caller gave', async () => {
    const on = async (fileId: string, lineIds: readonly string[]) =>
      (await db.read.file({ workspaceId: 'ws_1', fileId, lineIds }))?.id ?? null
    await receive(t0, 'media_1', 'media_2')
    const given = { workspaceId: 'ws_1', sha256: null, mimeType: null, fileName: null, recordedAt: t0, dueAt: t0 + 1 }
    await db.write('announceFile', { ...given, id: 'media_given' })
    for (const id of ['media_1', 'media_2', 'media_given']) expect(await on(id, ['line_1', 'line_2'])).toBe(id)
    expect([await on('media_1', ['line_2']), await on('media_1', [])]).toEqual([null, null])
    expect(await on('media_given', ['line_2'])).toBe('media_given')
    expect(await db.read.file({ workspaceId: 'ws_2', fileId: 'media_1', lineIds: ['line_1'] })).toBeNull()
  })
  const keptFile = { id: 'media_kept', mimeType: 'image/png', fileName: 'a.png' }

  describe('a file', () => {
    test('comes with its message, in one step, and is due at once', async () => {
      await receive(t0, 'media_1')
      expect(await db.read.dueFiles({ at: t0, except: [], limit: 10 })).toMatchObject([
        { id: 'media_1', channelId: 'chan_1', upstreamId: '77', sha256: 'hash', attempts: 0, mismatches: 0 },
      ])
      expect(await due(t0 - 1)).toEqual([])
      const pending = { id: 'media_1', state: 'pending', mimeType: 'image/png', fileName: 'a.png', bytes: null }
      expect((await page()).map(message => message.file)).toEqual([pending] as never)
      const { events } = await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 10 })
      expect(events.map(event => event.inbound?.file)).toEqual([pending] as never)
      expect(await shown('media_1', 'ws_2')).toBeNull()
      expect(await db.read.wantedFiles(['media_1', 'media_9'])).toEqual(['media_1'])
      // A repeated callback brings no second one.
      await db.write('recordInbound', {
        channelId: 'chan_1',
        messages: [inbound({ channelMessageId: 'wamid.media_1', file: file('media_2') })],
        recordedAt: t0,
      })
      expect(await count(db, 'inbound_files')).toBe(1)
    })

    test('of a form is one, also when its account was connected again and its message comes once more', async () => {
      const formFile = { upstreamId: '77', sha256: 'hash', mimeType: 'image/png', fileName: 'a.png' }
      const content = JSON.stringify({ type: 'interactive' })
      const messages = [
        inbound({ kind: 'nfm_reply', content, formFiles: [formFile] }),
        inbound({ channelMessageId: 'wamid.in2' }),
      ]
      const record = (channelId: string) => db.write('recordInbound', { channelId, messages, recordedAt: t0 })
      await record('chan_1')
      await db.write('connectChannel', channel({ id: 'chan_2', accountId: '100002' }))
      await record('chan_2')
      expect(await page()).toHaveLength(4)
      expect(await count(db, 'inbound_files')).toBe(1)
    })

    test('is stored once', async () => {
      await receive(t0, 'media_1')
      const keep = () => db.write('keepFile', { fileId: 'media_1', bytes: 100, mimeType: 'image/jpeg' })
      expect([await keep(), await keep()]).toEqual([true, false])
      expect(await shown('media_1')).toEqual({
        ...{ id: 'media_1', state: 'stored', mimeType: 'image/jpeg', fileName: 'a.png', bytes: 100, sha256: 'hash' },
      })
      expect(await due(Number.MAX_SAFE_INTEGER)).toEqual([])
    })

    test('waits until its next time, and is counted', async () => {
      await receive(t0, 'media_1')
      await db.write('postponeFile', { fileId: 'media_1', dueAt: t0 + 10, isMismatch: false })
      await db.write('postponeFile', { fileId: 'media_1', dueAt: t0 + 20, isMismatch: true })
      expect(await due(t0 + 19)).toEqual([])
      expect(await db.read.dueFiles({ at: t0 + 20, except: [], limit: 10 })).toMatchObject([
        { attempts: 2, mismatches: 1 },
      ])
      // Not one with which nothing is to be done any more.
      await db.write('keepFile', { fileId: 'media_1', bytes: 1, mimeType: 'image/png' })
      await db.write('postponeFile', { fileId: 'media_1', dueAt: t0, isMismatch: false })
      expect(await due(t0 + 20)).toEqual([])
    })

    test('is not kept any longer, whoever it is of, and is removed once', async () => {
      await store(t0, 'media_1')
      await receive(t0, 'media_2')
      for (const fileId of ['media_1', 'media_2', 'media_9']) await db.write('expireFile', { fileId })
      expect([await state('media_1'), await state('media_2')]).toEqual(['expired', 'expired'])
      expect((await due(t0)).toSorted()).toEqual([
        ['media_1', 'expired'],
        ['media_2', 'expired'],
      ])
      for (const fileId of ['media_1', 'media_2']) await db.write('dropFile', { fileId })
      await db.write('expireFile', { fileId: 'media_1' })
      expect(await due(t0)).toEqual([])
    })

    test('that is given up is removed, where something of it is there', async () => {
      await store(t0, 'media_1')
      await receive(t0, 'media_2')
      for (const fileId of ['media_1', 'media_2']) await db.write('giveUpFile', { fileId, state: 'failed' })
      expect([await state('media_1'), await state('media_2')]).toEqual(['stored', 'failed'])
      expect(await due(t0)).toEqual([['media_2', 'failed']])
      await db.write('dropFile', { fileId: 'media_2' })
      expect(await due(t0)).toEqual([])
      expect(await state('media_2')).toBe('failed')
    })

    test('of a message on a line of another workspace is not kept', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2' }))
      const messages = [inbound({ file: file('media_1') })]
      await db.write('recordInbound', { channelId: 'chan_2', messages, recordedAt: t0 })
      expect(await count(db, 'inbound_files')).toBe(0)
    })
  })

  /** A second workspace, with a file that is stored and one that is due. */
  async function addOther(recordedAt: number) {
    await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
    await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2' }))
    await db.write('addLine', line({ id: 'line_2', workspaceId: 'ws_2', channelId: 'chan_2' }))
    const from = { phone: '+4930123456', userId: null, name: 'Ada', newContactId: 'contact_2' }
    const messages = ['media_21', 'media_22'].map(id =>
      inbound({ channelMessageId: `wamid.${id}`, from, file: file(id) }),
    )
    await db.write('recordInbound', { channelId: 'chan_2', messages, recordedAt })
    await db.write('keepFile', { fileId: 'media_21', bytes: 100, mimeType: 'image/jpeg' })
  }

  describe('several workspaces', () => {
    test('have each the file looked at that is due the longest, and nobody’s as one of them', async () => {
      await receive(t0 + 1, 'media_2')
      await receive(t0, 'media_1', 'media_3')
      await addOther(t0 + 2)
      const heads = async (at: number, except: readonly string[] = []) =>
        (await db.read.dueFiles({ at, except, limit: 10 })).map(({ id, workspaceId }) => [id, workspaceId])
      expect(await heads(t0)).toEqual([['media_1', 'ws_1']])
      expect(await heads(t0 + 2, ['media_1', 'media_3'])).toEqual([
        ['media_2', 'ws_1'],
        ['media_22', 'ws_2'],
      ])
      expect(await heads(t0 + 2, ['media_22'])).toHaveLength(1)
      expect(await db.read.dueFiles({ at: t0 + 2, except: [], limit: 1 })).toMatchObject([{ workspaceId: 'ws_1' }])
      await db.write('eraseOldFiles', { recordedBefore: t0 + 2, limit: 2 })
      expect((await heads(t0 + 2)).map(([, workspaceId]) => workspaceId)).toEqual(['', 'ws_1', 'ws_2'])
    })
  })

  describe('room', () => {
    test('is added up by workspace, in steps', async () => {
      await store(t0, 'media_1', 'media_2', 'media_3')
      await receive(t0, 'media_4')
      await addOther(t0)
      const total: Record<string, number> = {}
      let [after, steps]: [string | null, number] = ['', 0]
      while (after !== null) {
        const step: StoredBytes = await db.read.storedBytes({ after, limit: 2 })
        for (const { workspaceId, bytes } of step.workspaces) total[workspaceId] = (total[workspaceId] ?? 0) + bytes
        ;[after, steps] = [step.after, steps + 1]
      }
      expect([total, steps]).toEqual([{ ws_1: 300, ws_2: 100 }, 4])
    })

    test('is made by the oldest of a workspace, as many as it takes', async () => {
      await addOther(t0)
      const expire = (bytes: number, workspaceId = 'ws_1') =>
        db.write('expireOldestFiles', { workspaceId, bytes, limit: 10 })
      await store(t0 + 2, 'media_2')
      await store(t0 + 1, 'media_1')
      await store(t0 + 3, 'media_3')
      expect(await expire(101)).toBe(200)
      expect(await Promise.all(['media_1', 'media_2', 'media_3'].map(state))).toEqual(['expired', 'expired', 'stored'])
      expect(await expire(1_000)).toBe(100)
      expect(await expire(1_000)).toBe(0)
      expect((await due(t0)).map(([id]) => id).toSorted()).toEqual(['media_1', 'media_2', 'media_22', 'media_3'])
      expect(await expire(1, 'ws_2')).toBe(100)
      await db.write('dropFile', { fileId: 'media_1' })
      expect(await state('media_1')).toBe('expired')
    })
  })

  describe('time', () => {
    test('ends the keeping of stored files, in bites, and those of a channel that is not there any more', async () => {
      await store(t0, 'media_1', 'media_2', 'media_3')
      await store(t0 + 5, 'media_4')
      await receive(t0, 'media_5')
      const bite = () => db.write('expireFiles', { recordedBefore: t0 + 5, limit: 2 })
      expect([await bite(), await bite(), await bite()]).toEqual([2, 1, 0])
      expect(await Promise.all([1, 3, 4, 5].map(n => state(`media_${n}`)))).toEqual([
        'expired',
        'expired',
        'stored',
        'pending',
      ])
      await db.write('disconnectChannel', { channelId: 'chan_1', at: t0 + 6 })
      expect(await bite()).toBe(1)
      expect(await state('media_4')).toBe('expired')
    })

    test('forgets the names of files with the contents of their messages', async () => {
      await store(t0, 'media_1')
      await receive(t0 + 1, 'media_2')
      await receive(t0 + 5, 'media_3')
      const names = async () => (await page()).map(message => message.file?.fileName)
      const bite = () => db.write('pruneInboundContents', { recordedBefore: t0 + 5, limit: 1 })
      expect([await bite(), await names()]).toEqual([1, [null, 'a.png', 'a.png']])
      expect([await bite(), await bite(), await names()]).toEqual([1, 0, [null, null, 'a.png']])
    })

    test('erases the files of messages, whatever their state', async () => {
      await store(t0, 'media_1')
      await receive(t0, 'media_2')
      await receive(t0 + 5, 'media_3')
      const bite = () => db.write('eraseOldFiles', { recordedBefore: t0 + 5, limit: 2 })
      expect([await bite(), await bite()]).toEqual([2, 0])
      expect(await due(t0)).toEqual([
        ['media_1', 'erased'],
        ['media_2', 'erased'],
      ])
      expect((await page()).map(message => message.file?.id ?? null)).toEqual([null, null, 'media_3'])
    })
  })

  describe('erased with its contact', () => {
    test('it belongs to nobody, and its row goes with it', async () => {
      await store(t0, 'media_1')
      await receive(t0, 'media_2')
      await forgetWholly(db, 'contact_1')
      expect((await page()).map(message => message.file)).toEqual([null, null])
      expect(await shown('media_1')).toBeNull()
      expect(await db.read.wantedFiles(['media_1', 'media_2'])).toEqual([])
      expect(
        await db.rows('SELECT DISTINCT workspace_id, channel_id, upstream_id, sha256, file_name FROM inbound_files'),
      ).toEqual([['', '', '', null, null]])
      // A download that was under way is not kept.
      expect(await db.write('keepFile', { fileId: 'media_2', bytes: 1, mimeType: 'image/png' })).toBe(false)
      for (const fileId of ['media_1', 'media_2']) await db.write('dropFile', { fileId })
      expect(await count(db, 'inbound_files')).toBe(0)
    })
  })
}
