import { beforeEach, describe, expect, test } from 'bun:test'
import type { Contact } from '../../../db/contract/records.ts'
import type { ToldUpdate } from '../../../db/contract/updates.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { channel, inbound, t0, template } from '../fixtures.ts'

export function updatesSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  beforeEach(async () => {
    await db.write('replaceTemplates', { channelId: 'chan_1', templates: [template()], at: t0, recordedAt: t0 })
    await db.write('recordInbound', { channelId: 'chan_1', messages: [inbound()], recordedAt: t0 })
  })

  const update = (about: ToldUpdate['about'], fields: Partial<ToldUpdate> = {}): ToldUpdate => ({
    accountId: '100001',
    about,
    kind: 'quality',
    at: t0,
    detail: { event: 'ONE' },
    ...fields,
  })
  const person = (phone: string | null, userId: string | null, newContactId = 'contact_new') =>
    ({ of: 'contact', phone, userId, name: null, newContactId }) as const
  const keep = (channelId: string, ...updates: ToldUpdate[]) =>
    db.write('keepUpdates', { channelId, updates, recordedAt: t0 + 1 })

  describe('updates of the upstream', () => {
    test('are kept for what they are about: account, line, template, contact', async () => {
      const kept = await keep(
        'chan_1',
        update({ of: 'account' }),
        update({ of: 'line', number: '+15550783881' }),
        update({ of: 'template', name: 'order_confirmation', language: 'en-US' }),
        update(person('+4930123456', null)),
      )
      expect(kept).toBe(4)
      for (const subject of ['chan_1', 'line_1', 'tpl_1', 'contact_1']) {
        expect(await db.read.updates(subject)).toEqual([{ kind: 'quality', at: t0, detail: { event: 'ONE' } }])
      }
    })

    const user = (fields: Partial<Contact>) => ({
      ...{ workspaceId: 'ws_1', phone: null, userId: null, name: null, createdAt: t0, updatedAt: t0 },
      ...{ id: 'contact_user', userId: 'DE.7' },
      ...fields,
    })

    test('of a user that was known as two contacts make one of them, of which the update is kept', async () => {
      await db.write('saveContact', user({}))
      const told = update(person('+4930123456', 'DE.7'))
      expect(await keep('chan_1', told, told)).toBe(2)
      const contacts = await db.read.contacts({ workspaceId: 'ws_1', limit: 9 })
      expect(contacts).toMatchObject([{ id: 'contact_1', phone: '+4930123456', userId: 'DE.7' }])
      expect(await db.read.updates('contact_1')).toHaveLength(1)
      expect(await db.read.contactById('contact_user')).toMatchObject({ id: 'contact_1' })
    })

    test('of a user whose number another one had are the user’s, and so is the number', async () => {
      const former = { phone: '+4930777', userId: 'DE.8' }
      for (const one of [user({}), user({ ...former, id: 'contact_former' })]) await db.write('saveContact', one)
      expect(await keep('chan_1', update(person(former.phone, 'DE.7')))).toBe(1)
      expect(await db.read.updates('contact_former')).toEqual([])
      expect(await db.read.updates('contact_user')).toHaveLength(1)
      expect(await db.read.contactById('contact_user')).toMatchObject({ phone: former.phone, userId: 'DE.7' })
      expect(await db.read.contactById('contact_former')).toMatchObject({ phone: null, userId: 'DE.8' })
    })

    test('of a user whom nobody knows, with another’s number, make a contact with it, whom later words find', async () => {
      await db.write('saveContact', user({ phone: '+4930777', name: 'Bob' }))
      const told = update(person('+4930777', 'DE.8'))
      expect(await keep('chan_1', told, told)).toBe(2)
      expect(await db.read.updates('contact_user')).toEqual([])
      expect(await db.read.contactById('contact_user')).toMatchObject({ phone: null, userId: 'DE.7', name: 'Bob' })
      expect(await db.read.updates('contact_new')).toHaveLength(1)
      expect(await db.read.contactById('contact_new')).toMatchObject({ phone: '+4930777', userId: 'DE.8', name: null })
      // It was the same person all along.
      const from = { phone: '+4930777', userId: 'DE.8', name: null, newContactId: 'contact_9' }
      const news = { at: t0 + 1, from, identityChange: { formerPhone: null, formerUserId: 'DE.7' } }
      const changes = [{ ...news, upstreamPhoneId: null }]
      await db.write('followIdentities', { channelId: 'chan_1', changes, recordedAt: t0 + 1 })
      expect(await db.read.contactById('contact_new')).toMatchObject({ id: 'contact_user', userId: 'DE.8' })
      expect(await db.read.updates('contact_user')).toHaveLength(1)
    })

    const wrote = (at: number, phone: string | null, userId: string | null, newContactId: string) => {
      const from = { phone, userId, name: newContactId, newContactId }
      const messages = [inbound({ channelMessageId: `wamid.${newContactId}`, at, from })]
      return db.write('recordInbound', { channelId: 'chan_1', messages, recordedAt: at })
    }

    test.each([['DE.8'], [null]])('of a user are not those of %p, who has the number since', async holder => {
      await wrote(t0, null, 'DE.7', 'contact_user')
      await wrote(t0 + 9, '+4930777', holder, 'contact_since')
      expect(await keep('chan_1', update(person('+4930777', 'DE.7'), { at: t0 + 5 }))).toBe(1)
      expect(await db.read.updates('contact_since')).toEqual([])
      expect(await db.read.updates('contact_user')).toHaveLength(1)
      expect(await db.read.contactById('contact_user')).toMatchObject({ phone: null })
      const since = { phone: '+4930777', userId: holder, name: 'contact_since' }
      expect(await db.read.contactById('contact_since')).toMatchObject(since)
    })

    test('that come late of a user whom nobody knows make a contact without the number', async () => {
      await wrote(t0 + 9, '+4930777', 'DE.7', 'contact_user')
      expect(await keep('chan_1', update(person('+4930777', 'DE.8'), { at: t0 + 5 }))).toBe(1)
      expect(await db.read.updates('contact_user')).toEqual([])
      expect(await db.read.contactById('contact_user')).toMatchObject({ phone: '+4930777' })
      expect(await db.read.updates('contact_new')).toHaveLength(1)
      expect(await db.read.contactById('contact_new')).toMatchObject({ phone: null, userId: 'DE.8' })
    })

    test('name the user of a number that had none, so that they stay with the user', async () => {
      expect(await keep('chan_1', update(person('+4930123456', 'DE.7')))).toBe(1)
      await wrote(t0 + 9, '+4930777', 'DE.7', 'contact_9')
      expect(await db.read.contactById('contact_1')).toMatchObject({ phone: '+4930777', userId: 'DE.7' })
      expect(await db.read.updates('contact_1')).toHaveLength(1)
    })

    test.each([[null], ['DE.7']])(
      'that come late of who left the number (%p) are not of who has it now',
      async userId => {
        await wrote(t0, '+4930777', null, 'contact_user')
        const from = { phone: '+4930888', userId: null, name: null, newContactId: 'contact_9' }
        const identityChange = { formerPhone: '+4930777', formerUserId: null }
        const messages = [
          inbound({ channelMessageId: 'wamid.moved', kind: 'system', at: t0 + 8, from, identityChange }),
        ]
        await db.write('recordInbound', { channelId: 'chan_1', messages, recordedAt: t0 + 8 })
        await wrote(t0 + 9, '+4930777', 'DE.8', 'contact_since')
        expect(await keep('chan_1', update(person('+4930777', userId), { at: t0 + 5 }))).toBe(1)
        expect(await db.read.updates('contact_since')).toEqual([])
        expect(await db.read.updates('contact_user')).toHaveLength(1)
        expect(await db.read.contactById('contact_user')).toMatchObject({ phone: '+4930888', userId })
      },
    )

    test('of a line by its upstream id are kept on it, those of another line on the account', async () => {
      const named = (upstreamPhoneId: string) => update({ of: 'namedLine', upstreamPhoneId }, { accountId: null })
      expect(await keep('chan_1', named('106540352242922'))).toBe(1)
      expect(await db.read.updates('line_1')).toHaveLength(1)
      expect(await db.read.updates('chan_1')).toEqual([])
      expect(await keep('chan_1', named('7'))).toBe(1)
      expect(await db.read.updates('chan_1')).toHaveLength(1)
    })

    test('of one subject are kept up to a hundred kinds, the last ones', async () => {
      const kinds = Array.from({ length: 110 }, (_, at) =>
        update({ of: 'account' }, { kind: `account_update ${at}`, at: t0 + at }),
      )
      expect(await keep('chan_1', ...kinds)).toBe(110)
      const kept = (await db.read.updates('chan_1')).map(({ kind }) => kind)
      expect([kept.length, kept[0], kept.at(-1)]).toEqual([100, 'account_update 109', 'account_update 10'])
    })

    test('about anything unknown are left out', async () => {
      const kept = await keep(
        'chan_1',
        update({ of: 'account' }, { accountId: '9' }),
        update({ of: 'line', number: '+1' }),
        update({ of: 'template', name: 'other', language: 'en_US' }),
        update(person(null, null)),
      )
      expect(kept).toBe(0)
      expect(await keep('chan_9', update({ of: 'account' }))).toBe(0)
    })

    test('of another workspace’s channel say nothing of ours', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await db.write('connectChannel', channel({ id: 'chan_2', workspaceId: 'ws_2', accountId: '100002' }))
      expect(await keep('chan_2', update({ of: 'account' }))).toBe(0)
    })

    test('about an account that was connected again are kept for the channel that is there', async () => {
      await db.write('removeLine', { lineId: 'line_1', at: t0 })
      await db.write('disconnectChannel', { channelId: 'chan_1', at: t0 })
      await db.write('connectChannel', channel({ id: 'chan_2' }))
      expect(await keep('chan_2', update({ of: 'account' }))).toBe(1)
      expect(await db.read.updates('chan_2')).toHaveLength(1)
    })

    test('the last of each kind stays, in whatever order they come, newest first', async () => {
      const said = (kind: string, at: number, event: string) =>
        keep('chan_1', update({ of: 'account' }, { kind, at, detail: { event } }))
      await said('quality', t0 + 5, 'NEW')
      await said('quality', t0 + 1, 'OLD')
      await said('review', t0 + 9, 'OTHER')
      await said('quality', t0 + 5, 'SAME TIME')
      expect(await db.read.updates('chan_1')).toEqual([
        { kind: 'review', at: t0 + 9, detail: { event: 'OTHER' } },
        { kind: 'quality', at: t0 + 5, detail: { event: 'SAME TIME' } },
      ])
    })
  })

  test('when a callback was accepted and refused last is kept, in whatever order that is told', async () => {
    expect(await db.read.callbackReceipts()).toEqual([])
    const note = (at: number, refusal: 'unsigned' | 'wrongSignature' | null) =>
      db.write('noteCallback', { channelId: 'chan_1', at, refusal })
    await note(t0 + 5, 'unsigned')
    await note(t0 + 3, 'wrongSignature')
    expect(await db.read.callbackReceipts()).toEqual([
      { channelId: 'chan_1', acceptedAt: null, refusedAt: t0 + 5, refusal: 'unsigned' },
    ])
    await note(t0 + 9, null)
    await note(t0 + 4, null)
    await note(t0 + 6, 'wrongSignature')
    expect(await db.read.callbackReceipts()).toEqual([
      { channelId: 'chan_1', acceptedAt: t0 + 9, refusedAt: t0 + 6, refusal: 'wrongSignature' },
    ])
  })
}
