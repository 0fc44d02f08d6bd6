import { expect, test } from 'bun:test'
import { eventually } from '../eventually.ts'
import { sharedFixture } from '../fixture.ts'
import { answerOf, orderTemplate, startTestGateway } from '../gateway.ts'
import { messagesCallback, postCallback, statusCallback } from '../upstream.ts'

/*
 * What a batch has come to: who answered, what it costs, and why items were left out.
 */

const gateway = sharedFixture(() => startTestGateway({ env: { SEND_WAIT_MS: '5000' } }))

const batches = (method: string, path: string, body?: object) =>
  answerOf(
    fetch(`${gateway.url}/api/v1/public/batches${path}`, {
      method,
      headers: { ...gateway.key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
const calledBack = (payload: object) =>
  postCallback(`${gateway.url}/callbacks/channel/${gateway.channelId}`, payload, gateway.appSecret)

test('what a batch will cost counts each item by its own template', async () => {
  await gateway.addTemplates(
    { ...orderTemplate, name: 'spring_news', category: 'MARKETING' },
    { ...orderTemplate, name: 'your_order', category: 'UTILITY' },
  )
  const rate = { country: 'DE', currency: 'EUR' }
  const rates = [
    { ...rate, category: 'marketing', price: 0.5 } as const,
    { ...rate, category: 'utility', price: 0.25 } as const,
  ]
  const { store } = gateway.gateway
  await store.write.setPriceRates({ workspaceId: gateway.workspaceId, rates, at: Date.now() })
  const templateVariables = { '1': 'Ada', '2': '7' }
  const costOf = async (key: string, ...items: object[]) => {
    const defaults = { type: 'template', templateName: 'spring_news', templateVariables }
    const made = await batches('POST', '', { idempotencyKey: key, state: 'draft', defaults, items })
    expect(made.status).toBe(202)
    return made.json.data.cost.expected
  }
  const shared = { phone: '+4915112345611' }
  const own = { phone: '+4915112345612', templateName: 'your_order' }
  expect(await costOf('mixed', shared, own)).toEqual([{ currency: 'EUR', amount: 0.75 }])
  expect(await costOf('unknown', shared, { ...own, templateName: 'nowhere' })).toBeNull()
  await store.write.setPriceRates({ workspaceId: gateway.workspaceId, rates: null, at: Date.now() })
})

test('what a batch costs so far and in all, by country, who answered it, and who was left out', async () => {
  await gateway.addTemplates({ ...orderTemplate, name: 'spring_news', category: 'MARKETING' })
  const rate = { category: 'marketing', price: 0.1131, currency: 'EUR' } as const
  const templateVariables = { '1': 'Ada', '2': '7' }
  const body = {
    ...{ idempotencyKey: 'spring', state: 'draft' },
    defaults: { type: 'template', templateName: 'spring_news', templateLanguage: 'en_US', templateVariables },
    items: ['+4915112345601', '+4915112345602', '+33612345601', '+4915112345601'].map(phone => ({ phone })),
  }
  const made = await batches('POST', '', body)
  expect([made.status, made.json.data.cost]).toEqual([
    202,
    { soFar: [], expected: null, withoutRate: 0, byCountry: [] },
  ])
  const { id } = made.json.data
  const get = async () => (await batches('GET', `/${id}`)).json.data
  const {
    gateway: { store },
    workspaceId,
  } = gateway
  await store.write.setPriceRates({ workspaceId, rates: [{ ...rate, country: 'DE' }], at: Date.now() })
  expect(await get()).toMatchObject({
    cost: { soFar: [], expected: [{ currency: 'EUR', amount: 0.2262 }], withoutRate: 1, byCountry: [] },
    answered: 0,
    reasons: [{ status: 'SKIPPED', code: 'DUPLICATE', count: 1 }],
  })

  await batches('POST', `/${id}/start`)
  await eventually(async () => {
    await gateway.gateway.jobs.trigger('run-batches')
    expect((await get()).state).toBe('done')
  })
  const { data } = (await batches('GET', `/${id}/items?status=SENT`)).json
  const timestamp = `${Math.floor(Date.now() / 1_000) + 60}`
  for (const { messageId, recipient } of data) {
    const sent = (await gateway.get(`/api/v1/public/messages/${messageId}`)).json.data
    const pricing = { billable: recipient !== '+4915112345602', category: 'marketing', type: 'regular' }
    const status = { id: sent.channelMessageId, status: 'delivered', timestamp }
    expect(
      (await calledBack(statusCallback({ ...status, pricing: { ...pricing, pricing_model: 'PMP' } }))).status,
    ).toBe(200)
  }
  const answer = { from: '33612345601', id: 'wamid.answer', timestamp, type: 'text', text: { body: 'Yes' } }
  const contacts = [{ wa_id: '33612345601', profile: { name: 'Zoé' } }]
  expect((await calledBack(messagesCallback({ contacts, messages: [answer] }))).status).toBe(200)
  const whole = await get()
  expect(whole).toMatchObject({
    ...{ answered: 1, counts: { DELIVERED: 3, SKIPPED: 1 } },
    cost: {
      soFar: [{ currency: 'EUR', amount: 0.1131 }],
      expected: [{ currency: 'EUR', amount: 0.1131 }],
      withoutRate: 1,
    },
  })
  expect(whole.cost.byCountry).toEqual([
    { category: 'marketing', country: 'DE', billable: 1, free: 1, amount: 0.1131, currency: 'EUR' },
    { category: 'marketing', country: 'FR', billable: 1, free: 0, amount: null, currency: null },
  ])
})
