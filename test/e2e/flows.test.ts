import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Contact, FlowSession, Line } from '../../db/contract/records.ts'
import { flow } from '../interactive/samples.ts'
import { messagesCallback } from '../upstream.ts'
import { type Stack, startStack, upstreamLine } from './stack.ts'

let stack: Stack
let secondLine: Line
beforeAll(async () => {
  stack = await startStack()
  secondLine = await stack.addLine()
})
afterAll(async () => {
  expect(stack.control.doubles()).toEqual([])
  await stack.stop()
})

let numbers = 0
/** Every test has a contact of its own. */
function newContact(): Promise<Contact> {
  numbers += 1
  return stack.contact({ phone: `+1650555${2_000 + numbers}` })
}
const digitsOf = ({ phone }: Contact) => (phone ?? '').slice(1)

const payload = (parameters: object = {}) =>
  JSON.stringify({ ...flow(parameters), header: { type: 'text', text: 'Sign up' } })
const withoutToken = { flow_token: undefined }

const sendFlow = async (contact: Contact, parameters: object = {}, more: object = {}) =>
  stack.send({
    type: 'interactive',
    contactId: contact.id,
    phoneNumberId: stack.line.id,
    content: payload(parameters),
    ...more,
  })
/** Sends a flow that has to go out. @returns the message as the answer shows it */
async function open(contact: Contact, parameters: object = {}, more: object = {}) {
  const sent = await sendFlow(contact, parameters, more)
  expect(sent.status).toBe(201)
  return sent.json.data as { id: string; channelMessageId: string }
}
const sessions = (contact: Contact): Promise<FlowSession[]> => stack.gateway.store.read.flowSessions(contact.id)
const activeOf = async (contact: Contact) =>
  (await sessions(contact)).filter(({ closedAt }) => closedAt === null).map(({ messageId }) => messageId)

type Reply = Parameters<Stack['control']['inbound']>[0]
async function answer(contact: Contact, reply: Partial<Reply> & Pick<Reply, 'kind'>) {
  const delivered = await stack.control.inbound({ from: digitsOf(contact), line: upstreamLine(1), ...reply })
  expect(delivered?.status).toBe(200)
}

describe('a flow message to a contact opens a session', () => {
  test('with its token, its line and its message', async () => {
    const contact = await newContact()
    const message = await open(contact, { flow_token: 'tok-open' })
    expect(await sessions(contact)).toEqual([
      {
        messageId: message.id,
        contactId: contact.id,
        lineId: stack.line.id,
        flowToken: 'tok-open',
        openedAt: expect.any(Number),
        closedAt: null,
        closedBy: null,
      },
    ])
    expect(stack.sent().at(-1).interactive.action.parameters.flow_token).toBe('tok-open')
  })

  test('without a token: none is made up', async () => {
    const contact = await newContact()
    await open(contact, withoutToken)
    expect(await sessions(contact)).toMatchObject([{ flowToken: null, closedAt: null }])
    expect(stack.sent().at(-1).interactive.action.parameters).not.toHaveProperty('flow_token')
  })

  test('two messages open two', async () => {
    const contact = await newContact()
    const first = await open(contact, { flow_token: 'one' })
    const second = await open(contact, { flow_token: 'two' })
    expect((await activeOf(contact)).toSorted()).toEqual([first.id, second.id].toSorted())
  })

  test('a replay opens no second one', async () => {
    const contact = await newContact()
    const body = { idempotencyKey: `flow-${contact.id}` }
    const message = await open(contact, {}, body)
    const replayed = await sendFlow(contact, {}, body)
    expect([replayed.status, replayed.json.data.idempotentReplay]).toEqual([200, true])
    expect(await activeOf(contact)).toEqual([message.id])
  })

  test('a message to a phone opens none, also when a contact has that number', async () => {
    const contact = await newContact()
    expect((await sendFlow(contact, {}, { contactId: undefined, phone: contact.phone })).status).toBe(201)
    expect(await sessions(contact)).toEqual([])
  })

  test('another kind of interactive message opens none', async () => {
    const contact = await newContact()
    const content = JSON.stringify({
      type: 'button',
      body: { text: 'Choose' },
      action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'A' } }] },
    })
    expect((await sendFlow(contact, {}, { content })).status).toBe(201)
    expect(await sessions(contact)).toEqual([])
  })

  test('a refused send leaves none active', async () => {
    const contact = await newContact()
    stack.control.addFault({ answer: 'error', code: 132068, recipient: digitsOf(contact), next: 1 })
    expect((await sendFlow(contact)).json).toMatchObject({ error: 'CHANNEL_GRAPH_ERROR', details: { code: 132068 } })
    expect(await activeOf(contact)).toEqual([])
    expect(await sessions(contact)).toMatchObject([{ closedBy: 'refused' }])
  })

  test('a malformed send opens and closes none', async () => {
    const contact = await newContact()
    const message = await open(contact)
    expect((await sendFlow(contact, { mode: 'live' }, { revalidateFlowSession: true })).status).toBe(400)
    expect(await activeOf(contact)).toEqual([message.id])
  })
})

