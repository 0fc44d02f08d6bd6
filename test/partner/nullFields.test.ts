import { beforeAll, describe, expect, test } from 'bun:test'
import { untypedSendSchema } from '../../src/operations/sends/sendSchema.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { catalog } from './catalog.ts'
import { interactive, phone, text } from './refusals.ts'

const gateway = sharedFixture(startTestGateway)
beforeAll(() => gateway.addTemplates(...catalog))

/** The body, with a null in each field that a send of any type may have and it leaves out. */
const withNulls = (body: object) => ({
  ...Object.fromEntries(Object.keys(untypedSendSchema.properties).map(name => [name, null])),
  ...body,
})
const card = (index: number, nulls: object) => ({
  index,
  bodyValues: { 1: 'a' },
  header: { format: 'image', id: '15580815', ...nulls },
  buttonValues: [{ index: 1, sub_type: 'url', parameters: { type: 'text', text: 'x', ...nulls } }],
})
const cards = (linkAndPayload: { link?: null; payload?: null }) => ({
  type: 'template',
  phone,
  templateName: 'cards',
  templateVariables: { 1: 'you' },
  carousel: {
    cards: [0, 1].map(index => {
      const { header, buttonValues, ...rest } = card(index, {})
      return {
        ...rest,
        header: { ...header, ...('link' in linkAndPayload && { link: null }) },
        buttonValues: buttonValues.map(value => ({
          ...value,
          parameters: { ...value.parameters, ...('payload' in linkAndPayload && { payload: null }) },
        })),
      }
    }),
  },
})
const buttons = JSON.stringify({
  type: 'button',
  body: { text: 'Yes?' },
  action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] },
})

const rows: readonly [name: string, body: object, withNulls: object][] = [
  ['a text, with the fields of a template', text, withNulls(text)],
  ['an interactive send', { ...interactive, content: buttons }, withNulls({ ...interactive, content: buttons })],
  ['a carousel, within its cards', cards({}), withNulls(cards({ link: null, payload: null }))],
]

describe('null for an optional field is the same as leaving it out', () => {
  test.each(rows)('201, and as the same body a replay: %s', async (_, body, withNulls) => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const sent = await gateway.send(withNulls, headers)
    expect([sent.status, sent.json.error]).toEqual([201, undefined])
    const replayed = await gateway.send(body, headers)
    expect([replayed.status, replayed.json.data.id]).toEqual([200, sent.json.data.id])
  })

  test('what is forwarded untouched keeps its nulls', async () => {
    const component = { type: 'body', parameters: [{ type: 'text', text: 'x', extra: null }], index: null }
    const sent = await gateway.send({
      type: 'template',
      phone,
      templateName: 'cards',
      templateLanguage: 'en_US',
      templateComponents: [component],
    })
    expect(sent.status).toBe(201)
    const received = gateway.upstream.received.at(-1) as { json: { template: { components: unknown[] } } } | undefined
    expect(received?.json.template.components).toEqual([component])
  })
})
