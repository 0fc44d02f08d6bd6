import { describe, expect, test } from 'bun:test'
import type { Contact, Inbound } from '../../../db/contract/records.ts'
import { engineOf } from '../../../db/postgres/engine.ts'
import { openPool } from '../../../db/postgres/open.ts'
import { storeReads } from '../../../db/postgres/store.ts'
import { callbackVerbs, inTransactions } from '../../../db/postgres/writes.ts'
import { inbox } from '../../../db/rules/contacts.ts'
import { hasPostgres } from '../../postgres.ts'
import { randomOf } from '../../random.ts'
import { channel, inbound, openDatabase, seed, t0 } from '../fixtures.ts'
import { postgresDatabase } from './database.ts'
import { overlapping } from './overlap.ts'

describe.skipIf(!hasPostgres)('people on PostgreSQL', () => {
  const database = postgresDatabase()

  async function open() {
    const { pool, verbs } = database()
    await verbs.createWorkspace({ id: 'ws_1', name: 'Acme', monthlyMessageLimit: null, createdAt: t0 })
    await verbs.connectChannel(channel())
    const { recordInbound } = callbackVerbs(pool)
    const receive = (...messages: readonly Inbound[]) =>
      recordInbound({ channelId: 'chan_1', messages, recordedAt: t0 + 1_000 })
    return { pool, verbs, receive, recordInbound, read: storeReads(pool) }
  }

  test('who is who is as on SQLite and no opt-out is lost, whatever users and operators say, in any order', async () => {
    const { verbs, recordInbound, read } = await open()
    for (let round = 0; round < 12; round += 1) {
      const sqlite = openDatabase()
      await seed(sqlite)
      const random = randomOf(round + 1)
      const ids: string[] = []
      const workspaceId = `ws_r${round}`
      const channelId = `chan_r${round}`
      const workspace = { id: workspaceId, name: 'Acme', monthlyMessageLimit: null, createdAt: t0 }
      const connected = channel({ id: channelId, workspaceId })
      await sqlite.write('createWorkspace', workspace)
      await sqlite.write('connectChannel', connected)
      await verbs.createWorkspace(workspace)
      await verbs.connectChannel(connected)
      // In these rounds the upstream alone speaks, and its callbacks come in order: then it is known whose a number is.
      const isInOrder = round % 2 === 0
      const shown = new ShownNumbers()
      const optOuts: { readonly contactId: string; readonly kind: string; readonly at: number }[] = []
      for (let step = 0; step < 25; step += 1) {
        const id = `contact_${round}_${step}`
        ids.push(id)
        const isOptOut = random(8) === 0
        const isOperators = !isOptOut && random(8) === 0 && !isInOrder
        if (isOptOut) {
          const named = { phone: phoneOf(random), userId: userIdOf(random) }
          const at = t0 + (isInOrder && named.userId !== null ? step : random(30))
          const about = { of: 'contact', ...named, name: null, newContactId: id } as const
          const stop = { accountId: '100001', about, at, detail: { value: 'stop' } }
          const updates = [step, ''].map(own => ({ ...stop, kind: `user_preferences${own}` }))
          const contacts = await sqlite.read.contacts({ workspaceId, limit: 100 })
          const isKnown = contacts.some(({ phone, userId }) => phone === named.phone || userId === (named.userId ?? ''))
          const batch = { channelId, updates, recordedAt: t0 + step }
          const kept = await sqlite.write('keepUpdates', batch)
          if (isKnown) expect(kept).toBe(2)
          expect(await verbs.keepUpdates(batch)).toBe(kept)
          const kind = `user_preferences${step}`
          for (const contactId of ids) {
            if (!(await sqlite.read.updates(contactId)).some(update => update.kind === kind)) continue
            optOuts.push({ contactId, kind, at })
            const { userId = null } = (await sqlite.read.contactById(contactId)) ?? {}
            if (isInOrder && named.userId !== null) expect(userId).toBe(shown.newest(named.userId))
            shown.note({ from: { ...named, name: null, newContactId: id }, identityChange: null })
          }
        } else if (isOperators) {
          const contact = operatorsContact(random, { id, workspaceId, step })
          expect(await verbs.saveContact(contact)).toEqual(await sqlite.write('saveContact', contact))
        } else {
          const came = usersMessage(random, id, `${round} ${step}`)
          const message = isInOrder ? { ...came, at: t0 + step } : came
          const batch = { channelId, messages: [message], recordedAt: t0 + (isInOrder ? step + 1 : random(40)) }
          await sqlite.write('recordInbound', batch)
          await recordInbound(batch)
          shown.note(message)
        }
        if (isInOrder) {
          expect(shown.wrongOf(await sqlite.read.contacts({ workspaceId, limit: 100 }))).toEqual([])
        }
      }
      for (const { contactId, kind, at } of optOuts) {
        const stays = await read.contactById(contactId)
        const kept = new Map((await read.updates(stays?.id ?? '')).map(update => [update.kind, update.at]))
        expect(kept.get(kind)).toBe(at)
        expect(kept.get('user_preferences')).toBeGreaterThanOrEqual(at)
      }
      expect(await read.contacts({ workspaceId, limit: 100 })).toEqual(
        await sqlite.read.contacts({ workspaceId, limit: 100 }),
      )
      for (const contactId of ids) {
        expect(await read.contactById(contactId)).toEqual(await sqlite.read.contactById(contactId))
        const history = (entries: readonly { channelMessageId: string }[]) =>
          entries.map(({ channelMessageId }) => channelMessageId).sort()
        expect(history(await read.inbound({ contactId, limit: 100 }))).toEqual(
          history(await sqlite.read.inbound({ contactId, limit: 100 })),
        )
      }
      sqlite.close()
    }
  })

  test('of messages that come to several instances at once, all are kept, and their users are one contact each', async () => {
    const { read } = await open()
    const pools = [0, 1, 2].map(() => openPool(database().url))
    const instances = pools.map(pool => ({ ...inTransactions(pool), ...callbackVerbs(pool) }))
    const sent = Array.from({ length: 90 }, (_, n) => ({
      channelMessageId: `wamid.${n}`,
      from: {
        phone: `+4930${n % 5}`,
        userId: n % 2 === 0 ? `DE.${n % 5}` : null,
        name: null,
        newContactId: `contact_${n}`,
      },
      at: t0,
    }))
    await Promise.all([
      ...sent.map((message, n) =>
        instances[n % 3]?.recordInbound({ channelId: 'chan_1', messages: [inbound(message)], recordedAt: t0 }),
      ),
      // Each of them comes again to another instance.
      ...sent.map((message, n) =>
        instances[(n + 1) % 3]?.recordInbound({ channelId: 'chan_1', messages: [inbound(message)], recordedAt: t0 }),
      ),
      ...sent
        .slice(0, 20)
        .map(({ from }, n) =>
          instances[n % 3]?.saveContact({ ...contact, id: `contact_operator_${n}`, phone: from.phone }),
        ),
    ])
    await Promise.all(pools.map(pool => pool.close()))
    const people = await read.contacts({ workspaceId: 'ws_1', limit: 100 })
    expect(people.map(({ phone, userId }) => `${phone} ${userId}`).sort()).toEqual(
      [0, 1, 2, 3, 4].map(n => `+4930${n} DE.${n}`),
    )
    const kept = await Promise.all(people.map(({ id }) => read.inbound({ contactId: id, limit: 100 })))
    expect(kept.flat()).toHaveLength(90)
  })

  test('who is known under two spellings is one contact with its stop, whatever three instances are told at once', async () => {
    const { read } = await open()
    const pools = [0, 1, 2].map(() => openPool(database().url))
    const instances = pools.map(pool => ({ ...inTransactions(pool), ...callbackVerbs(pool) }))
    const random = randomOf(7)
    const people = [0, 1, 2, 3, 4].map(n => ({ number: `+549110${n}`, spelling: `+54110${n}`, userId: `AR.${n}` }))
    const at = t0
    const steps = people.flatMap(({ number, spelling, userId }, n) => {
      const from = (phone: string, id: string, user: string | null) => ({
        ...{ phone, userId: user, name: null, newContactId: `contact_${id}_${n}` },
      })
      const about = { of: 'contact', ...from(spelling, 'stop', null) } as const
      const stop = { accountId: '100001', about, at, detail: { value: 'stop' }, kind: 'user_preferences' }
      const news = { at, from: from(number, 'told', userId), identityChange: null, upstreamPhoneId: null }
      const batch = { channelId: 'chan_1', recordedAt: t0 }
      const message = (id: string, phone: string, user: string | null) =>
        inbound({ channelMessageId: `wamid.${id}.${n}`, at, from: from(phone, id, user) })
      return [
        (verbs: (typeof instances)[number]) => verbs.keepUpdates({ ...batch, updates: [stop] }),
        (verbs: (typeof instances)[number]) => verbs.followIdentities({ ...batch, changes: [news] }),
        (verbs: (typeof instances)[number]) =>
          verbs.keepSpelling({ workspaceId: 'ws_1', spelling, number, at: t0 + 1, recordedAt: t0 + 1 }),
        (verbs: (typeof instances)[number]) =>
          verbs.recordInbound({ ...batch, messages: [message('number', number, userId)] }),
        (verbs: (typeof instances)[number]) =>
          verbs.recordInbound({ ...batch, messages: [message('spelling', spelling, null)] }),
      ]
    })
    // Each comes twice, to any of the instances.
    const shuffled = [...steps, ...steps].map(step => ({ step, place: random(1_000) }))
    shuffled.sort((one, other) => one.place - other.place)
    await Promise.all(
      shuffled.flatMap(({ step }) => {
        const verbs = instances[random(3)]
        return verbs ? [step(verbs)] : []
      }),
    )
    await Promise.all(pools.map(pool => pool.close()))
    const known = await read.contacts({ workspaceId: 'ws_1', limit: 100 })
    expect(new Set(known.map(({ phone, userId }) => `${phone} ${userId}`))).toEqual(
      new Set(people.map(({ number, userId }) => `${number} ${userId}`)),
    )
    for (const { id } of known) {
      expect(await read.updates(id)).toMatchObject([{ detail: { value: 'stop' } }])
      expect(await read.inbound({ contactId: id, limit: 9 })).toHaveLength(2)
    }
  })

  test('an opt-out that comes while its contact is merged is that of the contact that stays', async () => {
    const { verbs, read } = await open()
    await verbs.saveContact({ ...contact, id: 'contact_1', phone: '+49301' })
    await verbs.saveContact({ ...contact, id: 'contact_2', phone: '+49302', createdAt: t0 + 1 })
    const moved = inbound({
      from: { phone: '+49302', userId: null, name: null, newContactId: 'contact_3' },
      identityChange: { formerPhone: '+49301', formerUserId: null },
    })
    const optOut = {
      accountId: '100001',
      about: { of: 'contact', phone: '+49302', userId: null, name: null, newContactId: 'contact_new' },
      kind: 'user_preferences',
      at: t0,
      detail: { value: 'stop' },
    } as const
    await overlapping(
      database(),
      'read committed',
      connection => inbox(engineOf(connection), true)([{ channelId: 'chan_1', messages: [moved], recordedAt: t0 }]),
      other => other.keepUpdates({ channelId: 'chan_1', updates: [optOut], recordedAt: t0 }),
    )
    expect(await read.contactById('contact_2')).toMatchObject({ id: 'contact_1' })
    expect(await read.updates('contact_1')).toMatchObject([{ kind: 'user_preferences' }])
  })

  test('texts that PostgreSQL cannot keep cost no callback, and a repeated one is kept once', async () => {
    const { verbs, receive, read } = await open()
    const content = { text: { body: 'a\0b \ud83d' } }
    const strange = inbound({
      channelMessageId: 'wamid.\0\ud83d',
      kind: 'te\0xt',
      from: { phone: '+49301', userId: 'DE.\0', name: 'A\0da \udc00', newContactId: 'contact_1' },
      upstreamPhoneId: '1\0',
      flowReply: { flowToken: 't\0', openedBy: 'wamid.\0' },
      content: JSON.stringify(content),
    })
    await receive(strange, strange)
    await receive(strange)
    await receive({ ...strange, channelMessageId: 'wamid.2' })
    expect(await read.contacts({ workspaceId: 'ws_1', limit: 9 })).toMatchObject([
      { id: 'contact_1', phone: '+49301', userId: 'DE.\uFFFD', name: 'A\uFFFDda \uFFFD' },
    ])
    expect((await read.inbound({ contactId: 'contact_1', limit: 9 })).map(entry => entry.content)).toEqual([
      content,
      content,
    ])
    const { from, at, upstreamPhoneId } = strange
    const identityChange = { formerPhone: null, formerUserId: 'DE.\0' }
    const change = { at, upstreamPhoneId, from: { ...from, userId: 'DE.\ud83d2', username: 'a\0da' }, identityChange }
    await verbs.followIdentities({ channelId: 'chan_1', changes: [change], recordedAt: t0 })
    expect(await read.contacts({ workspaceId: 'ws_1', limit: 9 })).toMatchObject([
      { id: 'contact_1', userId: 'DE.\uFFFD2', username: 'a\uFFFDda' },
    ])
  })

  test('a callback for a channel that is gone fails alone', async () => {
    const { recordInbound, read } = await open()
    const batch = { channelId: 'chan_1', messages: [inbound()], recordedAt: t0 }
    const [lost, stored] = await Promise.allSettled([
      recordInbound({ ...batch, channelId: 'chan_9' }),
      recordInbound(batch),
    ])
    expect([lost?.status, stored?.status]).toEqual(['rejected', 'fulfilled'])
    expect(await read.inbound({ contactId: 'contact_1', limit: 9 })).toHaveLength(1)
  })
})

