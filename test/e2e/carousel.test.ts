import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Files, files, startFiles } from '../media/outgoing/files.ts'
import { issuesOf, type Stack, startStack, user } from './stack.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies are read as they are written, whatever their shape
type Json = any

let stack: Stack
let fileServer: Files
/** Uploads of the tests' own, by which cards can be given without a link. */
let ids: string[]

beforeAll(async () => {
  stack = await startStack()
  fileServer = startFiles(path => new Response(path.endsWith('.mp4') ? files.mp4 : files.png))
  await stack.sync()
  // Two uploads through a send of their own: the gateway keeps which id each link has.
  const links = ['one.png', 'two.png', 'three.png'].map(name => `${fileServer.url}/${name}`)
  await send({
    carousel: { cards: links.map((link, index) => ({ ...card(index), header: { format: 'image', link } })) },
  })
  ids = lastCards().map((sent: Json) => sent.components[0].parameters[0].image.id)
  expect(ids).toHaveLength(3)
})
beforeEach(() => {
  fileServer.requests.length = 0
})
afterAll(async () => {
  expect(stack.control.doubles()).toEqual([])
  await stack.stop()
  fileServer.stop()
})

/**
 * `plant_carousel`: main body {{1}}; three cards, each an image, `{{1}} from {{2}} euros`, a quick reply, a URL {{1}}.
 */
const send = (values: object) =>
  stack.send({
    type: 'template',
    phone: user,
    templateName: 'plant_carousel',
    templateVariables: { '1': 'Ada' },
    ...values,
  })
const card = (index: number, more: object = {}): Json => ({
  index,
  header: { format: 'image', id: ids?.[0] ?? '' },
  bodyValues: { '1': `Plant-${index}`, '2': '12' },
  buttonValues: [{ index: 1, sub_type: 'url', parameters: { type: 'text', text: `plant-${index}` } }],
  ...more,
})
const cards = (...all: object[]) => ({ carousel: { cards: all } })
const lastComponents = (): Json => stack.sent().at(-1)?.template.components
const lastCards = (): Json => lastComponents().find(({ type }: { type: string }) => type === 'carousel').cards

const text = (value: string) => ({ type: 'text', text: value })
/** A card as the upstream has to get it. */
const wireCard = (index: number, id: string, name: string, price: string, suffix: string) => ({
  card_index: index,
  components: [
    { type: 'header', parameters: [{ type: 'image', image: { id } }] },
    { type: 'body', parameters: [text(name), text(price)] },
    { type: 'button', sub_type: 'url', index: '1', parameters: [text(suffix)] },
  ],
})

describe('structured cards', () => {
  test('201: numeric bodyValues, buttonValues and a header by id are what the upstream gets', async () => {
    const sent = await send(
      cards(...[0, 1, 2].map(index => card(index, { header: { format: 'image', id: ids[index] } }))),
    )
    expect(sent.status).toBe(201)
    expect(lastComponents()).toEqual([
      { type: 'body', parameters: [text('Ada')] },
      {
        type: 'carousel',
        cards: [0, 1, 2].map(index => wireCard(index, ids[index] ?? '', `Plant-${index}`, '12', `plant-${index}`)),
      },
    ])
  })

  test('201: numeric keys name their slot, in whatever order they stand', async () => {
    const body = `{"type":"template","phone":"${user}","templateName":"plant_carousel","bodyParameters":{"1":"Ada"},
      "carousel":{"cards":[${[0, 1, 2]
        .map(
          index => `{"index":${index},"bodyValues":{"2":"9","1":"Fern"},"header":{"format":"image","id":"${ids[0]}"},
          "buttonValues":[{"index":1,"sub_type":"url","parameters":{"type":"text","text":"fern"}}]}`,
        )
        .join()}]}}`
    expect((await stack.send(body)).status).toBe(201)
    expect(lastCards()[2].components[1].parameters).toEqual([text('Fern'), text('9')])
  })

  test.each([
    ['name first', '{"name":"Aloe","price":"12"}', ['Aloe', '12']],
    ['price first', '{"price":"12","name":"Aloe"}', ['12', 'Aloe']],
    ['names that look like other things', '{"__proto__x":"a","constructor":"b"}', ['a', 'b']],
  ])('201: named bodyValues fill the slots in the order of their JSON keys, %s', async (_, bodyValues, expected) => {
    const body = JSON.stringify({
      type: 'template',
      phone: user,
      templateName: 'plant_carousel',
      templateVariables: { '1': 'Ada' },
      carousel: { cards: [0, 1, 2].map(index => card(index, { bodyValues: 'HERE' })) },
    }).replaceAll('"HERE"', bodyValues)
    const sent = await stack.send(body)
    expect(sent.status).toBe(201)
    for (const sentCard of lastCards()) expect(sentCard.components[1].parameters).toEqual(expected.map(text))
  })

  test('201: a quick reply needs nothing, and its text becomes the payload when given', async () => {
    const url = { index: 1, sub_type: 'url', parameters: { type: 'text', text: 'aloe' } }
    const sent = await send(
      cards(
        card(0),
        card(1, {
          buttonValues: [{ index: 0, sub_type: 'quick_reply', parameters: { type: 'text', text: 'fern' } }, url],
        }),
        card(2, {
          buttonValues: [url, { index: 0, sub_type: 'quick_reply', parameters: { type: 'payload', payload: 'ivy' } }],
        }),
      ),
    )
    expect(sent.status).toBe(201)
    const replies = lastCards().map(({ components }: Json) =>
      components.find(({ sub_type }: Json) => sub_type === 'quick_reply'),
    )
    const reply = (payload: string) => ({
      type: 'button',
      sub_type: 'quick_reply',
      index: '0',
      parameters: [{ type: 'payload', payload }],
    })
    expect(replies).toEqual([undefined, reply('fern'), reply('ivy')])
  })

  test('201: cards may stand in any order; each keeps its index, an integer', async () => {
    expect((await send(cards(card(2), card(0), card(1)))).status).toBe(201)
    const sent = lastCards()
    expect(sent.map(({ card_index }: Json) => card_index).toSorted()).toEqual([0, 1, 2])
    for (const { card_index, components } of sent) {
      expect(components[1].parameters[0]).toEqual(text(`Plant-${card_index}`))
    }
  })

  test('201: a header by link is uploaded, and its id is sent', async () => {
    const links = [0, 1, 2].map(index => `${fileServer.url}/link-${index}.png`)
    const headers = links.map((link, index) => card(index, { header: { format: 'IMAGE', link } }))
    expect((await send(cards(...headers))).status).toBe(201)
    const sent = lastCards().map(({ components }: Json) => components[0].parameters[0])
    for (const parameter of sent)
      expect(parameter).toEqual({ type: 'image', image: { id: expect.stringMatching(/^\d+$/) } })
    expect(new Set(sent.map(({ image }: Json) => image.id)).size).toBe(3)
    expect(fileServer.requests.toSorted()).toEqual(['/link-0.png', '/link-1.png', '/link-2.png'])
  })

  test('201: cards with a film and without a body', async () => {
    const headers = ['a.mp4', 'b.mp4'].map((name, index) => ({
      index,
      header: { format: 'video', link: `${fileServer.url}/${name}` },
    }))
    const sent = await stack.send({
      type: 'template',
      phone: user,
      templateName: 'clip_carousel',
      ...cards(...headers),
    })
    expect(sent.status).toBe(201)
    expect(lastCards()).toEqual(
      [0, 1].map(index => ({
        card_index: index,
        components: [
          { type: 'header', parameters: [{ type: 'video', video: { id: expect.stringMatching(/^\d+$/) } }] },
        ],
      })),
    )
  })
})

