import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SAMPLES } from '../../src/sandbox/state/samples.ts'
import { type Stack, startStack, user } from './stack.ts'

interface NamedExample {
  param_name: string
  example: string
}

/**
 * A component of a listed template (`text`, `example`, `buttons`, `cards`) or of a send (`index`, `parameters`,
 * `cards`).
 */
interface Component {
  type: string
  format?: string
  text?: string
  example?: {
    header_text?: string[]
    header_text_named_params?: NamedExample[]
    body_text?: string[][]
    body_text_named_params?: NamedExample[]
  }
  buttons?: { url?: string; example?: string[] }[]
  cards?: { components: Component[] }[]
  index?: string
  parameters?: { type: string; text?: string; parameter_name?: string; action?: object }[]
}

let stack: Stack
beforeAll(async () => {
  // No private network is open to links: the files of the examples are the sandbox's own.
  stack = await startStack({ env: { MEDIA_ALLOWED_NETWORKS: '' } })
  await stack.sync()
})
afterAll(() => stack.stop())

const part = (components: readonly Component[], type: string): Component | undefined =>
  components.find(component => component.type.toUpperCase() === type)

/** Puts texts into the placeholders: by number, or by name. */
const fill = (text: string, texts: ReadonlyMap<string, string>) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, key) => texts.get(key) ?? `{{${key}}}`)

/** What the template's author wrote as examples, place by place: header, body and URL buttons, then the cards. */
function intended(components: readonly Component[], isCode: boolean): string[] {
  const named = (list: NamedExample[] = []) => list.map(({ param_name, example }) => [param_name, example] as const)
  const row = (texts: string[] = []) => texts.map((text, at) => [String(at + 1), text] as const)
  return components.flatMap(({ type, format, text = '', example = {}, buttons = [], cards = [] }) => {
    if (type === 'HEADER' && format === 'TEXT')
      return [fill(text, new Map([...row(example.header_text), ...named(example.header_text_named_params)]))]
    if (type === 'BODY')
      return [fill(text, new Map([...row(example.body_text?.[0]), ...named(example.body_text_named_params)]))]
    if (type === 'BUTTONS' && !isCode)
      return buttons.flatMap(({ url, example: [suffix = ''] = [] }) =>
        url?.includes('{{') ? [fill(url, new Map([['1', suffix]]))] : [],
      )
    return cards.flatMap(card => intended(card.components, false))
  })
}

/** What the upstream shows of a send. */
function shown(components: readonly Component[], sent: readonly Component[], isCode: boolean): string[] {
  const texts = (component: Component | undefined) =>
    new Map<string, string>(
      (component?.parameters ?? []).map(({ text = '', parameter_name }, at) => [
        parameter_name ?? String(at + 1),
        text,
      ]),
    )
  return components.flatMap(({ type, format, text = '', buttons = [], cards = [] }) => {
    if (type === 'HEADER' && format === 'TEXT') return [fill(text, texts(part(sent, 'HEADER')))]
    if (type === 'BODY') return [fill(text, texts(part(sent, 'BODY')))]
    if (type === 'BUTTONS' && !isCode)
      return buttons.flatMap(({ url }, at) => {
        const button = sent.find(component => component.type === 'button' && component.index === String(at))
        return url?.includes('{{') ? [fill(url, texts(button))] : []
      })
    const sentCards = part(sent, 'CAROUSEL')?.cards ?? []
    return cards.flatMap((card, at) => shown(card.components, sentCards[at]?.components ?? [], false))
  })
}

const approved = SAMPLES.filter(({ status = 'APPROVED' }) => status === 'APPROVED')

test.each(approved.map(({ name, language }) => [name, language]))(
  '%s (%s): the example values of the list, sent as they are, show the text that the examples intend',
  async (name, language) => {
    const { json } = await stack.get(`/api/v1/public/templates?name=${name}&language=${language}`)
    const [{ components, category, exampleValues }] = json.data.templates
    const before = stack.sent().length
    const sent = await stack.send({
      type: 'template',
      phone: user,
      templateName: name,
      templateLanguage: language,
      ...exampleValues,
    })
    expect([sent.status, sent.json.data?.status ?? sent.text]).toEqual([201, 'SENT'])
    const isCode = category === 'AUTHENTICATION'
    const arrived = stack.sent()[before].template.components ?? []
    const seen = shown(components, arrived, isCode)
    expect(seen).toEqual(intended(components, isCode))
    expect(seen.join()).not.toContain('{{')
  },
)

test.each([
  ['pickup_point', ['its header is of the kind location']],
  ['weekend_offer', ['its limited-time offer has an expiration time']],
  ['product_carousel', [0, 1].map(card => `the header of card ${card} is of the kind product`)],
])('%s says which parts only templateComponents can fill, and lists no key', async (name, needsComponents) => {
  const { json } = await stack.get(`/api/v1/public/templates?name=${name}`)
  const [{ sendableWith, variables, sharedVariables, exampleValues, ...template }] = json.data.templates
  expect(template.needsComponents).toEqual(needsComponents)
  expect({ sendableWith, variables, sharedVariables }).toEqual({
    sendableWith: 'templateComponents',
    variables: [],
    sharedVariables: [],
  })
  expect(Object.keys(exampleValues)).toEqual(['templateComponents'])
})

test('a header, a body and an address that share {{1}} show three different texts', async () => {
  const { json } = await stack.get('/api/v1/public/templates?name=plant_of_the_week')
  const [{ sharedVariables, exampleValues, variables }] = json.data.templates
  expect(variables).toEqual(['1', '2'])
  expect(sharedVariables).toEqual([{ variable: '1', places: ['header', 'body', 'URL button 0'] }])
  expect(Object.keys(exampleValues)).toEqual(['templateComponents'])
})

test('a header and a body that share {{1}} show two different texts', async () => {
  const { json } = await stack.get('/api/v1/public/templates?name=season_opening')
  const [{ exampleValues }] = json.data.templates
  expect(exampleValues).toEqual({
    templateVariables: { '1': 'Summer Sale', '2': '25OFF', '3': '25%' },
    bodyParameters: { '1': 'the end of August' },
  })
})

test("a flow button takes its token and its data from the send's keys", async () => {
  const before = stack.sent().length
  const templateVariables = { '1': 'Ada', flow_token: 'visit-17', flow_action_data: '{"name":"Ada"}' }
  const sent = await stack.send({ type: 'template', phone: user, templateName: 'book_visit', templateVariables })
  expect(sent.status).toBe(201)
  expect(part(stack.sent()[before].template.components, 'BUTTON')?.parameters).toEqual([
    { type: 'action', action: { flow_token: 'visit-17', flow_action_data: { name: 'Ada' } } },
  ])
})
