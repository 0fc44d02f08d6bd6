import { describe, expect, test } from 'bun:test'
import { freshSeeded, type OpenStore } from '../engines.ts'
import {
  accepted,
  acceptedToLeave,
  draft,
  inbound,
  line,
  recorded,
  refused,
  report,
  t0,
  used,
  withKey,
} from '../fixtures.ts'

/** What holds when many ask at once. */
export function concurrencySuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const numbers = (length: number) => Array.from({ length }, (_, n) => n)
  const accept = (fields: Parameters<typeof draft>[0]) => db.write('acceptMessage', draft(fields))
  const outcomeOf = (name: string) => (answer: { readonly outcome: string }) => answer.outcome === name

  describe('sends', () => {
    test('50 with one idempotency key are one message, which the others replay', async () => {
      const answers = await Promise.all(numbers(50).map(n => accept({ id: `msg_${n}`, ...withKey('k-1') })))
      expect(answers.filter(outcomeOf('accepted'))).toEqual([acceptedToLeave(db.unlimitedMs)])
      const first = answers.findIndex(outcomeOf('accepted'))
      const replayed = { outcome: 'replayed', messageId: `msg_${first}` }
      expect(answers.filter((_, n) => n !== first)).toEqual(Array(49).fill(replayed))
      expect(await used(db)).toBe(1)
      expect(await db.read.messages({ workspaceId: 'ws_1', limit: 100 })).toHaveLength(1)
    })

    test('with one key and two bodies are one message: one body is a conflict', async () => {
      const answers = await Promise.all(
        numbers(50).map(n => accept({ id: `msg_${n}`, ...withKey('k-1', n % 2 === 0 ? 'f1' : 'f2') })),
      )
      expect(answers.filter(outcomeOf('accepted'))).toHaveLength(1)
      expect(answers.filter(outcomeOf('replayed'))).toHaveLength(24)
      expect(answers.filter(outcomeOf('conflict'))).toHaveLength(25)
    })

    test('100 against a limit of 10 are exactly 10, and the others use up no key', async () => {
      await db.write('setMonthlyLimit', { workspaceId: 'ws_1', limit: 10 })
      const answers = await Promise.all(numbers(100).map(n => accept({ id: `msg_${n}`, ...withKey(`k-${n}`) })))
      expect(answers.filter(outcomeOf('accepted'))).toHaveLength(10)
      expect(answers.filter(outcomeOf('planExhausted'))).toEqual(
        Array(90).fill({ outcome: 'planExhausted', limit: 10, used: 10 }),
      )
      expect(await used(db)).toBe(10)
      const kept = await Promise.all(
        numbers(100).map(n => db.read.idempotencyKey({ workspaceId: 'ws_1', scope: 'pk_seed', key: `k-${n}`, at: t0 })),
      )
      expect(kept.map(key => key !== null)).toEqual(answers.map(outcomeOf('accepted')))
    })

    test('and refusals of others at the limit: what is given back is used once', async () => {
      await db.write('setMonthlyLimit', { workspaceId: 'ws_1', limit: 5 })
      for (const n of numbers(5)) await accept({ id: `msg_early${n}` })
      const answers = await Promise.all([
        ...numbers(5).map(n => db.write('recordEvent', refused(`msg_early${n}`))),
        ...numbers(20).map(n => accept({ id: `msg_${n}` })),
      ])
      const sent = answers
        .slice(5)
        .filter(answer => answer !== null && 'outcome' in answer && outcomeOf('accepted')(answer))
      expect(sent.length).toBeLessThanOrEqual(5)
      expect(await used(db)).toBe(sent.length)
    })

    test('on a line that is removed at the same time: either they wait and it stays, or it goes and they are refused', async () => {
      for (const n of numbers(10)) {
        const lineId = `line_x${n}`
        await db.write('addLine', line({ id: lineId, upstreamPhoneId: String(n) }))
        const [acceptance, removal] = await Promise.all([
          accept({ id: `msg_${n}`, lineId, dispatchedAt: null }),
          db.write('removeLine', { lineId, at: t0 }),
        ])
        const isAccepted = acceptance.outcome === 'accepted'
        expect([acceptance.outcome, removal.outcome]).toEqual(
          isAccepted ? ['accepted', 'waiting'] : ['lineRemoved', 'removed'],
        )
        expect((await db.read.line(lineId)) !== null).toBe(isAccepted)
      }
    })
  })

  describe('what is told of one message', () => {
    const statuses = ['sent', 'delivered', 'read'] as const
    const tell = (ids: readonly string[], at: number) =>
      ids.flatMap(id => {
        const wamid = `wamid.${id}`
        const callbacks = statuses.map((status, n) => {
          const reported = report(status, { messageId: null, channelMessageId: wamid, at: t0 + 1_000 * (n + 1) })
          return () => db.write('applyReports', { channelId: 'chan_1', reports: [reported], recordedAt: at })
        })
        return [() => db.write('recordEvent', accepted(id, wamid)), ...callbacks, ...callbacks]
      })

    test('the answer and all callbacks at once end as if they came in order, and each counts once', async () => {
      const ids = numbers(20).map(n => `msg_${n}`)
      for (const id of ids) await accept({ id })
      const calls = tell(ids, t0 + 5_000)
      // In an order of their own: forwards, and from the end.
      const mixed = calls
        .flatMap((call, at) => (at % 2 === 0 ? [call] : []))
        .concat(calls.filter((_, at) => at % 2 === 1).reverse())
      await Promise.all(mixed.map(call => call()))
      for (const id of ids) {
        expect(await db.read.message(id)).toMatchObject({
          status: 'READ',
          acceptedAt: t0 + 100,
          deliveredAt: t0 + 2_000,
          readAt: t0 + 3_000,
        })
        expect((await db.read.timeline(id)).map(({ kind }) => kind)).toEqual(['accepted', 'sent', 'delivered', 'read'])
      }
      const counts = await db.read.dailyCounts({ workspaceId: 'ws_1', since: '2026-01-01' })
      expect(counts.filter(({ count }) => count > 0)).toEqual([
        { day: '2026-01-01', kind: 'READ', count: 20 },
        { day: '2026-01-01', kind: 'within:2', count: 20 },
      ])
      expect(await db.rows('SELECT channel_message_id FROM parked_reports')).toEqual([])
    })

    test('a refusal and a callback at once: it gives back only what did not go out', async () => {
      for (const n of numbers(20)) {
        const id = `msg_${n}`
        await accept({ id, ...withKey(`k-${n}`) })
        await Promise.all([
          db.write('recordEvent', refused(id)),
          db.write('applyReports', {
            channelId: 'chan_1',
            reports: [report('delivered', { messageId: id, channelMessageId: `wamid.${id}` })],
            recordedAt: t0,
          }),
        ])
      }
      const given = await Promise.all(
        numbers(20).map(n => db.read.idempotencyKey({ workspaceId: 'ws_1', scope: 'pk_seed', key: `k-${n}`, at: t0 })),
      )
      expect(await used(db)).toBe(given.filter(key => key !== null).length)
      for (const n of numbers(20)) expect(await db.read.message(`msg_${n}`)).toMatchObject({ status: 'DELIVERED' })
    })

    test('two batches that name the same messages in opposite order both end', async () => {
      const ids = numbers(30).map(n => `msg_${n}`)
      for (const id of ids) await accept({ id })
      const delivered = ids.map(id => report('delivered', { messageId: id, channelMessageId: `wamid.${id}` }))
      const apply = (reports: typeof delivered) =>
        db.write('applyReports', { channelId: 'chan_1', reports, recordedAt: t0 })
      const answers = await Promise.all([apply(delivered), apply(delivered.toReversed()), apply(delivered)])
      for (const answer of answers) expect(answer).toEqual({ applied: 30, parked: 0, foreign: 0 })
    })
  })

  describe('waiting messages', () => {
    const ids = numbers(40).map(n => `msg_${String(n).padStart(2, '0')}`)

    test('none is left out when a process that starts claims them twice at once', async () => {
      for (const id of ids) await accept({ id, dispatchedAt: null })
      await db.restart()
      const claim = () => db.write('claimWaiting', { after: null, limit: 100 })
      const claimed = (await Promise.all([claim(), claim()])).flat().map(({ message }) => message.id)
      expect([...new Set(claimed)].sort()).toEqual(ids)
    })

    test('are handed over once, also when that is asked twice at once, and none of them is lost', async () => {
      for (const id of ids) await accept({ id, dispatchedAt: null })
      const handOver = () => db.write('handOverMessages', { messageIds: ids, at: t0 + 5 })
      const [one, other] = await Promise.all([handOver(), handOver()])
      for (const handOvers of [one, other]) {
        expect(handOvers?.handedOver.messageIds.toSorted()).toEqual(ids)
        expect([handOvers?.taken, handOvers?.overtaken]).toEqual([[], []])
      }
      const kinds = await Promise.all(ids.map(async id => (await db.read.timeline(id)).map(({ kind }) => kind)))
      expect(kinds).toEqual(ids.map(() => ['dispatched']))
      await db.restart()
      expect(await db.write('claimWaiting', { after: null, limit: 100 })).toEqual([])
    })

    test('that a callback overtakes while they are handed over end once', async () => {
      for (const id of ids) await accept({ id, dispatchedAt: null })
      const sent = ids.map(id => report('sent', { messageId: id, channelMessageId: `wamid.${id}` }))
      const [handOvers] = await Promise.all([
        db.write('handOverMessages', { messageIds: ids, at: t0 + 5 }),
        db.write('applyReports', { channelId: 'chan_1', reports: sent, recordedAt: t0 }),
      ])
      const told = [...handOvers.handedOver.messageIds, ...handOvers.overtaken].sort()
      expect(told).toEqual(ids)
      for (const id of ids) expect(await db.read.message(id)).toMatchObject({ status: 'SENT' })
    })

    test('are marked as interrupted once', async () => {
      for (const id of ids) await accept({ id })
      await db.restart()
      const counts = await Promise.all(numbers(5).map(() => db.write('markInterrupted', { at: t0 + 9 })))
      expect(counts.reduce((sum, count) => sum + count)).toBe(ids.length)
      expect(await db.read.unknownMessages()).toEqual({ count: ids.length, since: t0 + 9 })
    })

    test('are given up once', async () => {
      for (const id of ids) {
        await accept({ id })
        await db.write('recordEvent', recorded(id, { kind: 'lost', at: t0 }))
      }
      const giveUp = () => db.write('abandonUnknown', { lostBefore: t0 + 1, at: t0 + 9, reason: 'silence', limit: 100 })
      const counts = await Promise.all(numbers(5).map(giveUp))
      expect(counts.reduce((sum, count) => sum + count)).toBe(ids.length)
    })
  })

  describe('people', () => {
    const add = (id: string) => {
      const user = { id, email: `${id}@example.com`, name: null, createdAt: t0, passwordHash: 'h' }
      return db.write('createUser', { ...user, workspaceId: 'ws_1', role: 'owner' })
    }
    const owners = async () =>
      (await db.read.members('ws_1')).filter(({ role }) => role === 'owner').map(({ id }) => id)

    test('two owners who remove each other: one of them stays', async () => {
      for (const n of numbers(5)) {
        const [one, other] = [`user_${n}a`, `user_${n}b`]
        const last = (await owners())[0]
        for (const id of [one, other]) await add(id)
        if (last) await db.write('removeMember', { workspaceId: 'ws_1', byUserId: one, userId: last })
        const answers = await Promise.all([
          db.write('removeMember', { workspaceId: 'ws_1', byUserId: one, userId: other }),
          db.write('removeMember', { workspaceId: 'ws_1', byUserId: other, userId: one }),
        ])
        expect(answers.filter(outcomeOf('changed'))).toHaveLength(1)
        expect(await owners()).toHaveLength(1)
      }
    })

    test('two owners who both stop being one: one of them stays', async () => {
      for (const id of ['user_a', 'user_b']) await add(id)
      const step = (id: string) =>
        db.write('changeRole', { workspaceId: 'ws_1', byUserId: id, userId: id, role: 'viewer' })
      const answers = await Promise.all([step('user_a'), step('user_b')])
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'lastOwner'])
      expect(await owners()).toHaveLength(1)
    })

    test('twenty with one address are one user', async () => {
      const user = { email: 'ada@example.com', name: null, createdAt: t0, passwordHash: 'h' }
      const answers = await Promise.all(
        numbers(20).map(n => db.write('createUser', { ...user, id: `user_${n}`, workspaceId: 'ws_1', role: null })),
      )
      expect(answers.filter(outcomeOf('created'))).toHaveLength(1)
      expect(answers.filter(outcomeOf('emailTaken'))).toHaveLength(19)
    })
  })

  test('two lines that become the default at once: one of them is', async () => {
    await db.write('addLine', line({ id: 'line_2', upstreamPhoneId: '2' }))
    for (let times = 0; times < 5; times += 1) {
      const choose = (lineId: string) => db.write('setDefaultLine', { lineId, isDefault: true })
      const answers = await Promise.all([choose('line_1'), choose('line_2')])
      expect(answers.map(({ outcome }) => outcome)).toEqual(['changed', 'changed'])
      expect((await db.read.lines('ws_1')).filter(({ isDefault }) => isDefault)).toHaveLength(1)
    }
  })

  test('first messages of one user that come at once make one contact, and none of them is lost', async () => {
    const receive = (n: number) => {
      const from = { phone: '+4930123456', userId: 'DE.1', name: 'Ada', newContactId: `contact_${n}` }
      const messages = [inbound({ channelMessageId: `wamid.in${n}`, at: t0 + n, from })]
      return db.write('recordInbound', { channelId: 'chan_1', messages, recordedAt: t0 + 1_000 })
    }
    await Promise.all(numbers(20).map(receive))
    const contacts = await db.read.contacts({ workspaceId: 'ws_1', limit: 100 })
    expect(contacts).toHaveLength(1)
    expect(await db.read.inbound({ contactId: contacts[0]?.id ?? '', limit: 100 })).toHaveLength(20)
  })

  test('a key that is rotated twice at once has one successor of each id, and ends once', async () => {
    const rotate = (id: string, at: number) => {
      const successor = { id, secretHash: 'n'.repeat(64) }
      return db.write('rotateKey', { keyId: 'pk_seed', successor, at, formerExpiresAt: at + 1_000 })
    }
    const answers = await Promise.all([rotate('pk_a', t0 + 1), rotate('pk_b', t0 + 2)])
    expect(answers.map(({ outcome }) => outcome)).toEqual(['rotated', 'rotated'])
    expect(await db.read.key('pk_seed')).toMatchObject({ expiresAt: t0 + 1_001 })
    expect(await db.read.keys('ws_1')).toHaveLength(3)
  })
}
