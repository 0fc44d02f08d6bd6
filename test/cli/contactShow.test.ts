import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Inbound } from '../../db/contract/records.ts'
import { newId } from '../../src/base/ids.ts'
import { draft } from '../db/fixtures.ts'
import { Deployment, expectRefusal, seeded } from './waypost.ts'

const deployment = new Deployment()
afterAll(() => deployment.remove())

const t0 = Date.UTC(2026, 0, 1)
const iso = (at: number) => new Date(at).toISOString()

/** A contact who was sent two flows, has answered the first and written before that; and one who did nothing. */
const seedContacts = () =>
  deployment.withStore(async store => {
    const owner = await seeded(store)
    const { workspaceId, channelId, lineId } = owner
    const times = { createdAt: t0, updatedAt: t0 }
    const save = (phone: string, name: string | null) =>
      store.write.saveContact({ id: newId('contact'), workspaceId, phone, userId: null, name, ...times })
    const ada = await save('+15550100200', 'Ada')
    const quiet = await save('+15550100201', null)
    const contactId = ada?.id ?? ''
    const openFlow = (messageId: string, at: number) =>
      store.write.acceptMessage(
        draft({
          ...owner,
          id: messageId,
          contactId,
          recipient: '+15550100200',
          type: 'interactive',
          createdAt: at,
          dispatchedAt: at,
          opensFlow: { contactId, flowToken: `token-${messageId}` },
        }),
      )
    const inbound = (channelMessageId: string, fields: Partial<Inbound>): Inbound => ({
      channelMessageId,
      kind: 'text',
      at: t0,
      from: { phone: '+15550100200', userId: 'US.1', name: 'Ada', newContactId: newId('contact') },
      upstreamPhoneId: '1',
      identityChange: null,
      flowReply: null,
      content: '{"text":{"body":"hello"}}',
      ...fields,
    })
    await openFlow('msg_1', t0 + 1_000)
    await store.write.recordInbound({
      channelId,
      messages: [
        inbound('wamid.1', {}),
        inbound('wamid.3', {
          kind: 'interactive',
          at: t0 + 5_000,
          flowReply: { flowToken: 'token-msg_1', openedBy: null },
          content: '{"a":1}',
        }),
        inbound('wamid.2', { at: t0 + 2_000, upstreamPhoneId: null, content: '{"text":{"body":"\\u001b[2J"}}' }),
      ],
      recordedAt: t0 + 6_000,
    })
    await openFlow('msg_2', t0 + 9_000)
    return { workspaceId, lineId, ada: contactId, quiet: quiet?.id ?? '' }
  })

let seed: Awaited<ReturnType<typeof seedContacts>>
beforeAll(async () => {
  seed = await seedContacts()
})

test('show gives the contact, its flow sessions and what it sent, newest first', async () => {
  const { workspaceId, lineId, ada } = seed
  expect(await deployment.json<object>(['contact', 'show', ada])).toEqual({
    id: ada,
    workspaceId,
    phone: '+15550100200',
    userId: 'US.1',
    name: 'Ada',
    username: null,
    createdAt: iso(t0),
    blockedOn: [],
    updatedAt: iso(t0 + 6_000),
    updates: [],
    flowSessions: [
      {
        messageId: 'msg_2',
        lineId,
        flowToken: 'token-msg_2',
        openedAt: iso(t0 + 9_000),
        closedAt: null,
        closedBy: null,
      },
      {
        messageId: 'msg_1',
        lineId,
        flowToken: 'token-msg_1',
        openedAt: iso(t0 + 1_000),
        closedAt: iso(t0 + 5_000),
        closedBy: 'reply',
      },
    ],
    timeline: [
      { channelMessageId: 'wamid.3', kind: 'interactive', at: iso(t0 + 5_000), lineId, text: null, content: { a: 1 } },
      {
        channelMessageId: 'wamid.2',
        kind: 'text',
        at: iso(t0 + 2_000),
        lineId: null,
        text: '\u001b[2J',
        content: { text: { body: '\u001b[2J' } },
      },
      {
        channelMessageId: 'wamid.1',
        kind: 'text',
        at: iso(t0),
        lineId,
        text: 'hello',
        content: { text: { body: 'hello' } },
      },
    ],
  })
})