describe("the user's reply closes it", () => {
  test('by its token', async () => {
    const contact = await newContact()
    const first = await open(contact, { flow_token: 'tok-a' })
    const second = await open(contact, { flow_token: 'tok-b' })
    await answer(contact, { kind: 'nfm_reply', flowToken: 'tok-a', contextId: second.channelMessageId })
    expect(await activeOf(contact)).toEqual([second.id])
    const closed = (await sessions(contact)).find(({ messageId }) => messageId === first.id)
    expect(closed).toMatchObject({ closedBy: 'reply', closedAt: expect.any(Number) })
  })

  test.each(['nfm_reply_without_token', 'nfm_reply_not_an_object', 'nfm_reply_not_json'] as const)(
    'by the message that it quotes: %s',
    async kind => {
      const contact = await newContact()
      const first = await open(contact, { flow_token: 'tok-a' })
      const second = await open(contact, { flow_token: 'tok-b' })
      await answer(contact, { kind, contextId: first.channelMessageId })
      expect(await activeOf(contact)).toEqual([second.id])
    },
  )

  test('by the message that it quotes when the flow had no token and the reply has the default one', async () => {
    const contact = await newContact()
    const first = await open(contact, withoutToken)
    const second = await open(contact, withoutToken)
    await answer(contact, { kind: 'nfm_reply', flowToken: 'unused', contextId: first.channelMessageId })
    expect(await activeOf(contact)).toEqual([second.id])
  })

  test('a reply that fits no session closes none and is kept', async () => {
    const contact = await newContact()
    const message = await open(contact, { flow_token: 'tok-a' })
    await answer(contact, { kind: 'nfm_reply', flowToken: 'tok-z', contextId: 'wamid.unknown' })
    expect(await activeOf(contact)).toEqual([message.id])
    const [entry] = await stack.gateway.store.read.inbound({ contactId: contact.id, limit: 10 })
    expect(entry).toMatchObject({ kind: 'nfm_reply' })
  })

  test("another contact's reply with the same token closes nothing of this one", async () => {
    const [one, other] = [await newContact(), await newContact()]
    const message = await open(one, { flow_token: 'shared' })
    await open(other, { flow_token: 'shared' })
    await answer(other, { kind: 'nfm_reply', flowToken: 'shared' })
    expect(await activeOf(one)).toEqual([message.id])
    expect(await activeOf(other)).toEqual([])
  })

  test('another kind of reply closes none', async () => {
    const contact = await newContact()
    const message = await open(contact)
    await answer(contact, { kind: 'button_reply', contextId: message.channelMessageId })
    await answer(contact, { kind: 'text', contextId: message.channelMessageId })
    expect(await activeOf(contact)).toEqual([message.id])
  })

  test('a reply that comes again closes nothing that was opened since', async () => {
    const contact = await newContact()
    const first = await open(contact, { flow_token: 'tok-again' })
    const nfmReply = { name: 'flow', body: 'Sent', response_json: '{"flow_token":"tok-again"}' }
    const reply = messagesCallback({
      contacts: [{ profile: { name: 'Ada' }, wa_id: digitsOf(contact) }],
      messages: [
        {
          context: { from: '15550783881', id: first.channelMessageId },
          from: digitsOf(contact),
          id: `wamid.reply-${contact.id}`,
          timestamp: String(Math.floor(Date.now() / 1000)),
          type: 'interactive',
          interactive: { type: 'nfm_reply', nfm_reply: nfmReply },
        },
      ],
    })
    expect((await stack.callback(reply)).status).toBe(200)
    expect(await activeOf(contact)).toEqual([])
    const second = await open(contact, { flow_token: 'tok-again' })
    expect((await stack.callback(reply)).status).toBe(200)
    expect(await activeOf(contact)).toEqual([second.id])
  })
})

