import { beforeEach, describe, expect, test } from 'bun:test'
import { type NamedId, unrelated } from '../../../db/contract/inbound.ts'
import type { Inbound } from '../../../db/contract/records.ts'
import { ownToken, peers, userToken, wamid } from '../../message/wamids.ts'
import { randomOf } from '../../random.ts'
import { freshSeeded, type OpenStore } from '../engines.ts'
import { accepted, draft, inbound, line, t0 } from '../fixtures.ts'

const [number, spelling, userId] = peers
const otherLine = line({ id: 'line_2', upstreamPhoneId: '106540352242923' })
const ada = { phone: `+${number}`, userId: null, name: 'Ada', newContactId: 'contact_1' }
const bob = { phone: '+4930999999', userId: null, name: 'Bob', newContactId: 'contact_2' }
const received = (peer: string, token = userToken) => wamid(peer, token, 'user')

/** What ids of the upstream name, and what became of a message, also under other texts of its id. */
export function messageRelationsSuite(open: OpenStore): void {
  const db = freshSeeded(open)
  beforeEach(async () => {
    await db.write('addLine', otherLine)
  })

  let arrivals = 0
  const receive = async (...messages: readonly Partial<Inbound>[]) => {
    for (const fields of messages) {
      const message = inbound({ channelMessageId: received(number, `OTHER${arrivals++}000`), from: ada, ...fields })
      await db.write('recordInbound', { channelId: 'chan_1', messages: [message], recordedAt: t0 + 1_000 })
    }
  }
  const saying = (kind: string, content: object, fields: Partial<Inbound> = {}): Partial<Inbound> => ({
    ...{ kind, content: JSON.stringify({ type: kind, ...content }) },
    ...fields,
  })
  const edit = (id: string, body: string, fields: Partial<Inbound> = {}) =>
    saying('edit', { edit: { original_message_id: id, message: { type: 'text', text: { body } } } }, fields)
  const revoke = (id: string, fields: Partial<Inbound> = {}) =>
    saying('revoke', { revoke: { original_message_id: id } }, fields)
  const sent = async (id: string, channelMessageId: string, fields: Parameters<typeof draft>[0] = {}) => {
    await db.write('acceptMessage', draft({ id, recipient: `+${number}`, ...fields }))
    await db.write('recordEvent', accepted(id, channelMessageId))
  }
  const named = async (...names: readonly Partial<NamedId>[]) => {
    const near = { id: wamid(userId, ownToken), lineId: 'line_1', contactId: 'contact_1' }
    const found = await db.read.namedMessages({
      ...{ workspaceId: 'ws_1', names: names.map(name => ({ ...near, ...name })) },
    })
    return found.map(known => known?.channelMessageId ?? null)
  }
  const all = async () => db.read.inbound({ contactId: 'contact_1', limit: 100 })

  describe('an id', () => {
    test('names what was sent to the number of the contact, by any text, and to nobody else or from no other line', async () => {
      await receive({})
      await sent('msg_1', wamid(number, ownToken))
      const known = wamid(number, ownToken)
      expect(
        await named({}, { id: known }, { id: wamid(spelling, ownToken) }, { id: wamid(userId, userToken) }),
      ).toEqual([known, known, known, null])
      expect(
        await named({ lineId: 'line_2' }, { lineId: null }, { contactId: 'contact_9' }, { contactId: null }),
      ).toEqual([null, null, null, null])
      expect(await named({ contactId: undefined }, { id: received(number, ownToken) })).toEqual([known, null])
    })

    test('names what was sent to the contact, its user id, or the number that the answer told', async () => {
      await receive({ from: { ...ada, userId } })
      await sent('msg_1', wamid('1', ownToken), { contactId: 'contact_1', recipient: '+1' })
      await sent('msg_2', wamid('1', `${ownToken}2`), { recipient: userId })
      await db.write('acceptMessage', draft({ id: 'msg_3', recipient: '+1' }))
      const answered = accepted('msg_3', wamid('1', `${ownToken}3`))
      await db.write('recordEvent', { ...answered, event: { ...answered.event, waId: number } } as typeof answered)
      expect(await named({}, { id: wamid(number, `${ownToken}2`) }, { id: wamid(number, `${ownToken}3`) })).toEqual([
        ...[wamid('1', ownToken), wamid('1', `${ownToken}2`), wamid('1', `${ownToken}3`)],
      ])
    })

    test('names what the person wrote, or the business in the app', async () => {
      await receive(
        { channelMessageId: received(number) },
        { channelMessageId: wamid(number, ownToken), kind: 'smb_message_echoes text' },
        { channelMessageId: received(bob.phone, 'BOB000000'), from: bob },
      )
      expect(await named({ id: received(userId) }, {}, { id: received(userId, 'BOB000000') })).toEqual([
        ...[received(number), wamid(number, ownToken), null],
      ])
    })

    test('of two messages with its token names none, unless one has exactly this text', async () => {
      await receive({})
      await sent('msg_1', wamid(number, ownToken))
      await sent('msg_2', wamid(spelling, ownToken))
      expect(await named({}, { id: wamid(spelling, ownToken) })).toEqual([null, wamid(spelling, ownToken)])
    })

    test('of another form is its text', async () => {
      await receive({ channelMessageId: 'wamid.in' })
      await sent('msg_1', 'wamid.msg_1')
      expect(await named({ id: 'wamid.msg_1' }, { id: 'wamid.in' }, { id: 'wamid.msg' }, { id: '' })).toEqual([
        ...['wamid.msg_1', 'wamid.in', null, null],
      ])
    })

    test('of another workspace names nothing', async () => {
      await receive({})
      await sent('msg_1', wamid(number, ownToken))
      const names = [{ id: wamid(number, ownToken), lineId: 'line_1', contactId: 'contact_1' }]
      expect(await db.read.namedMessages({ workspaceId: 'ws_2', names })).toEqual([null])
    })
  })

  test('what a user answers and reacts to has the id of the send, in every list', async () => {
    await sent('msg_1', wamid(number, ownToken))
    await receive(
      saying('text', { context: { id: wamid(userId, ownToken) } }),
      saying('reaction', { reaction: { message_id: wamid(spelling, ownToken), emoji: '👍' } }),
    )
    const known = { channelMessageId: wamid(number, ownToken), sent: { id: 'msg_1', ownIdAt: null }, seq: null }
    const expected: [string, unknown][][] = [[[wamid(userId, ownToken), known]], [[wamid(spelling, ownToken), known]]]
    const { messages } = await db.read.inboundMessages({ workspaceId: 'ws_1', after: 0, limit: 9, scan: 9 })
    const { events } = await db.read.events({ workspaceId: 'ws_1', after: 0, types: ['message.received'], limit: 9 })
    const one = await db.read.inboundMessage({ workspaceId: 'ws_1', seq: messages[0]?.seq ?? 0 })
    const namesOf = (entries: readonly ({ related: { named: ReadonlyMap<string, unknown> } } | null)[]) =>
      entries.map(entry => [...(entry?.related.named ?? [])])
    expect(namesOf(messages)).toEqual(expected)
    expect(namesOf(events.map(({ inbound }) => inbound))).toEqual(expected)
    expect(namesOf((await all()).toReversed())).toEqual(expected)
    expect(namesOf([one])).toEqual(expected.slice(0, 1))
  })

  test("a flow is closed by an answer to another text of its message's id, from its line and its person", async () => {
    await receive({}, { from: bob })
    const opensFlow = { contactId: 'contact_1', flowToken: null }
    await sent('msg_1', wamid(number, ownToken), { type: 'interactive', contactId: 'contact_1', opensFlow })
    const answer = { flowReply: { flowToken: null, openedBy: wamid(userId, ownToken) } }
    const isOpen = async () => (await db.read.flowSessions('contact_1'))[0]?.closedAt === null
    await receive({ ...answer, upstreamPhoneId: otherLine.upstreamPhoneId }, { ...answer, from: bob })
    expect(await isOpen()).toBe(true)
    await receive(answer)
    expect(await isOpen()).toBe(false)
  })

  describe('a message of a user', () => {
    const shown = async () =>
      (await all())
        .toReversed()
        .flatMap(({ kind, related: { edited, deleted } }) =>
          kind === 'text' ? [[edited && bodyIn(edited.content), deleted !== null] as const] : [],
        )
    const original = { channelMessageId: received(number) }

    test('tells that it was edited, by the last edit, and deleted, also before it comes', async () => {
      const changes = [
        edit(received(userId), 'at 6', { at: t0 + 1_000 }),
        edit(received(spelling), 'at 7', { at: t0 + 2_000 }),
        revoke(received(userId), { at: t0 + 3_000 }),
      ] as const
      await receive(changes[1], original)
      expect(await shown()).toEqual([['at 7', false]])
      await receive(changes[0])
      expect(await shown()).toEqual([['at 7', false]])
      await receive(changes[2])
      expect(await shown()).toEqual([['at 7', true]])
      expect((await all()).map(({ kind }) => kind).sort()).toEqual(['edit', 'edit', 'revoke', 'text'])
    })

    test('is changed also where the change says what it answered', async () => {
      const context = { id: received(number, 'ANSWERED0') }
      const message = { type: 'text', text: { body: 'new' } }
      const changed = { original_message_id: received(number) }
      await receive(original, saying('edit', { context, edit: { ...changed, message } }))
      expect(await shown()).toEqual([['new', false]])
      await receive(saying('revoke', { context, revoke: changed }))
      expect(await shown()).toEqual([['new', true]])
    })

    test('is not changed by what names another, comes from somebody else or to another line', async () => {
      await receive(original)
      await receive(
        edit(received(number, 'UNKNOWN00'), 'no'),
        edit(received(userId), 'no', { from: bob }),
        revoke(received(userId), { upstreamPhoneId: otherLine.upstreamPhoneId }),
        edit('', 'no'),
        saying('edit', {}),
      )
      expect(await shown()).toEqual([[null, false]])
    })

    test('tells of the changes of its person and line; what else names it, or another change, stands alone', async () => {
      const [own, second] = [received(number), received(number, 'SECOND0000')]
      await receive(original, { channelMessageId: second, from: bob })
      await sent('msg_1', wamid(number, ownToken))
      const firstEdit = received(number, 'EDIT000000')
      await receive(
        edit(received(userId), 'told', { channelMessageId: firstEdit }),
        revoke(received(spelling)),
        edit(own, 'on another line', { upstreamPhoneId: otherLine.upstreamPhoneId }),
        edit(second, 'of what somebody else wrote'),
        edit(wamid(number, ownToken), 'of what was sent'),
        edit(firstEdit, 'of an edit'),
        edit(received(number, 'UNKNOWN000'), 'of what nobody knows'),
        saying(
          'edit',
          {},
          { content: JSON.stringify({ edit: { original_message_id: own }, cut: 'too long to be kept' }) },
        ),
      )
      const entries = (await all()).toReversed().filter(({ kind }) => kind !== 'text')
      expect(entries.map(({ kind, content, related: { isTold } }) => [kind, bodyIn(content), isTold])).toEqual([
        ['edit', 'told', true],
        ['revoke', null, true],
        ['edit', 'on another line', false],
        ['edit', 'of what somebody else wrote', false],
        ['edit', 'of what was sent', false],
        ['edit', 'of an edit', false],
        ['edit', 'of what nobody knows', false],
        ['edit', null, false],
      ])
    })

    test('that was deleted is read without its content, and so are its edits, while the workspace hides it', async () => {
      const choose = (deletedMessages: 'keep' | 'hide', workspaceId = 'ws_1') =>
        db.write('setDeletedMessages', { workspaceId, deletedMessages })
      const unknown = received(number, 'UNKNOWN000')
      const file = { ...{ id: 'media_1', upstreamId: '7' }, ...{ sha256: null, mimeType: null, fileName: null } }
      await receive(
        { ...original, ...saying('image', { image: { id: '7', caption: 'secret' } }), file },
        edit(received(userId), 'secret 2'),
        edit(unknown, 'secret 3'),
        saying('text', { text: { body: 'other' } }),
        revoke(received(spelling)),
        revoke(received(userId, 'UNKNOWN000')),
      )
      const read = async () => {
        const { messages } = await db.read.inboundMessages({ workspaceId: 'ws_1', after: 0, limit: 9, scan: 9 })
        const { events } = await db.read.events({
          workspaceId: 'ws_1',
          after: 0,
          types: ['message.received'],
          limit: 9,
        })
        const ones = messages.map(({ seq }) => db.read.inboundMessage({ workspaceId: 'ws_1', seq }))
        const { conversations } = await db.read.conversations({ workspaceId: 'ws_1', limit: 1, scan: 1 })
        const lists = [
          messages,
          events.map(({ inbound }) => inbound),
          await Promise.all(ones),
          (await all()).toReversed(),
        ]
        return { lists, text: JSON.stringify([lists, conversations]) }
      }
      expect((await read()).text.match(/secret( \d)?/g)).toContain('secret 3')
      expect(await choose('hide')).toMatchObject({ id: 'ws_1', deletedMessages: 'hide' })
      const { lists, text } = await read()
      expect(text).not.toContain('secret')
      for (const list of lists) {
        const shown = list.map(message => [message?.content, message?.file, message?.related.edited])
        expect(shown.slice(0, 4)).toEqual([
          [{}, null, null],
          [{}, null, null],
          [{}, null, null],
          [expect.objectContaining({ text: { body: 'other' } }), null, null],
        ])
        expect(list.map(message => message?.related.deleted !== null)).toEqual([true, ...Array(5).fill(false)])
        expect(list[4]?.content).toMatchObject({ type: 'revoke' })
      }
      await choose('keep')
      expect((await read()).text).toContain('secret 2')
      expect(await choose('hide', 'ws_none')).toBeNull()
    })

    describe('is hidden by a deletion', () => {
      const texts = async () =>
        (await db.read.inboundMessages({ workspaceId: 'ws_1', after: 0, limit: 9, scan: 9 })).messages.map(
          ({ kind, content, related: { isHidden } }) => (isHidden ? 'hidden' : (bodyIn(content) ?? kind)),
        )
      const text = (id: string, body: string, fields: Partial<Inbound> = {}) =>
        saying('text', { text: { body } }, { channelMessageId: id, ...fields })
      beforeEach(async () => {
        await db.write('setDeletedMessages', { workspaceId: 'ws_1', deletedMessages: 'hide' })
      })

      test('with an edit of an edit, whichever of them the person deleted', async () => {
        const [own, first, second] = [received(number), received(number, 'EDIT000001'), received(number, 'EDIT000002')]
        await receive(
          text(own, 'deleted'),
          edit(received(userId), 'deleted', { channelMessageId: first }),
          edit(received(userId, 'EDIT000001'), 'deleted', { channelMessageId: second }),
          text(received(number, 'KEPT000000'), 'kept'),
        )
        expect(await texts()).toEqual(['deleted', 'deleted', 'deleted', 'kept'])
        await receive(revoke(received(spelling, 'EDIT000001')))
        expect(await texts()).toEqual(['hidden', 'hidden', 'hidden', 'kept', 'revoke'])
      })

      test('that names a first message, where a later edit names the last one', async () => {
        const first = received(number, 'EDIT000001')
        await receive(edit(received(userId), 'deleted', { channelMessageId: first }), edit(first, 'deleted'))
        await receive(revoke(received(spelling)))
        expect(await texts()).toEqual(['hidden', 'hidden', 'revoke'])
      })

      test('that may name two messages, or came to another line', async () => {
        await receive(text(received(number), 'deleted'), text(received(spelling), 'deleted'), revoke(received(userId)))
        expect(await texts()).toEqual(['hidden', 'hidden', 'revoke'])
        const id = received(number, 'MOVED00000')
        await receive(text(id, 'deleted'), revoke(id, { upstreamPhoneId: otherLine.upstreamPhoneId }))
        expect((await texts()).slice(3)).toEqual(['hidden', 'revoke'])
      })

      test('where it is an edit that was too long, or that does not say of what, by a person who deletes', async () => {
        const [one, other] = [received(number, 'ONE0000000'), received(number, 'OTHER00000')]
        const cut = (original: object, fields: Partial<Inbound> = {}) =>
          saying('edit', {}, { content: JSON.stringify({ from: '49', ...original, cut: '"body":"cut"' }), ...fields })
        await receive(
          cut({ edit: { original_message_id: one } }),
          cut({ edit: { original_message_id: other } }),
          cut({}),
          cut({}, { from: bob }),
          revoke(received(userId, 'ONE0000000')),
        )
        expect(await texts()).toEqual(['hidden', 'edit', 'hidden', 'edit', 'revoke'])
      })

      test('and says still in which group it was written', async () => {
        const id = received(number)
        await receive(
          saying('group text', { group_id: 'g1', text: { body: 'x' } }, { channelMessageId: id }),
          saying('group revoke', { revoke: { original_message_id: id }, group_id: 'g1' }),
        )
        expect((await all()).map(({ content }) => content)).toContainEqual({ group_id: 'g1' })
      })
    })

    test('in any order, is told as what was done to it last', async () => {
      for (let round = 1; round <= 30; round += 1) {
        const random = randomOf(round)
        const from = { ...ada, phone: `+49${round}`, newContactId: `contact_of_${round}` }
        const texts = [`49${round}`, `490${round}`, `DE.${round}`]
        const originals = ['A', 'B', 'C'].map(letter => {
          const anyId = () => received(texts[random(texts.length)] ?? '', `${round}${letter}`.padEnd(12, '0'))
          const edits = Array.from({ length: random(4) }, (_, n) =>
            edit(anyId(), `${letter}${n}`, { from, at: t0 + 1_000 * (n + 1) }),
          )
          const end = random(3) === 0 ? [revoke(anyId(), { from, at: t0 + 9_000 })] : []
          const original = { channelMessageId: anyId(), from, at: t0 }
          const expected = [edits.length === 0 ? null : `${letter}${edits.length - 1}`, end.length > 0] as const
          return { original, steps: [original, ...edits, ...end], expected }
        })
        const shuffled = originals
          .flatMap(({ steps }) => steps)
          .map(step => [random(1_000_000), step] as const)
          .sort(([one], [other]) => one - other)
        await receive(...shuffled.map(([, step]) => step))
        const entries = await db.read.inbound({ contactId: from.newContactId, limit: 100 })
        expect(entries).toHaveLength(shuffled.length)
        for (const { original, expected } of originals) {
          const entry = entries.find(({ channelMessageId }) => channelMessageId === original.channelMessageId)
          const { edited, deleted } = entry?.related ?? unrelated
          expect([round, edited && bodyIn(edited.content), deleted !== null]).toEqual([round, ...expected])
        }
      }
    })
  })
}

/** The first text of a message, or of what it was changed to. */
const bodyIn = (content: object) => /"body":"([^"]*)"/.exec(JSON.stringify(content))?.[1] ?? null
