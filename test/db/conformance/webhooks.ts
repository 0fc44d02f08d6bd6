import { beforeEach, describe, expect, test } from 'bun:test'
import { type ReplayPlace, webhooksMax } from '../../../db/contract/webhooks.ts'
import { hourMs } from '../../../src/base/durations.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, channel, draft, inbound, line, outcome, t0, webhook } from '../fixtures.ts'

/** What people change of webhooks. */
export function webhooksSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const send = async (...ids: readonly string[]) => {
    for (const id of ids) await db.write('acceptMessage', draft({ id }))
    for (const id of ids) await db.write('recordEvent', accepted(id))
  }
  const at = t0 + 50
  const change = (fields: Partial<Parameters<typeof db.write<'changeWebhook'>>[1]>) =>
    db.write('changeWebhook', { endpointId: 'hook_1', at, ...fields })

  describe('an endpoint', () => {
    test('is added behind the events that are there, and read back; one of another workspace is not listed', async () => {
      await send('msg_1')
      const { lineIds, types, ...fields } = webhook({
        description: 'Desk',
        lineIds: ['line_1'],
        types: ['message.read'],
      })
      const added = await db.write('addWebhook', { ...fields, lineIds, types })
      const off = { disabledAt: null, disabledReason: null, failingSince: null, deliveredAt: null, failedAt: null }
      expect(added).toEqual({
        outcome: 'added',
        webhook: { ...fields, ...off, lineIds, types, position: expect.any(Number) },
      })
      expect(await db.read.webhook('hook_1')).toEqual(added.outcome === 'added' ? added.webhook : null)
      await send('msg_2')
      const [open] = await db.read.openWebhooks({ endpointIds: null })
      const { events } = await db.read.events({ workspaceId: 'ws_1', after: open?.webhook.position ?? 0, limit: 9 })
      expect(events.map(({ message }) => message?.id)).toEqual(['msg_2'])
      expect(open).toMatchObject({ lastEvent: events[0]?.seq, nextAt: null })
      expect(await db.read.webhooks('ws_1')).toHaveLength(1)
      expect(await db.read.webhooks('ws_2')).toEqual([])
    })

    test('of no workspace, of a line of another workspace, and beyond the bound is not added', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2' }))
      await db.write('addLine', line({ id: 'line_2', workspaceId: 'ws_2', channelId: 'chan_2' }))
      const add = async (fields: Parameters<typeof webhook>[0]) =>
        (await db.write('addWebhook', webhook(fields))).outcome
      expect(await add({ workspaceId: 'ws_9' })).toBe('unknownWorkspace')
      expect(await add({ lineIds: ['line_1', 'line_2'] })).toBe('unknownLine')
      for (let n = 0; n < webhooksMax; n += 1) expect(await add({ id: `hook_${n}` })).toBe('added')
      expect(await add({ id: 'hook_more' })).toBe('tooMany')
      await db.write('removeWebhook', { endpointId: 'hook_7', at })
      expect(await add({ id: 'hook_more' })).toBe('added')
    })

    test('changes in what is given alone', async () => {
      await db.write('addWebhook', webhook())
      expect(await change({ url: 'https://other.example' })).toMatchObject({
        outcome: 'changed',
        webhook: { url: 'https://other.example', sealedSecrets: 'v1.signing', types: null },
      })
      expect(await change({ types: ['message.read'], lineIds: ['line_1'], description: 'x' })).toMatchObject({
        webhook: { url: 'https://other.example', types: ['message.read'], lineIds: ['line_1'], description: 'x' },
      })
      expect(await change({ lineIds: ['line_9'], url: 'https://third.example' })).toEqual({ outcome: 'unknownLine' })
      expect(await change({})).toMatchObject({ webhook: { url: 'https://other.example' } })
      expect(await db.write('changeWebhook', { endpointId: 'hook_9', at })).toEqual({ outcome: 'unknownWebhook' })
    })

    test('that gets a new address keeps no headers but those that are given with it', async () => {
      await db.write('addWebhook', webhook({ sealedHeaders: 'v1.headers' }))
      const [same, moved] = [{ url: webhook().url }, { url: 'https://other.example' }]
      expect(await change(same)).toMatchObject({ webhook: { sealedHeaders: 'v1.headers' }, hasDroppedHeaders: false })
      expect(await change({ ...moved, sealedHeaders: 'v1.new' })).toMatchObject({
        webhook: { sealedHeaders: 'v1.new' },
      })
      expect(await change(same)).toMatchObject({ webhook: { sealedHeaders: null }, hasDroppedHeaders: true })
      expect(await change(moved)).toMatchObject({ webhook: { sealedHeaders: null }, hasDroppedHeaders: false })
    })

    test('that is off is not open, keeps why and since when, and is on again without its failures', async () => {
      await db.write('addWebhook', webhook())
      expect(await change({ isOn: false })).toMatchObject({
        webhook: { disabledAt: at, disabledReason: 'switchedOff' },
      })
      expect(await change({ isOn: false, at: at + 1 })).toMatchObject({ webhook: { disabledAt: at } })
      expect(await db.read.openWebhooks({ endpointIds: null })).toEqual([])
      expect(await change({ isOn: true })).toMatchObject({ webhook: { disabledAt: null, disabledReason: null } })
      expect(await db.read.openWebhooks({ endpointIds: ['hook_1'] })).toHaveLength(1)
      expect(await db.read.openWebhooks({ endpointIds: [] })).toEqual([])
    })

    test('gets other secrets only when they are as they were read', async () => {
      await db.write('addWebhook', webhook())
      const replace = (former: string | null, sealedSecrets: string) =>
        db.write('replaceWebhookSecrets', { endpointId: 'hook_1', former, sealedSecrets })
      expect([await replace('v1.other', 'v1.third'), await replace('v1.signing', 'v1.next')]).toEqual([false, true])
      expect((await db.read.webhook('hook_1'))?.sealedSecrets).toBe('v1.next')
    })

    test('that is removed is nowhere, and its secrets are gone at once', async () => {
      await db.write('addWebhook', webhook())
      expect(await db.write('removeWebhook', { endpointId: 'hook_1', at })).toMatchObject({ id: 'hook_1' })
      expect(await db.write('removeWebhook', { endpointId: 'hook_1', at })).toBeNull()
      expect([await db.read.webhook('hook_1'), await db.read.webhooks('ws_1')]).toEqual([null, []])
      expect(await db.read.sealedWebhooks()).toEqual([])
      expect(await change({ isOn: true })).toEqual({ outcome: 'unknownWebhook' })
    })
  })

  test('what the upstream calls a line is known of one that was removed, too', async () => {
    const address = { accountId: '100001', upstreamPhoneId: '106540352242922', number: '+15550783881' }
    expect([await db.read.lineAddress('line_1'), await db.read.lineAddress('line_9')]).toEqual([address, null])
    await db.write('removeLine', { lineId: 'line_1', at })
    expect(await db.read.lineAddress('line_1')).toEqual(address)
  })

  test('the audit has each change, with its workspace', async () => {
    const authorship = { actor: 'user_1', at }
    const id = 'hook_1'
    await db.write('addWebhook', { ...webhook(), authorship })
    for (const fields of [{ url: 'https://other.example' }, { isOn: false }, { isOn: true }])
      await db.write('changeWebhook', { endpointId: id, at, ...fields, authorship })
    await db.write('replaceWebhookSecrets', {
      endpointId: id,
      former: 'v1.signing',
      sealedSecrets: 'v1.next',
      authorship,
    })
    await send('msg_1')
    const [event] = (await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 1 })).events
    const what = { kind: 'event', seq: event?.seq ?? 0 } as const
    await db.write('replayWebhook', { endpointId: id, what, after: null, at, authorship })
    await db.write('removeWebhook', { endpointId: id, at, authorship })
    const entries = await db.read.auditEntries({ workspaceId: 'ws_1', action: 'webhook', limit: 20 })
    const actions = ['remove', 'replay', 'rotate', 'enable', 'disable', 'change', 'add']
    expect(entries.map(({ action, subject }) => [action, subject])).toEqual(
      actions.map(action => [`webhook.${action}`, id]),
    )
  })

  describe('a replay', () => {
    const replay = (what: Parameters<typeof db.write<'replayWebhook'>>[1]['what'], after: ReplayPlace | null = null) =>
      db.write('replayWebhook', { endpointId: 'hook_1', what, after, at })
    const states = async () => {
      const deliveries = await db.read.deliveries({ endpointId: 'hook_1', limit: 9 })
      return deliveries.map(({ seq, state, nextAt }) => [seq, state, nextAt])
    }
    let seqs: number[]
    beforeEach(async () => {
      await db.write('addWebhook', webhook({ lineIds: ['line_1'] }))
      await db.claimWebhooks()
      await send('msg_1', 'msg_2', 'msg_3')
      seqs = (await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 9 })).events.map(({ seq }) => seq)
    })
    const [_first = 0, _second = 0, _third = 0] = [1, 2, 3]
    const record = () =>
      db.write('recordAttempts', {
        endpointId: 'hook_1',
        position: seqs[2] ?? 0,
        outcomes: [
          outcome(seqs[0] ?? 0),
          outcome(seqs[1] ?? 0, { state: 'failed' }),
          outcome(seqs[2] ?? 0, { state: 'failed' }),
        ],
      })

    test('of one event makes it due, delivered or never tried', async () => {
      expect(await replay({ kind: 'event', seq: seqs[1] ?? 0 })).toEqual({ due: 1, next: null })
      expect(await states()).toEqual([[seqs[1] ?? 0, 'pending', at]])
      await record()
      expect(await replay({ kind: 'event', seq: seqs[0] ?? 0 })).toEqual({ due: 1, next: null })
      const [open] = await db.read.openWebhooks({ endpointIds: null })
      expect(open?.nextAt).toBe(at)
      const [due, ...others] = await db.read.dueDeliveries({ webhook: open?.webhook ?? never(), at, limit: 9 })
      expect(others).toEqual([])
      expect(due).toMatchObject({ seq: seqs[0], attemptCount: 1, step: 0, event: { message: { id: 'msg_1' } } })
      expect(await replay({ kind: 'event', seq: 99_999 })).toEqual({ due: 0, next: null })
    })

    test('of the failed ones leaves the others; of all takes all up to the position', async () => {
      await record()
      await send('msg_4')
      expect(await replay({ kind: 'failed', since: t0 })).toEqual({ due: 2, next: null })
      expect((await states()).map(([, state]) => state)).toEqual(['pending', 'pending', 'delivered'])
      expect(await replay({ kind: 'all', since: t0 })).toEqual({ due: 3, next: null })
      expect((await states()).map(([, state]) => state)).toEqual(['pending', 'pending', 'pending'])
    })

    test('of all takes what was delivered while an earlier attempt hangs, and nothing that came after it began', async () => {
      await record()
      await send('msg_4', 'msg_5')
      const { events } = await db.read.events({ workspaceId: 'ws_1', after: seqs[2] ?? 0, limit: 9 })
      const [hangs = 0, behind = 0] = events.map(({ seq }) => seq)
      await db.write('recordAttempts', { endpointId: 'hook_1', position: hangs - 1, outcomes: [outcome(behind)] })
      const all = { kind: 'all', since: t0 } as const
      expect(await replay(all, { after: 0, upTo: hangs })).toEqual({ due: 3, next: null })
      expect((await states())[0]).toEqual([behind, 'delivered', null])
      expect(await replay(all)).toEqual({ due: 4, next: null })
      expect((await states())[0]).toEqual([behind, 'pending', at])
    })

    test('of the failed ones takes those that wait for another try: a receiver that was mended need not wait', async () => {
      const later = at + hourMs
      await db.write('recordAttempts', {
        endpointId: 'hook_1',
        position: seqs[1] ?? 0,
        outcomes: [
          outcome(seqs[0] ?? 0, { state: 'pending', nextAt: later }),
          outcome(seqs[1] ?? 0, { state: 'failed' }),
        ],
      })
      expect((await states()).map(([, , nextAt]) => nextAt)).toEqual([null, later])
      // What was never tried is none of them.
      await replay({ kind: 'event', seq: seqs[2] ?? 0 })
      expect(await replay({ kind: 'failed', since: t0 })).toEqual({ due: 2, next: null })
      expect((await states()).map(([, , nextAt]) => nextAt)).toEqual([at, at, at])
    })

    test('since a time leaves earlier events out; since the future, all', async () => {
      await record()
      const late = t0 + 900_000
      await db.write('acceptMessage', draft({ id: 'msg_late' }))
      await db.write('recordEvent', accepted('msg_late', 'wamid.late', late))
      const { events } = await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 9 })
      const last = events.at(-1)?.seq ?? 0
      await db.write('recordAttempts', { endpointId: 'hook_1', position: last, outcomes: [outcome(last)] })
      expect(await replay({ kind: 'all', since: late })).toEqual({ due: 1, next: null })
      expect((await states())[0]).toEqual([last, 'pending', at])
      expect(await replay({ kind: 'failed', since: late })).toEqual({ due: 0, next: null })
      expect(await replay({ kind: 'all', since: late + 1 })).toEqual({ due: 0, next: null })
    })

    test('since a time finds what a clock has recorded that was ahead, and leaves out what was recorded since it was set back', async () => {
      await record()
      const ahead = t0 + 26 * hourMs
      for (const [id, when] of [
        ['msg_ahead', ahead],
        ['msg_back', t0 + 200],
        ['msg_later', t0 + 300],
      ] as const) {
        await db.write('acceptMessage', draft({ id }))
        await db.write('recordEvent', accepted(id, `wamid.${id}`, when))
      }
      const { events } = await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 99 })
      const seq = events.find(({ message, type }) => message?.id === 'msg_ahead' && type === 'message.sent')?.seq
      await db.write('recordAttempts', { endpointId: 'hook_1', position: events.at(-1)?.seq ?? 0, outcomes: [] })
      expect(await replay({ kind: 'all', since: ahead })).toEqual({ due: 1, next: null })
      expect((await states()).filter(([, state]) => state === 'pending')).toEqual([[seq ?? 0, 'pending', at]])
    })

    test('goes in bounded steps, and leaves out what does not concern the endpoint', async () => {
      await db.write('recordInbound', { channelId: 'chan_1', messages: [inbound()], recordedAt: t0 + 300 })
      await db.write('changeWebhook', { endpointId: 'hook_1', types: ['message.received'], at })
      const last = await db.read.lastEvent('ws_1')
      await db.write('recordAttempts', { endpointId: 'hook_1', position: last, outcomes: [] })
      let after: ReplayPlace | null = null
      let due = 0
      do {
        const step: { due: number; next: ReplayPlace | null } = await replay({ kind: 'all', since: t0 }, after)
        after = step.next
        due += step.due
      } while (after !== null)
      expect(due).toBe(1)
      expect((await states()).map(([seq]) => seq)).toEqual([last])
    })
  })
}

const never = (): never => {
  throw new Error('there is an open endpoint')
}
