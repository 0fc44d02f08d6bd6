import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { messagesCallback } from '../upstream.ts'
import { type Stack, startStack } from './stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(async () => {
  expect(stack.control.doubles()).toEqual([])
  await stack.stop()
})

const api = async (path: string) => (await stack.get(`/api/v1/public/${path}`)).json
const contactAt = async (number: string) => (await api(`contacts?phone=${number}`)).data

describe.each([
  ['Brazilian', '+5541987654321', '+554187654321'],
  ['Argentinian', '+541155550001', '+5491155550001'],
  ['Mexican', '+525555550001', '+5215555550001'],
])('a person with a %s number that is asked for as %s', (_, asked, written) => {
  const text = { type: 'text', phone: asked, content: 'Hello' }

  test('is one contact with one conversation, is written to by the contact, and stops under either number', async () => {
    const sent = await stack.send(text)
    expect([sent.status, sent.json.data.to.phone]).toEqual([201, asked])
    await stack.control.inbound({ kind: 'text', from: asked, name: 'Carla', text: 'Hi' })
    const contact = await contactAt(asked)
    expect(contact).toMatchObject({ phone: written, name: 'Carla', window: { open: true } })
    expect(await contactAt(written)).toEqual(contact)
    const reply = await stack.send({ ...text, requireOpenWindow: true })
    expect(reply.status).toBe(201)
    expect(
      stack.control
        .requests({ limit: 100 })
        .map(({ to }) => to)
        .filter(to => to === asked),
    ).toHaveLength(2)
    const ids = [sent, reply].map(({ json }) => json.data.id).reverse()
    for (const filter of [`phone=${asked}`, `phone=${written}`, `contactId=${contact.id}`]) {
      const { data } = await api(`messages?${filter}`)
      expect(data.map(({ id }: { id: string }) => id)).toEqual(ids)
    }

    const { id: contactId } = contact
    const { status } = await stack.send({ type: 'text', contactId, content: 'Hello' })
    expect([status, stack.control.requests({ limit: 100 }).at(-1)?.to]).toEqual([201, written])
    const stop = { wa_id: asked.slice(1), category: 'marketing_messages', value: 'stop' }
    const change = { field: 'user_preferences', value: { user_preferences: [stop] } }
    await stack.callback({ object: 'whatsapp_business_account', entry: [{ id: '100001', changes: [change] }] })
    expect(await contactAt(written)).toMatchObject({ id: contactId, preferences: [{ value: 'stop' }] })
  })
})

test('a status teaches the contact its user id, and without a profile the name stays', async () => {
  const [phone, userId] = ['+4915112345678', 'DE.13491208655302741918']
  const { id } = await stack.contact({ phone, name: 'Ada' })
  const sent = (await stack.send({ type: 'text', phone, content: 'Hello' })).json.data
  const status = {
    id: sent.channelMessageId,
    status: 'delivered',
    timestamp: '1780000000',
    recipient_id: phone.slice(1),
  }
  const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
  const contacts = [{ wa_id: phone.slice(1), user_id: userId }]
  await stack.callback(messagesCallback({ contacts, statuses: [{ ...status, recipient_user_id: userId, pricing }] }))
  expect(await contactAt(phone)).toMatchObject({ id, name: 'Ada', userId })
  expect((await api(`messages/${sent.id}`)).data).toMatchObject({
    status: 'DELIVERED',
    pricing: { category: 'utility' },
  })
})
