import { beforeEach, describe, expect, test } from 'bun:test'
import { movedTables } from '../../../db/move/tables.ts'
import { count, freshSeeded, type OpenStore } from '../engines.ts'
import {
  accepted,
  addOther,
  apiKey,
  channel,
  draft,
  inbound,
  line,
  office,
  ofOther,
  outcome,
  recorded,
  report,
  requestBlocks,
  t0,
  template,
  webhook,
  withKey,
} from '../fixtures.ts'

export function removalSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const upload = { link: 'https://example.com/a.png', format: 'image' }
  const remember = (lineId: string) =>
    db.write('rememberMedia', { lineId, ...upload, mediaId: `file of ${lineId}`, expiresAt: t0 + 10 })
  const media = (lineId: string) => db.read.media({ lineId, ...upload, at: t0 })
  const wait = (id: string, fields: Partial<ReturnType<typeof draft>> = {}) =>
    db.write('acceptMessage', draft({ id, dispatchedAt: null, ...fields }))
  const send = async (id: string, fields: Partial<ReturnType<typeof draft>> = {}) => {
    await db.write('acceptMessage', draft({ id, ...fields }))
    await db.write('recordEvent', accepted(id))
  }

  test('a message whose answer was lost does not wait: its line can go', async () => {
    await db.write('acceptMessage', draft())
    await db.write('recordEvent', recorded('msg_1', { kind: 'lost', at: t0 }))
    expect(await db.write('removeLine', { lineId: 'line_1', at: t0 })).toMatchObject({ outcome: 'removed' })
  })

  describe('a line', () => {
    const remove = (lineId = 'line_1') => db.write('removeLine', { lineId, at: t0 + 5 })

    test('goes with its uploaded files; its messages stay, and their callbacks still match', async () => {
      await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2' }))
      for (const lineId of ['line_1', 'line_2']) await remember(lineId)
      await send('msg_1')
      expect(await remove()).toMatchObject({ outcome: 'removed', removed: { id: 'line_1', active: true } })
      expect([await db.read.line('line_1'), await media('line_1'), await media('line_2')]).toEqual([
        null,
        null,
        'file of line_2',
      ])
      expect((await db.read.lines('ws_1')).map(({ id }) => id)).toEqual(['line_2'])
      const applied = await db.write('applyReports', { channelId: 'chan_1', reports: [report('read')], recordedAt: t0 })
      expect(applied).toMatchObject({ applied: 1 })
      expect(await db.read.message('msg_1')).toMatchObject({ status: 'READ', lineId: 'line_1' })
    })

    test('keeps its name for its workspace, and so does a channel', async () => {
      await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2', number: '+4930222', label: 'Berlin' }))
      const names = async (workspaceId = 'ws_1') => {
        const ids = ['line_1', 'line_2', 'chan_1', 'line_9']
        return Object.fromEntries(await db.read.removedNames({ workspaceId, ids }))
      }
      expect(await names()).toEqual({})
      await remove('line_2')
      expect(await names()).toEqual({ line_2: expect.stringContaining('Berlin') })
      await db.write('disconnectChannel', { channelId: 'chan_1', at: t0 + 6 })
      expect(Object.keys(await names()).sort()).toEqual(['chan_1', 'line_1', 'line_2'])
      expect(await names('ws_2')).toEqual({})
    })

    test('accepts nothing afterwards, and its phone may be a line again', async () => {
      await remove()
      expect(await wait('msg_1')).toEqual({ outcome: 'lineRemoved' })
      expect(await remove()).toEqual({ outcome: 'unknown' })
      expect(await db.write('addLine', line({ id: 'line_new' }))).toMatchObject({ outcome: 'added' })
    })

    test('stays while messages wait on it', async () => {
      for (const id of ['msg_1', 'msg_2']) await wait(id)
      expect(await remove()).toEqual({ outcome: 'waiting', waiting: 2 })
      expect(await db.read.line('line_1')).toEqual(line())
    })
  })

  describe('a channel', () => {
    const disconnect = () => db.write('disconnectChannel', { channelId: 'chan_1', at: t0 + 5 })
    beforeEach(() =>
      db.write('replaceTemplates', { channelId: 'chan_1', templates: [template()], at: t0, recordedAt: t0 }),
    )

    test('goes with lines, templates and secrets, and its account may be connected again', async () => {
      await remember('line_1')
      const about = { of: 'template', name: template().name, language: 'en_US' } as const
      const updates = [{ accountId: '100001', about, kind: 'quality', at: t0, detail: {} }]
      await db.write('keepUpdates', { channelId: 'chan_1', updates, recordedAt: t0 })
      expect([await db.read.template('tpl_1'), await db.read.updates('tpl_1')]).toEqual([
        template(),
        [{ kind: 'quality', at: t0, detail: {} }],
      ])
      expect(await disconnect()).toMatchObject({ outcome: 'removed', removed: { id: 'chan_1' } })
      expect(await disconnect()).toEqual({ outcome: 'unknown' })
      expect(
        await Promise.all([
          db.read.channel('chan_1'),
          db.read.channels('ws_1'),
          db.read.line('line_1'),
          db.read.template('tpl_1'),
          db.read.updates('tpl_1'),
          media('line_1'),
        ]),
      ).toEqual([null, [], null, null, [], null])
      expect(await db.rows('SELECT sealed_access_token, sealed_app_secret, sealed_verify_token FROM channels')).toEqual(
        [['', '', '']],
      )
      const again = channel({ id: 'chan_2' })
      expect(await db.write('connectChannel', again)).toEqual(again)
    })

    test('stays while messages wait on one of its lines', async () => {
      await wait('msg_1')
      expect(await disconnect()).toEqual({ outcome: 'waiting', waiting: 1 })
      expect(await db.read.channel('chan_1')).toEqual(channel())
    })
  })

  describe('a workspace', () => {
    const close = (workspaceId = 'ws_1') => db.write('closeWorkspace', { workspaceId, at: t0 + 5 })

    /** These are of no workspace, and who did what outlives what it was done to. */
    const apart = ['properties', 'rate_windows', 'audit_entries']
    const tables = movedTables.map(({ name }) => name).filter(name => !apart.includes(name))
    const rowsOfTables = () => Promise.all(tables.map(async table => [table, Number(await count(db, table))] as const))

    test('that is closed has no key, line or channel that works', async () => {
      await db.write('createKey', apiKey({ id: 'pk_old' }))
      await db.write('revokeKey', { keyId: 'pk_old', at: t0 + 1 })
      expect(await close()).toMatchObject({ outcome: 'removed', removed: { id: 'ws_1', name: 'Acme' } })
      expect(await close('ws_9')).toEqual({ outcome: 'unknown' })
      expect((await db.read.keys('ws_1')).map(({ id, revokedAt }) => [id, revokedAt]).sort()).toEqual([
        ['pk_old', t0 + 1],
        ['pk_seed', t0 + 5],
      ])
      expect([await db.read.lines('ws_1'), await db.read.channels('ws_1')]).toEqual([[], []])
      expect(await wait('msg_1')).toEqual({ outcome: 'lineRemoved' })
    })

    test('stays open while messages wait', async () => {
      await wait('msg_1')
      expect(await close()).toEqual({ outcome: 'waiting', waiting: 1 })
      expect(await db.read.line('line_1')).toEqual(line())
    })

    test('is erased in bites, itself last, with everything of it and nothing of another', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2' }))
      await db.write('addLine', line({ id: 'line_2', channelId: 'chan_2' }))
      await db.write('createKey', apiKey({ id: 'pk_2', workspaceId: 'ws_2' }))
      for (const n of [1, 2]) {
        const place = { workspaceId: `ws_${n}`, channelId: `chan_${n}`, lineId: `line_${n}` }
        const [userId, email] = [`user_${n}`, `${n}@example.com`]
        const user = { id: userId, email, name: null, createdAt: t0, passwordHash: 'h' }
        await db.write('createUser', { ...user, workspaceId: `ws_${n}`, role: 'owner' })
        const session = { id: `ses_${n}`, userId, passwordHash: 'h', familyHash: `f${n}`, tokenHash: `t${n}` }
        await db.write('openSession', { ...session, ...office, createdAt: t0, expiresAt: t0 + 1 })
        const totp = { userId, sealedTotpSecret: 'v1.totp', at: t0 }
        await db.write('startTotp', totp)
        await db.write('confirmTotp', { ...totp, step: 1, codeHashes: ['a'] })
        const guest = { id: `inv_${n}`, email: 'eve@example.com', role: 'member', tokenHash: `link${n}` } as const
        const host = { workspaceId: `ws_${n}`, invitedBy: email, byUserId: userId }
        await db.write('invite', { ...guest, ...host, createdAt: t0, expiresAt: t0 + 1 })
        const person = { phone: `+493012345${n}`, userId: null, name: 'Ada', newContactId: `contact_${n}` }
        const file = { id: `media_${n}`, upstreamId: '7', sha256: null, mimeType: null, fileName: null }
        const messages = [inbound({ channelMessageId: `wamid.in${n}`, from: person, file })]
        await db.write('recordInbound', { channelId: `chan_${n}`, messages, recordedAt: t0 })
        const news = { at: t0, from: { ...person, userId: 'US.2' }, upstreamPhoneId: null }
        const changes = [{ ...news, identityChange: { formerPhone: person.phone, formerUserId: 'US.1' } }]
        await db.write('followIdentities', { channelId: `chan_${n}`, changes, recordedAt: t0 })
        const templates = [template({ id: `tpl_${n}`, channelId: `chan_${n}` })]
        await db.write('replaceTemplates', { channelId: `chan_${n}`, templates, at: t0, recordedAt: t0 })
        await remember(`line_${n}`)
        const early = [report('sent', { messageId: null, channelMessageId: `wamid.early${n}` })]
        await db.write('applyReports', { channelId: `chan_${n}`, reports: early, recordedAt: t0 })
        await db.write('noteCallback', { channelId: `chan_${n}`, at: t0, refusal: null })
        const opensFlow = { contactId: `contact_${n}`, flowToken: 'tok' }
        const fields = { ...place, ...withKey('k', 'f1', t0 + 1, n === 1 ? 'pk_seed' : 'pk_2'), opensFlow }
        await send(`msg_${n}`, fields)
        const about = [
          { of: 'account' },
          { of: 'line', number: line().number },
          { of: 'template', name: template().name, language: 'en_US' },
          { of: 'contact', phone: person.phone, userId: null, name: null, newContactId: 'contact_new' },
        ] as const
        const said = { accountId: '100001', kind: 'quality', at: t0, detail: {} }
        const updates = about.map(subject => ({ ...said, about: subject }))
        await db.write('keepUpdates', { channelId: `chan_${n}`, updates, recordedAt: t0 })
        await db.write('recordApiRequests', requestBlocks(undefined, undefined, `ws_${n}`))
        await db.write('addWebhook', webhook({ id: `hook_${n}`, workspaceId: `ws_${n}` }))
        await db.claimWebhooks()
        await db.write('recordAttempts', { endpointId: `hook_${n}`, position: 1, outcomes: [outcome(1)] })
        const kept = { workspaceId: `ws_${n}`, spelling: '+541155550001', number: '+5491155550001' }
        await db.write('keepSpelling', { ...kept, at: t0, recordedAt: t0 })
        const other = { id: `contact_${n}0`, workspaceId: `ws_${n}`, phone: `+493099${n}`, userId: null, name: null }
        await db.write('saveContact', { ...other, createdAt: t0, updatedAt: t0 })
        await db.write('forgetContact', { contactId: other.id, at: t0 })
        const sent = { id: `batch_${n}`, ...place, scope: `pk_${n}`, keyId: null, name: null, idempotencyKey: null }
        const batch = { ...sent, fingerprint: null, defaults: {}, duplicates: 'skip', state: 'draft' } as const
        const items = [{ recipient: '+1', reference: null, body: {} }]
        await db.write('createBatch', { batch: { ...batch, createdAt: t0, sendAt: null }, items })
        await db.write('setPriceRates', { workspaceId: `ws_${n}`, rates: [], at: t0 })
        await db.write('putAwayFinding', { workspaceId: `ws_${n}`, finding: 'f', by: 'Ada', at: t0 })
      }
      const before = await rowsOfTables()
      expect(before.filter(([, rows]) => rows === 0)).toEqual([])
      await close()
      let steps = 0
      for (let isDone = false; !isDone; steps += 1) {
        const step = await db.write('eraseWorkspace', { workspaceId: 'ws_1', limit: 1, at: t0 })
        isDone = step.isDone
        if (!isDone) expect([step.erased, await db.read.workspace('ws_1')]).toEqual([1, expect.anything()])
      }
      expect(steps).toBeGreaterThan(5)
      expect(
        await Promise.all<unknown>([
          db.read.workspace('ws_1'),
          db.read.message('msg_1'),
          db.read.messageContent('msg_1'),
          db.read.contactById('contact_1'),
          db.read.user('user_1'),
          db.read.key('pk_seed'),
          db.read.idempotencyKey({ workspaceId: 'ws_1', scope: 'pk_seed', key: 'k', at: t0 }),
          db.read.template('tpl_1'),
        ]),
      ).toEqual(Array(8).fill(null))
      // Its row says that the file is still to be removed, and nothing of whose it was.
      const nobodys = "SELECT id FROM inbound_files WHERE workspace_id = '' AND channel_id = ''"
      expect(await db.rows(nobodys)).toEqual([['media_1']])
      await db.write('dropFile', { fileId: 'media_1' })
      // What is left is the other's: it had as much of each.
      expect(await rowsOfTables()).toEqual(before.map(([table, rows]) => [table, rows / 2]))
      expect(await db.read.message('msg_2')).toMatchObject({ id: 'msg_2', status: 'SENT' })
      expect(await db.write('eraseWorkspace', { workspaceId: 'ws_1', limit: 1, at: t0 })).toEqual({
        erased: 0,
        isDone: true,
      })
    })
  })

  test('what is unknown is counted, with the oldest moment', async () => {
    expect(await db.read.unknownMessages()).toEqual({ count: 0, since: null })
    for (const n of [1, 2]) {
      await db.write('acceptMessage', draft({ id: `msg_${n}` }))
      await db.write('recordEvent', recorded(`msg_${n}`, { kind: 'lost', at: t0 + 10 - n }))
    }
    expect(await db.read.unknownMessages()).toEqual({ count: 2, since: t0 + 8 })
  })

  test('usage is listed by month, latest first, for one workspace or for all', async () => {
    await addOther(db, 9)
    for (const [n, workspaceId, createdAt] of [
      [1, 'ws_1', t0 - 1],
      [2, 'ws_1', t0],
      [3, 'ws_2', t0],
      [4, 'ws_2', t0],
    ] as const) {
      await wait(`msg_${n}`, { ...(workspaceId === 'ws_2' && ofOther), createdAt })
    }
    const acme = { workspaceId: 'ws_1', workspaceName: 'Acme', limit: null, used: 1 }
    const other = { workspaceId: 'ws_2', workspaceName: 'Other', limit: 9, used: 2, month: '2026-01' }
    const [december, january] = [
      { ...acme, month: '2025-12' },
      { ...acme, month: '2026-01' },
    ]
    expect(await db.read.usage({ limit: 10 })).toEqual([january, other, december])
    expect(await db.read.usage({ limit: 2 })).toEqual([january, other])
    expect(await db.read.usage({ workspaceId: 'ws_2', limit: 10 })).toEqual([other])
    expect(await db.read.usage({ month: '2025-12', limit: 10 })).toEqual([december])
  })
}
