import { beforeAll, describe, expect, test } from 'bun:test'
import { Value } from 'typebox/value'
import { messageTypes } from '../../../src/message/words.ts'
import { idempotencyKeyLengthMax, mapKeyPattern, sendBodySchema } from '../../../src/operations/sends/sendSchema.ts'
import { sharedFixture } from '../../fixture.ts'
import { startTestGateway } from '../../gateway.ts'
import { messageFields } from '../messageAnswer.ts'
import {
  answerAt,
  contact,
  contacts,
  events,
  inbound,
  inboundMessage,
  inboundRead,
  type OpenApi,
  operationAt,
  readDocument,
  type Schema,
  send,
  status,
  templates,
} from './openapi.ts'

const gateway = sharedFixture(startTestGateway)
let document: OpenApi
beforeAll(async () => {
  document = await readDocument(gateway)
})

type Properties = Record<string, Record<string, unknown>>

const limits = [
  'type',
  'const',
  'enum',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'maxItems',
  'maxProperties',
] as const

/** Every field below a schema, as `branch.field[].field`, with its limits; `$ref` is followed. */
function propertiesOf(schema: Schema, path = '', properties: Properties = {}): Properties {
  const reference = schema.$ref
  if (typeof reference === 'string') {
    const named = document.components.schemas[reference.split('/').at(-1) ?? '']
    if (!named) throw new Error(`${reference} leads nowhere`)
    return propertiesOf(named, path, properties)
  }
  const known = limits.flatMap(name => (name in schema ? [[name, schema[name]]] : []))
  properties[path] = { ...properties[path], ...Object.fromEntries(known) }
  const required = Array.isArray(schema.required) ? schema.required : []
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const here = `${path}.${name}`
    properties[here] = { required: required.includes(name) }
    propertiesOf(field, here, properties)
  }
  const branches = (schema.oneOf ?? schema.anyOf ?? []) as Schema[]
  branches.forEach((branch, at) => {
    propertiesOf(branch, `${path}|${at}`, properties)
  })
  if (schema.items) propertiesOf(schema.items as Schema, `${path}[]`, properties)
  const inMap =
    (schema.patternProperties as Record<string, Schema> | undefined)?.[mapKeyPattern] ?? schema.additionalProperties
  if (inMap && typeof inMap === 'object') propertiesOf(inMap as Schema, `${path}{}`, properties)
  return properties
}

describe('the send body', () => {
  test('shows every field of the schema that validates, with every limit', () => {
    const documented = operationAt(document, send).requestBody?.content['application/json']?.schema ?? {}
    const properties = propertiesOf(documented)
    expect(Object.keys(properties).length).toBeGreaterThan(50)
    expect(properties).toEqual(propertiesOf(JSON.parse(JSON.stringify(sendBodySchema))))
  })

  test.each(['TextSend', 'TemplateSend', 'InteractiveSend'])('%s goes to exactly one recipient', name => {
    const { required: _, ...schema } = document.components.schemas[name] ?? {}
    const isValid = (recipient: object) =>
      Value.Check({ ...schema, properties: {}, additionalProperties: true }, recipient)
    const recipients = { phone: '+4915112345678', contactId: 'contact_1', userId: 'US.1' }
    const named = Object.keys(recipients) as (keyof typeof recipients)[]
    for (const name of named) {
      const { [name]: value, ...others } = recipients
      expect([isValid({ [name]: value }), isValid(others)]).toEqual([true, false])
    }
    expect([isValid({}), isValid(recipients)]).toEqual([false, false])
  })

  test('maps are shown as objects that take any key, with the limit of their values', () => {
    const { TemplateSend, CarouselCard } = document.components.schemas
    const { templateVariables, bodyParameters } = TemplateSend?.properties ?? {}
    for (const map of [templateVariables, bodyParameters, CarouselCard?.properties?.bodyValues]) {
      expect(map).toMatchObject({ type: 'object', additionalProperties: { type: 'string', maxLength: 4096 } })
      expect(map).not.toHaveProperty('patternProperties')
    }
  })

  const titles = messageTypes.map(type => `${type[0]?.toUpperCase()}${type.slice(1)}Send`)

  test('is one of the named schemas of its types, told apart by type, as JSON only', () => {
    expect(Object.keys(operationAt(document, send).requestBody?.content ?? {})).toEqual(['application/json'])
    expect(document.components.schemas.SendBody).toMatchObject({
      oneOf: titles.map(name => ({ $ref: `#/components/schemas/${name}` })),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(messageTypes.map((type, at) => [type, `#/components/schemas/${titles[at]}`])),
      },
    })
  })

  test.each([...titles, 'SentCard', 'SentCardName', 'CarouselCard', 'CardHeader', 'CardButtonValue'])(
    '%s says what each field is, and that others are refused',
    name => {
      const schema = document.components.schemas[name]
      expect(schema?.additionalProperties).toBe(false)
      for (const [field, { description, $ref }] of Object.entries(schema?.properties ?? {}))
        expect([field, typeof (description ?? $ref)]).toEqual([field, 'string'])
    },
  )

  test("names the contract's fields of a forwarded component", () => {
    const fields = Object.keys(document.components.schemas.TemplateComponent?.properties ?? {})
    expect(fields).toEqual(expect.arrayContaining(['type', 'sub_type', 'index', 'parameters']))
    expect(JSON.stringify(document.components.schemas.TemplateComponent)).toContain('card_index')
  })
})