test('a limit keeps the newest messages', async () => {
  const shown = await deployment.json(['contact', 'show', seed.ada, '--limit', '1'])
  expect(shown).toMatchObject({ timeline: [{ channelMessageId: 'wamid.3' }], flowSessions: [{}, {}] })
})

test('a person reads who it is, the flows and the messages; nothing in them steers the terminal', async () => {
  const { stdout } = await deployment.run(['contact', 'show', seed.ada])
  expect(stdout).toStartWith('Ada\n')
  expect(stdout).toContain('2026-01-01 00:00:05  reply')
  expect(stdout).toMatch(/2026-01-01 00:00:00 {2}text +\S+ +hello\n/)
  expect(stdout).toContain('{"a":1}')
  expect(stdout).not.toContain('\u001b')
})

test('a contact who did nothing has empty lists, and its phone number for a name', async () => {
  expect(await deployment.json(['contact', 'show', seed.quiet])).toMatchObject({ flowSessions: [], timeline: [] })
  const { stdout } = await deployment.run(['contact', 'show', seed.quiet])
  expect(stdout).toStartWith('+15550100201\n')
  expect(stdout).toContain('No flow was sent to this contact yet.\n\nNo message came from this contact yet.\n')
})

test('the id of a contact that was merged shows all of the contact that it turned out to be', async () => {
  const ids = await deployment.withStore(async store => {
    const { channelId } = await seeded(store)
    const from = { phone: null, userId: 'US.3', name: null, newContactId: newId('contact') }
    const named = { ...from, phone: '+15550100300', newContactId: newId('contact') }
    const known = { ...named, userId: null }
    const messages = [from, known, named].map(
      (from, number): Inbound => ({
        channelMessageId: `wamid.merged.${number}`,
        kind: 'text',
        at: t0 + number,
        from,
        upstreamPhoneId: null,
        identityChange: null,
        flowReply: null,
        content: '{}',
      }),
    )
    await store.write.recordInbound({ channelId, messages, recordedAt: t0 })
    return [from.newContactId, known.newContactId]
  })
  const shown = await Promise.all(ids.map(id => deployment.json(['contact', 'show', id])))
  expect(shown[0]).toMatchObject({ timeline: [{}, {}, {}] })
  expect(shown[1]).toEqual(shown[0])
})

test('an id that names nobody ends with 1, a limit out of range with 2', async () => {
  const [nobody, limit] = await Promise.all([
    deployment.run(['contact', 'show', 'contact_x', '--json']),
    deployment.run(['contact', 'show', seed.ada, '--limit', '0', '--json']),
  ])
  expectRefusal(nobody, 1, 'No contact has this id: contact_x\n')
  expectRefusal(limit, 2, 'from 1 to 1000')
})

test('a user with a hidden number is named by the username', async () => {
  await deployment.withStore(async store => {
    const { channelId } = await seeded(store)
    const from = { phone: null, userId: 'US.7', name: null, username: 'grace.h', newContactId: 'contact_hidden' }
    const said = { kind: 'text', at: t0, upstreamPhoneId: null, identityChange: null, flowReply: null, content: '{}' }
    await store.write.recordInbound({
      channelId,
      messages: [{ ...said, channelMessageId: 'wamid.7', from }],
      recordedAt: t0,
    })
  })
  expect(await deployment.json(['contact', 'show', 'contact_hidden'])).toMatchObject({
    phone: null,
    username: 'grace.h',
  })
  const { stdout } = await deployment.run(['contact', 'show', 'contact_hidden'])
  expect(stdout).toStartWith('@grace.h\n')
  expect(stdout).toMatch(/username +@grace\.h\n/)
  expect((await deployment.run(['contact', 'list'])).stdout).toMatch(/contact_hidden .*@grace\.h /)
})
