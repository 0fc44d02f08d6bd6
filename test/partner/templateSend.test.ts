import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { catalog, phone, takeSent, templateOf } from './catalog.ts'

const gateway = sharedFixture(startTestGateway)
beforeAll(() => gateway.addTemplates(...catalog))
afterEach(() => {
  gateway.upstream.received.length = 0
})

const send = (templateName: string, fields: Record<string, unknown>) =>
  gateway.send({ type: 'template', phone, templateName, ...fields })

const text = (value: string) => ({ type: 'text', text: value })
const bodyOf = (...values: readonly string[]) => ({ type: 'body', parameters: values.map(text) })
const url = (index: string, suffix: string) => ({ type: 'button', sub_type: 'url', index, parameters: [text(suffix)] })

describe('201: a template', () => {
  test('the upstream gets exactly the body of its reference', async () => {
    const { status, json } = await send('order', { templateVariables: { 1: 'Ada', 2: '1001' } })
    expect(status).toBe(201)
    expect(json.data).toMatchObject({ status: 'SENT', idempotentReplay: false })
    expect(takeSent(gateway).json).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: phone,
      type: 'template',
      template: { name: 'order', language: { code: 'en_US' }, components: [bodyOf('Ada', '1001')] },
      biz_opaque_callback_data: json.data.id,
    })
  })

  test('is stored with its name, so that it can be found by it', async () => {
    const { json } = await send('order', { templateVariables: { 1: 'Ada', 2: '1001' } })
    const stored = (await gateway.messages()).find(({ id }) => id === json.data.id)
    expect(stored?.templateName).toBe('order')
    takeSent(gateway)
  })

  /** Rule by rule: test/templates/renderComponents.test.ts. */
  const filled: readonly [name: string, template: string, fields: Record<string, unknown>, components: unknown][] = [
    ['nothing to fill: no components', 'plain', { templateVariables: {} }, undefined],
    [
      'header, body and URL button share a number',
      'sale',
      { templateVariables: { 1: 'Pablo', 2: '10' } },
      [{ type: 'header', parameters: [text('Pablo')] }, bodyOf('Pablo', '10'), url('1', 'Pablo')],
    ],
    [
      'values that look like code stay as they are',
      'order',
      { templateVariables: { 1: '{{2}}', 2: '"}]}$&$1' } },
      [bodyOf('{{2}}', '"}]}$&$1')],
    ],
  ]
  test.each(filled)('%s', async (_, template, fields, components) => {
    expect((await send(template, fields)).status).toBe(201)
    expect(templateOf(takeSent(gateway)).components).toEqual(components)
  })
})

describe('templateComponents', () => {
  const components = [
    {
      type: 'BODY',
      parameters: [
        { text: 'Ada', type: 'text' },
        { type: 'text', text: '7' },
      ],
      extra: { a: [null, 1.5] },
    },
    { type: 'button', sub_type: 'url', index: 0, parameters: [text('a%2Fb')] },
    { type: 'made_up', anything: true },
  ]

  test('201: they are forwarded untouched, and so is the language', async () => {
    const { status } = await send('order', { templateComponents: components, templateLanguage: 'EN-us' })
    expect(status).toBe(201)
    const request = takeSent(gateway)
    expect(templateOf(request).language).toEqual({ code: 'EN-us' })
    expect(JSON.stringify(templateOf(request).components)).toBe(JSON.stringify(components))
  })

  test('201: without a language the one of the template is sent', async () => {
    await send('order', { templateComponents: components })
    expect(templateOf(takeSent(gateway)).language).toEqual({ code: 'en_US' })
  })

  test('201: templateVariables and bodyParameters beside them change nothing', async () => {
    const { status } = await send('order', {
      templateComponents: components,
      templateVariables: { 1: 'Grace', 2: '8' },
      bodyParameters: { 1: 'Edsger' },
    })
    expect(status).toBe(201)
    expect(templateOf(takeSent(gateway)).components).toEqual(components)
  })

  test('400: a whole address as the value of a URL button, which the upstream would take', async () => {
    const { status, json } = await send('track', { templateComponents: [bodyOf('7'), url('0', 'https://x.example/7')] })
    expect(status).toBe(400)
    const message = "must be only what follows https://x.example/ in the button's address, not a whole address"
    expect(json.details.issues).toEqual([{ path: '/templateComponents/1/parameters/0/text', message }])
  })

  test('a whole number beyond 2^53 is never changed in silence: it keeps its digits, or it is refused by name', async () => {
    const raw = '[{"type":"body","parameters":[{"type":"text","text":"Ada","id":12345678901234567890}]}]'
    const body = `{"type":"template","phone":"${phone}","templateName":"order","templateComponents":${raw}}`
    const { status, json } = await gateway.send(body)
    if (status === 201) expect(takeSent(gateway).text).toContain(raw)
    else expect(json.details.issues[0].path).toStartWith('/templateComponents/0/parameters/0')
  })
})