describe('cards by keys', () => {
  test('the list names exactly the keys that a send must fill', async () => {
    const listed = await stack.get('/api/v1/public/templates?name=plant_carousel')
    expect(listed.json.data.templates[0].variables).toEqual([
      '1',
      ...[0, 1, 2].flatMap(index => [`c${index}_header_link`, `c${index}_1`, `c${index}_2`]),
    ])
  })
})

describe('both ways at once', () => {
  test('201: bodyParameters alone fill the main bubble', async () => {
    const sent = await send({
      templateVariables: undefined,
      bodyParameters: { '1': 'Grace' },
      ...cards(card(0), card(1), card(2)),
    })
    expect(sent.status).toBe(201)
    expect(lastComponents()[0]).toEqual({ type: 'body', parameters: [text('Grace')] })
  })

  test('201: templateComponents are forwarded untouched, card_index and all', async () => {
    const templateComponents = [
      { type: 'body', parameters: [text('Ada')] },
      {
        type: 'carousel',
        cards: [0, 1, 2].map(index => wireCard(index, ids[0] ?? '', 'a', 'b', 'c')),
      },
    ]
    const sent = await send({ templateVariables: undefined, templateLanguage: 'en_US', templateComponents })
    expect(sent.status).toBe(201)
    expect(lastComponents()).toEqual(templateComponents)
  })

  test('400 CHANNEL_GRAPH_ERROR: the upstream rejects forwarded cards without card_index', async () => {
    const templateComponents = [
      { type: 'body', parameters: [text('Ada')] },
      {
        type: 'carousel',
        cards: [0, 1, 2].map(index => ({ ...wireCard(index, ids[0] ?? '', 'a', 'b', 'c'), card_index: undefined })),
      },
    ]
    const sent = await send({ templateVariables: undefined, templateLanguage: 'en_US', templateComponents })
    expect([sent.status, sent.json.error]).toEqual([400, 'CHANNEL_GRAPH_ERROR'])
  })
})

/** One by one: `test/templates/carousel-refusals.test.ts` and `test/templates/renderComponents.test.ts`. */
test('400 VALIDATION_ERROR: all that does not fit the stored template is named at once, and nothing is fetched or sent', async () => {
  const before = { requests: stack.control.totals().requests, messages: (await stack.messages()).length }
  const refused = await send({
    templateVariables: { c9_1: 'x' },
    bodyParameters: { '7': 'x' },
    ...cards(
      card(0, { bodyValues: { '1': 'a' }, buttonValues: [] }),
      card(0),
      card(1, { header: { format: 'video', id: '4::x' } }),
      card(7),
    ),
  })
  expect(issuesOf(refused).map(([path]) => path)).toEqual([
    '/bodyParameters/7',
    '/carousel/cards',
    '/carousel/cards/0/bodyValues/2',
    '/carousel/cards/0/buttonValues',
    '/carousel/cards/1/index',
    '/carousel/cards/2/header/format',
    '/carousel/cards/2/header/id',
    '/carousel/cards/3/index',
    '/templateVariables/1',
    '/templateVariables/c9_1',
  ])
  expect({ requests: stack.control.totals().requests, messages: (await stack.messages()).length }).toEqual(before)
  expect(fileServer.requests).toEqual([])
})