const contact: Contact = {
  id: 'contact_1',
  workspaceId: 'ws_1',
  phone: null,
  userId: null,
  name: null,
  username: null,
  createdAt: t0,
  updatedAt: t0,
  blockedOn: [],
}

/** With whom the upstream has shown each number last. */
class ShownNumbers {
  /** By number; null of a person whom the upstream named by numbers alone. */
  readonly #people = new Map<string, string | null>()
  /** User ids that were left, each with one that the same person had after it. */
  readonly #newer = new Map<string, string>()

  note({ from, identityChange }: Pick<Inbound, 'from' | 'identityChange'>): void {
    const former = identityChange?.formerUserId ?? null
    if (former !== null && from.userId !== null) this.#follow(former, from.userId)
    // What is told of an id that was left says nothing of numbers.
    if (from.userId !== null && this.newest(from.userId) !== from.userId) return
    const phone = from.phone ?? identityChange?.formerPhone
    const userId = from.userId ?? former
    if (phone != null && (userId !== null || identityChange)) this.#people.set(phone, userId)
  }

  /** @returns the contacts that have a number which was last shown with another person */
  wrongOf(contacts: readonly Contact[]): Contact[] {
    return contacts.filter(({ phone, userId }) => {
      const person = phone === null ? null : this.#people.get(phone)
      return person != null && userId !== null && this.newest(userId) !== this.newest(person)
    })
  }