describe('parameters', () => {
  const parameters = (path: string) => operationAt(document, path).parameters.filter(({ $ref }) => $ref === undefined)

  test('Idempotency-Key has the limit of the field', () => {
    expect(parameters(send)).toEqual([
      expect.objectContaining({
        name: 'Idempotency-Key',
        in: 'header',
        schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyLengthMax },
      }),
    ])
  })

  test('the message id is in the path, the filters are in the query', () => {
    const places = (path: string) => parameters(path).map(({ name, in: place, required }) => [name, place, required])
    expect(places(status)).toEqual([
      ['messageId', 'path', true],
      ['wait', 'query', false],
      ['for', 'query', false],
    ])
    expect(places(contacts)).toEqual(['phone', 'userId'].map(name => [name, 'query', false]))
    expect(places(events)).toEqual(['after', 'limit', 'type', 'wait'].map(name => [name, 'query', false]))
    expect(places(inbound)).toEqual(
      ['after', 'contactId', 'lineId', 'limit', 'raw'].map(name => [name, 'query', false]),
    )
    for (const path of [inboundMessage, inboundRead])
      expect(parameters(path)[0]).toMatchObject({ name: 'inboundId', in: 'path', required: true })
    expect(places(templates)).toEqual([
      ['name', 'query', false],
      ['language', 'query', false],
      ['If-None-Match', 'header', false],
    ])
  })

  test('every operation takes X-Request-Id', () => {
    for (const path of [send, status, templates, events, contact, contacts, inbound, inboundMessage, inboundRead])
      expect(operationAt(document, path).parameters).toContainEqual({ $ref: '#/components/parameters/RequestId' })
  })
})

describe('successes', () => {
  const schemaAt = (path: string, code: number) => answerAt(document, path, code).content?.['application/json']?.schema

  test('a message looks the same from send, replay and status', () => {
    for (const [path, code] of [
      [send, 201],
      [send, 200],
      [status, 200],
    ] as const)
      expect(schemaAt(path, code)).toEqual({ $ref: '#/components/schemas/MessageAnswer' })
    expect(Object.keys(document.components.schemas.Message?.properties ?? {})).toEqual(messageFields)
  })

  test('a template record says which variables a send must fill', () => {
    expect(schemaAt(templates, 200)).toEqual({ $ref: '#/components/schemas/TemplateList' })
    expect(document.components.schemas.Template?.properties?.variables).toMatchObject({ type: 'array' })
  })

  test('real answers have the documented fields, no more and no fewer', async () => {
    await gateway.addTemplates({ name: 'hello', components: JSON.stringify([{ type: 'BODY', text: 'Hi {{1}}' }]) })
    const sent = await gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hi' })
    const list = await gateway.get('/api/v1/public/templates')
    const { id, workspaceId } = { id: 'contact_1', workspaceId: gateway.workspaceId }
    const person = { id, workspaceId, phone: '+4915112345678', userId: null, name: 'Ada', createdAt: 1, updatedAt: 1 }
    await gateway.gateway.store.write.saveContact(person)
    const known = await gateway.get(`/api/v1/public/contacts/${id}`)
    const { Contact, ContactWindow, Message, Template } = document.components.schemas
    expect(Object.keys(known.json.data).sort()).toEqual(Object.keys(Contact?.properties ?? {}).sort())
    expect(Object.keys(known.json.data.window).sort()).toEqual(Object.keys(ContactWindow?.properties ?? {}).sort())
    expect(Object.keys(sent.json.data).sort()).toEqual(Object.keys(Message?.properties ?? {}).sort())
    expect(Object.keys(list.json.data.templates[0]).sort()).toEqual(Object.keys(Template?.properties ?? {}).sort())
  })
})
