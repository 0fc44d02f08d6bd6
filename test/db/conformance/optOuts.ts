import { beforeEach, describe, expect, test } from 'bun:test'
import type { Inbound } from '../../../db/contract/records.ts'
import { digestOf } from '../../../src/message/forgotten.ts'
import { ownMarketingKind } from '../../../src/message/kinds.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { inbound, t0 } from '../fixtures.ts'

const phone = '+4930123456'
const second = 1_000
const byMember = { kind: 'member', word: null, by: 'Ada' } as const

export function optOutsSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  let messages = 0
  beforeEach(() => {
    messages = 0
  })

  /** The person says something, so many seconds after the beginning. */
  const says = (said: string | null, at = 0, fields: Partial<Inbound> = {}) => {
    messages += 1
    const message = inbound({ channelMessageId: `wamid.${messages}`, at: t0 + at * second, said, ...fields })
    const recordedAt = t0 + 3_600 * second
    return db.write('recordInbound', { channelId: 'chan_1', messages: [message], recordedAt })
  }
  const isOut = (address = phone, workspaceId = 'ws_1') => db.read.optedOut({ workspaceId, address })
  const told = async () =>
    (await db.read.events({ workspaceId: 'ws_1', after: 0, limit: 99 })).events.flatMap(({ type, data }) =>
      type === 'contact.preference_changed' ? [data?.preference] : [],
    )
  const own = async (contactId = 'contact_1') =>
    (await db.read.updates(contactId)).find(({ kind }) => kind === ownMarketingKind)
  const byWord = (value: string, word: string) => ({
    ...{ category: 'marketing_messages', value, detail: null },
    source: { kind: 'word', word, by: null },
  })
  const wish = (value: 'stop' | 'resume', at = 0, contactId = 'contact_1', workspaceId = 'ws_1') =>
    db.write('setWish', { workspaceId, contactId, value, source: byMember, at: t0 + at * second })

  describe('opting out by a word', () => {
    test('is kept with the word and its message, told once, and taken back by another word', async () => {
      await says('hello')
      expect([await isOut(), await told()]).toEqual([false, []])
      await says('stop', 1)
      await says('parar', 2)
      expect(await isOut()).toBe(true)
      expect(await own()).toMatchObject({
        at: t0 + 2 * second,
        detail: { value: 'stop', source: { kind: 'word', word: 'PARAR' }, since: digestOf('wamid.2') },
      })
      expect(await told()).toEqual([byWord('stop', 'STOP')])
      await says('start', 3)
      expect([await isOut(), await told()]).toEqual([false, [byWord('stop', 'STOP'), byWord('resume', 'START')]])
    })

    test('a repeated callback, and words that come in another order, change nothing that was said later', async () => {
      await says('stop', 10)
      await says('start', 20)
      await says('stop', 10, { channelMessageId: 'wamid.1' })
      await says('stop', 15)
      expect([await isOut(), (await told()).length]).toEqual([false, 2])
      // The one that takes it back may come before the other.
      const from = { phone: '+4930777', userId: null, name: null, newContactId: 'contact_2' }
      await says('start', 20, { from })
      await says('stop', 10, { from })
      expect(await isOut('+4930777')).toBe(false)
    })

    test('a clock that is ahead does not make it the last word for ever', async () => {
      await says('stop', 10_000_000)
      await says('start', 3_600)
      expect(await isOut()).toBe(false)
    })

    test('a stop counts that is of the same second as an opt-in by hand', async () => {
      await says('stop', 1)
      await wish('resume', 5.9)
      await says('stop', 4)
      expect(await isOut()).toBe(false)
      await says('stop', 5)
      expect(await isOut()).toBe(true)
    })

    test('each workspace has its own words', async () => {
      expect(await db.write('setOptOuts', { workspaceId: 'ws_none', stopWords: [] })).toBeNull()
      expect(await db.write('setQuietHours', { workspaceId: 'ws_none', quietHours: null })).toBeNull()
      const changed = await db.write('setOptOuts', { workspaceId: 'ws_1', stopWords: ['Basta'] })
      expect(changed).toMatchObject({ stopWords: ['Basta'], startWords: null, onOptOut: 'refuse', optOutAnswer: null })
      await says('stop', 1)
      expect(await isOut()).toBe(false)
      await says('basta', 2)
      expect(await isOut()).toBe(true)
    })
  })

  test('quiet hours are read with what else decides on a send, and are taken away', async () => {
    const quietHours = {
      ...{ from: '20:00', to: '08:00', days: [1, 7] as const, timeZone: 'Europe/Berlin' },
      categories: ['MARKETING'] as const,
    }
    const plan = async () => (await db.read.plan({ workspaceId: 'ws_1', month: '2026-01' })).quietHours
    expect(await db.write('setQuietHours', { workspaceId: 'ws_1', quietHours })).toMatchObject({ quietHours })
    expect(await plan()).toEqual(quietHours)
    const key = await db.read.sendingKey({ keyId: 'pk_seed', month: '2026-01', isAnew: true })
    expect(key?.settings?.plan.quietHours ?? quietHours).toEqual(quietHours)
    await db.write('setQuietHours', { workspaceId: 'ws_1', quietHours: null })
    expect(await plan()).toBeNull()
  })

  describe('who has opted out', () => {
    test('is found by the number, in each spelling of it, and by the user id; in its workspace alone', async () => {
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      await says('stop', 0, { from: { phone, userId: 'DE.1', name: null, newContactId: 'contact_1' } })
      const spelt = { workspaceId: 'ws_1', spelling: '+493012345', number: phone, at: t0, recordedAt: t0 }
      await db.write('keepSpelling', spelt)
      expect(await Promise.all([isOut(), isOut('+493012345'), isOut('DE.1')])).toEqual([true, true, true])
      expect(await Promise.all([isOut('+4930'), isOut('DE.2'), isOut(phone, 'ws_2')])).toEqual([false, false, false])
    })

    test('is so by the platform or here: each is taken back by itself', async () => {
      await says('hello')
      const about = { of: 'contact', phone, userId: null, name: null, newContactId: 'contact_9' } as const
      const preference = async (value: string, at: number) => {
        const detail = { category: 'marketing_messages', value }
        const update = { accountId: null, about, kind: 'user_preferences marketing_messages', at, detail }
        await db.write('keepUpdates', { channelId: 'chan_1', updates: [update], recordedAt: t0 })
      }
      await preference('stop', t0)
      await says('start', 1)
      expect(await isOut()).toBe(true)
      await says('stop', 2)
      await preference('resume', t0 + second)
      expect(await isOut()).toBe(true)
      await says('start', 3)
      expect(await isOut()).toBe(false)
    })

    test('stays so when contacts are merged, and the later word counts', async () => {
      await says('stop', 5)
      const other = { phone: null, userId: 'DE.1', name: null, newContactId: 'contact_2' }
      await says('start', 1, { from: other })
      await says(null, 6, { from: { phone, userId: 'DE.1', name: null, newContactId: 'contact_3' } })
      expect(await Promise.all([isOut(), isOut('DE.1')])).toEqual([true, true])
      expect(await wish('resume', 9, 'contact_2')).toMatchObject({ contact: { id: 'contact_1' } })
      expect(await isOut()).toBe(false)
    })

    test('is forgotten with the contact', async () => {
      await says('stop')
      await db.write('forgetContact', { contactId: 'contact_1', at: t0 })
      expect([await isOut(), await own()]).toEqual([false, undefined])
      expect([await wish('stop', 1), await own()]).toEqual([null, undefined])
    })
  })

  describe('a wish in the place of a person', () => {
    test('is kept with who said so, and told when it changes something', async () => {
      await says('hello')
      expect(await wish('stop')).toMatchObject({ contact: { id: 'contact_1', phone }, isChanged: true })
      expect(await wish('stop', 1)).toMatchObject({ isChanged: false })
      expect(await isOut()).toBe(true)
      expect(await told()).toEqual([{ category: 'marketing_messages', value: 'stop', detail: null, source: byMember }])
      expect(await own()).toMatchObject({ detail: { since: null } })
      await wish('resume', 2)
      expect([await isOut(), (await told()).length]).toEqual([false, 2])
    })

    test('is of a contact of the workspace alone', async () => {
      await says('hello')
      await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
      expect([await wish('stop', 0, 'contact_1', 'ws_2'), await wish('stop', 0, 'contact_0')]).toEqual([null, null])
      expect(await isOut()).toBe(false)
    })
  })
}