  #follow(former: string, current: string): void {
    const [before, since] = [this.newest(former), this.newest(current)]
    if (before !== since) this.#newer.set(before, since)
    // The person has an earlier id again.
    else if (before === former && former !== current) {
      this.#newer.delete(current)
      this.#newer.set(former, current)
    }
  }

  newest(userId: string): string {
    const newer = this.#newer.get(userId)
    return newer === undefined ? userId : this.newest(newer)
  }
}

const phoneOf = (random: (max: number) => number) => ['+49301', '+49302', '+49303'][random(3)] ?? null
const userIdOf = (random: (max: number) => number) => ['DE.1', 'DE.2', 'DE.3', null, null][random(5)] ?? null

function operatorsContact(
  random: (max: number) => number,
  { id, workspaceId, step }: { id: string; workspaceId: string; step: number },
): Contact {
  const person = { phone: phoneOf(random), userId: userIdOf(random), name: `Operator ${step}` }
  return { ...contact, ...person, id, workspaceId, createdAt: t0 + step, updatedAt: t0 + step }
}

function usersMessage(random: (max: number) => number, newContactId: string, suffix: string): Inbound {
  const userId = userIdOf(random)
  const from = { phone: userId !== null && random(3) === 0 ? null : phoneOf(random), userId, newContactId }
  const isChange = random(3) === 0
  return inbound({
    channelMessageId: `wamid.${suffix}`,
    at: t0 + random(30),
    upstreamPhoneId: null,
    from: { ...from, name: random(2) === 0 ? `Name ${suffix}` : null },
    identityChange: isChange ? { formerPhone: phoneOf(random), formerUserId: userIdOf(random) } : null,
  })
}
