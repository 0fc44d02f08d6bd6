import { describe, expect, test } from 'bun:test'
import { readPhone } from '../../../src/base/phone.ts'
import { checkInteractive } from '../../../src/interactive/check.ts'
import { checkSendBody } from '../../../src/operations/sends/sendBody.ts'
import { type InteractiveLimit, interactiveLimits } from '../../../src/partner/interactiveLimits.ts'
import { sendExamples } from '../../../src/partner/sendExamples.ts'
import { SAMPLES } from '../../../src/sandbox/state/samples.ts'
import { renderTemplate } from '../../../src/templates/renderComponents.ts'
import { parseTemplate } from '../../../src/templates/shape.ts'
import { button, call, carousel, flow, link, list, products } from '../../interactive/samples.ts'
import { record } from '../../templates/fixtures.ts'

/** The examples speak of the sandbox's templates. */
const componentsOf = (name: string) =>
  SAMPLES.find(sample => sample.name === name && sample.language === 'en_US')?.components ?? []

describe('send examples', () => {
  const examples = Object.entries(sendExamples)

  test('pass the real checks, and fill their templates completely', () => {
    for (const [title, { value }] of examples) {
      const checked = checkSendBody(value)
      expect([title, checked]).toMatchObject([title, { ok: true }])
      if (!checked.ok || checked.value.content.type !== 'template' || checked.value.content.components) continue
      const { name, values } = checked.value.content
      const rendered = renderTemplate(parseTemplate(record(componentsOf(name), { name })), values)
      expect([title, rendered.ok ? [] : rendered.issues]).toEqual([title, []])
    }
  })

  test('each has an idempotency key of its own', () => {
    const keys = examples.map(([, { value }]) => value.idempotencyKey)
    expect(keys.every(key => typeof key === 'string')).toBe(true)
    expect(new Set(keys).size).toBe(examples.length)
  })

  test('there is one for each way to send', () => {
    const bodies = examples.map(([, { value }]) => value as Record<string, unknown>)
    const used = new Set(bodies.flatMap(body => Object.keys(body)))
    const fields = [
      ...['address', 'bodyParameters', 'caption', 'carousel', 'contactId', 'contacts', 'content', 'emoji', 'fileName'],
      ...['idempotencyKey', 'latitude', 'link', 'longitude', 'mediaId', 'messageId', 'name', 'phone', 'phoneNumberId'],
      ...['replyTo', 'revalidateFlowSession', 'templateComponents', 'templateLanguage', 'templateName'],
      ...['templateVariables', 'type', 'userId'],
    ]
    expect([...used].sort()).toEqual(fields)
    const kinds = bodies.flatMap(({ type, content }) =>
      type === 'interactive' ? [JSON.parse(String(content)).type] : [],
    )
    expect(kinds).toEqual(['button', 'list', 'cta_url', 'flow'])
    const keys = bodies.flatMap(({ templateVariables }) => Object.keys(templateVariables ?? {}))
    expect(keys).toEqual(
      expect.arrayContaining(['1', '2', 'header_link', 'copy_code', 'c0_1', 'c0_header_link', 'c1_header']),
    )
  })

  test('go to numbers that could exist', () => {
    for (const [, { value }] of examples)
      if ('phone' in value) expect(readPhone(String(value.phone))).toMatchObject({ ok: true })
  })
})

/** A payload that keeps every limit, where one field can be set. Ids stay unique. */
const samples = { button, list, cta_url: link, flow, voice_call: call, product_list: products, carousel }

/** Sets the field, following `[]` into first elements. A list is filled with numbered copies of its first element. */
function withField(payload: Record<string, unknown>, { field, unit }: InteractiveLimit, size: number) {
  const names = field.replaceAll('[]', '.0').split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce<Record<string, unknown>>((value, name) => value[name] as Record<string, unknown>, payload)
  if (unit === 'characters') parent[last] = 'x'.repeat(size)
  else parent[last] = Array.from({ length: size }, (_, at) => numbered((parent[last] as unknown[])[0], at))
  return payload
}

/** A copy of an element with ids, titles and a place of its own. */
const numbered = (element: unknown, at: number) =>
  JSON.parse(
    JSON.stringify(element)
      .replace(/"(id|title)":"[^"]*"/g, (_, name) => `"${name}":"${name}${at}"`)
      .replace(/"card_index":\d+/, `"card_index":${at}`),
  )

/** Kinds without a header of their own, or without a footer, have no such limit. */
const without: Readonly<Record<string, readonly string[]>> = {
  carousel: ['header.text', 'footer.text'],
  voice_call: ['footer.text'],
}

const rows = interactiveLimits.flatMap(limit =>
  (limit.kind ? [limit.kind] : Object.keys(samples))
    .filter(kind => !without[kind]?.includes(limit.field))
    .map(kind => [`${kind} ${limit.field}`, kind as keyof typeof samples, limit] as const),
)

describe('documented limits of interactive payloads', () => {
  const plain = (kind: keyof typeof samples): Record<string, unknown> => {
    const payload = JSON.parse(JSON.stringify(samples[kind]()))
    // A single section, so that what is counted is the field alone.
    if (kind === 'list') payload.action.sections.length = 1
    return kind === 'carousel' ? payload : { ...payload, header: { type: 'text', text: 'x' } }
  }
  const isTaken = (payload: object) => checkInteractive(JSON.stringify(payload)).ok

  test.each(rows)('%s', (_, kind, limit) => {
    expect(isTaken(withField(plain(kind), limit, limit.max))).toBe(true)
    expect(isTaken(withField(plain(kind), limit, limit.max + 1))).toBe(false)
  })
})

test('the documented number of forwarded components is the real one', () => {
  const components = (count: number) => Array.from({ length: count }, () => ({ type: 'body' }))
  const body = (count: number) => ({
    type: 'template',
    phone: '+4915112345678',
    templateName: 'any',
    templateComponents: components(count),
  })
  expect([20, 21, 0].map(count => checkSendBody(body(count)).ok)).toEqual([true, false, true])
})