describe('a contact that was merged into another', () => {
  test('opens and closes the flows of that one: callers keep the id that they know', async () => {
    const contact = await newContact()
    const merged = await stack.contact({ phone: null, userId: `US.${contact.id}` })
    const shown = messagesCallback({
      contacts: [{ profile: { name: 'Ada' }, wa_id: digitsOf(contact), user_id: merged.userId }],
      messages: [
        {
          ...{ from: digitsOf(contact), from_user_id: merged.userId, id: `wamid.merge-${contact.id}` },
          ...{ timestamp: String(Math.floor(Date.now() / 1000)), type: 'text', text: { body: 'It is me' } },
        },
      ],
    })
    expect((await stack.callback(shown)).status).toBe(200)
    expect(await stack.gateway.store.read.contactById(merged.id)).toMatchObject({ id: contact.id })
    const first = await open(merged, { flow_token: 'tok-merged' })
    expect(await activeOf(contact)).toEqual([first.id])
    await answer(contact, { kind: 'nfm_reply', flowToken: 'tok-merged' })
    expect(await activeOf(contact)).toEqual([])
    await open(contact)
    const last = await open(merged, {}, { revalidateFlowSession: true })
    expect(await activeOf(contact)).toEqual([last.id])
  })
})

describe('revalidateFlowSession', () => {
  const text = (contact: Contact, more: object = {}) =>
    stack.send({
      type: 'text',
      contactId: contact.id,
      content: 'Hello',
      phoneNumberId: stack.line.id,
      revalidateFlowSession: true,
      ...more,
    })

  /** Runs with the second line switched off, so that a send may leave phoneNumberId out. */
  async function withOneLine(run: () => Promise<void>) {
    const change = (active: boolean) => stack.gateway.store.write.changeLine({ lineId: secondLine.id, active })
    await change(false)
    try {
      await run()
    } finally {
      await change(true)
    }
  }

  test('with phoneNumberId: only the sessions of that line are closed', async () => {
    const contact = await newContact()
    const here = await open(contact, { flow_token: 'here' })
    const there = await open(contact, { flow_token: 'there' }, { phoneNumberId: secondLine.id })
    expect((await text(contact)).status).toBe(201)
    expect(await activeOf(contact)).toEqual([there.id])
    const closed = (await sessions(contact)).find(({ messageId }) => messageId === here.id)
    expect(closed).toMatchObject({ closedBy: 'revalidated' })
  })

  test('without phoneNumberId: the sessions of every line are closed', async () => {
    const contact = await newContact()
    await open(contact, { flow_token: 'here' })
    await open(contact, { flow_token: 'there' }, { phoneNumberId: secondLine.id })
    await withOneLine(async () => {
      expect((await text(contact, { phoneNumberId: undefined })).status).toBe(201)
    })
    expect(await activeOf(contact)).toEqual([])
  })

  test('a flow that revalidates closes the earlier ones and stays open itself', async () => {
    const contact = await newContact()
    await open(contact, { flow_token: 'same' })
    const second = await open(contact, { flow_token: 'same' }, { revalidateFlowSession: true })
    expect(await activeOf(contact)).toEqual([second.id])
  })

  test('a template closes them as well', async () => {
    const contact = await newContact()
    await stack.sync()
    await open(contact)
    const template = { type: 'template', content: undefined, templateName: 'hello_world', templateVariables: {} }
    expect((await text(contact, template)).status).toBe(201)
    expect(await activeOf(contact)).toEqual([])
  })

  test.each([false, undefined])('%p closes none', async revalidateFlowSession => {
    const contact = await newContact()
    const message = await open(contact)
    expect((await text(contact, { revalidateFlowSession })).status).toBe(201)
    expect(await activeOf(contact)).toEqual([message.id])
  })

  test('closes nothing of another contact', async () => {
    const [one, other] = [await newContact(), await newContact()]
    const message = await open(one)
    expect((await text(other)).status).toBe(201)
    expect(await activeOf(one)).toEqual([message.id])
  })

  test('a closed session keeps how it was closed', async () => {
    const contact = await newContact()
    await open(contact, { flow_token: 'tok-kept' })
    await answer(contact, { kind: 'nfm_reply', flowToken: 'tok-kept' })
    const before = await sessions(contact)
    expect((await text(contact)).status).toBe(201)
    expect(await sessions(contact)).toEqual(before)
  })

  test("201: a send to the contact's phone without contactId is sent and closes none", async () => {
    const contact = await newContact()
    const message = await open(contact)
    expect((await text(contact, { contactId: undefined, phone: contact.phone })).status).toBe(201)
    expect(await activeOf(contact)).toEqual([message.id])
  })
})
