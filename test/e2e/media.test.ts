import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Line } from '../../db/contract/records.ts'
import type { Component } from '../../src/sandbox/state/records.ts'
import { type Files, files, startFiles } from '../media/outgoing/files.ts'
import { issuesOf, type Stack, startStack, user } from './stack.ts'

const cardCount = 10
const card: { components: Component[] } = {
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Card' },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'More' }] },
  ],
}

let stack: Stack
let fileServer: Files
/** What the file server answers; every test starts with a picture for every path. */
let answer: (path: string) => Response | Promise<Response>
const picture = () => new Response(files.png, { headers: { 'content-type': 'image/png' } })

beforeAll(async () => {
  stack = await startStack()
  stack.control.putTemplate({
    name: 'ten_cards',
    language: 'en_US',
    category: 'MARKETING',
    components: [
      { type: 'BODY', text: 'Ten for you.' },
      { type: 'CAROUSEL', cards: Array.from({ length: cardCount }, () => card) },
    ],
  })
  expect(await stack.sync()).toMatchObject({ kind: 'synced' })
  fileServer = startFiles(path => answer(path))
})
beforeEach(() => {
  answer = picture
})
afterEach(() => {
  stack.control.clearFaults()
  fileServer.requests.length = 0
})
afterAll(async () => {
  expect(stack.control.doubles()).toEqual([])
  await stack.stop()
  fileServer.stop()
})

let paths = 0
/** An address that no other test uses. */
function newLink(name = 'a'): string {
  paths += 1
  return `${fileServer.url}/${name}/${paths}`
}
const pathOf = (link: string) => new URL(link).pathname

const photo = (variables: Record<string, string>, more: object = {}) =>
  stack.send({ type: 'template', phone: user, templateName: 'photo_ready', templateVariables: variables, ...more })
const tenCards = (headers: readonly object[], more: object = {}) =>
  stack.send({
    type: 'template',
    phone: user,
    templateName: 'ten_cards',
    carousel: { cards: headers.map((header, index) => ({ index, header: { format: 'image', ...header } })) },
    ...more,
  })
const lastSent = () => stack.sent().at(-1)
const headerOf = (body: { template: { components: { type: string; parameters: unknown[] }[] } }) =>
  body.template.components.find(component => component.type === 'header')?.parameters[0]

/** Uploads that the upstream got: the ids it gave out are on the lines. */
const knownMedia = (line: Line, link: string, format = 'image') =>
  stack.gateway.store.read.media({ lineId: line.id, link, format, at: Date.now() })

describe('header media of a plain template', () => {
  test('201: header_link is fetched, uploaded to the line and sent by its id', async () => {
    const link = newLink()
    const sent = await photo({ header_link: link })
    expect(sent.status).toBe(201)
    expect(sent.json.data.status).toBe('SENT')
    const id = await knownMedia(stack.line, link)
    expect(id).toMatch(/^\d+$/)
    expect(headerOf(lastSent())).toEqual({ type: 'image', image: { id } })
    expect(fileServer.requests).toEqual([pathOf(link)])
  })

  test.each([
    ['video_guide', 'mp4', 'video', { '1': 'aloe' }, {}],
    ['invoice_ready', 'pdf', 'document', { '1': 'R-1', header_filename: 'R-1.pdf' }, { filename: 'R-1.pdf' }],
  ] as const)('201: %s takes a %s', async (templateName, file, format, variables, named) => {
    answer = () => new Response(files[file], { headers: { 'content-type': 'application/octet-stream' } })
    const link = newLink()
    const templateVariables = { ...variables, header_link: link }
    const sent = await stack.send({ type: 'template', phone: user, templateName, templateVariables })
    expect(sent.status).toBe(201)
    const id = await knownMedia(stack.line, link, format)
    expect(headerOf(lastSent())).toEqual({ type: format, [format]: { id, ...named } })
  })

  test('201: header takes the id of an upload; nothing is fetched', async () => {
    const link = newLink()
    await photo({ header_link: link })
    const id = String(await knownMedia(stack.line, link))
    fileServer.requests.length = 0
    const sent = await photo({ header: id })
    expect(sent.status).toBe(201)
    expect(headerOf(lastSent())).toEqual({ type: 'image', image: { id } })
    expect(fileServer.requests).toEqual([])
  })

  test.each([
    [{}, '/templateVariables/header_link'],
    [{ header: '4::aW1hZ2U=' }, '/templateVariables/header'],
    [{ header_link: 'photo.jpg' }, '/templateVariables/header_link'],
    [{ header_link: 'ftp://files.example/a.png' }, '/templateVariables/header_link'],
    [{ header_link: 'https://files.example/a.png', header: '1' }, '/templateVariables/header'],
  ])('400 VALIDATION_ERROR: %p', async (variables, path) => {
    const before = stack.control.totals().requests
    expect(issuesOf(await photo(variables as Record<string, string>)).map(([at]) => at)).toEqual([path])
    expect(stack.control.totals().requests).toBe(before)
  })

  test('400 CHANNEL_GRAPH_ERROR: an id that the upstream does not know is the fault of the request', async () => {
    // Nothing is wrong with the line: its next message goes out.
    const refused = await photo({ header: '999999999999' })
    expect(refused.json).toMatchObject({ error: 'CHANNEL_GRAPH_ERROR', details: { code: 100, subcode: 33 } })
    expect((await photo({ header_link: newLink() })).status).toBe(201)
    expect(refused.status).toBe(400)
  })
})

describe('uploads of one send', () => {
  test('201: ten cards are fetched side by side', async () => {
    const all = Promise.withResolvers<void>()
    let arrived = 0
    answer = async () => {
      arrived += 1
      if (arrived === cardCount) all.resolve()
      // No file is given out before all ten have been asked for.
      await all.promise
      return picture()
    }
    const links = Array.from({ length: cardCount }, () => newLink())
    const sent = await tenCards(links.map(link => ({ link })))
    expect(sent.status).toBe(201)
    expect(fileServer.requests.toSorted()).toEqual(links.map(pathOf).toSorted())
    const carousel = lastSent().template.components.find(({ type }: { type: string }) => type === 'carousel')
    const ids = await Promise.all(links.map(link => knownMedia(stack.line, link)))
    expect(new Set(ids).size).toBe(cardCount)
    expect(carousel.cards).toEqual(
      ids.map((id, index) => ({
        card_index: index,
        components: [{ type: 'header', parameters: [{ type: 'image', image: { id } }] }],
      })),
    )
  })

  test('201: a file that several cards show is fetched and uploaded once', async () => {
    const link = newLink()
    expect((await tenCards(Array.from({ length: cardCount }, () => ({ link })))).status).toBe(201)
    expect(fileServer.requests).toEqual([pathOf(link)])
  })
})

describe('an id is used until it expires', () => {
  test('201: the second send neither fetches nor uploads', async () => {
    const link = newLink()
    await photo({ header_link: link })
    const first = headerOf(lastSent())
    fileServer.requests.length = 0
    stack.control.addFault({ on: 'media', answer: 'error', code: 131053 })
    expect((await photo({ header_link: link })).status).toBe(201)
    expect(headerOf(lastSent())).toEqual(first)
    expect(fileServer.requests).toEqual([])
  })

  test('201: a plain header and a card share it', async () => {
    const link = newLink()
    await photo({ header_link: link })
    const others = Array.from({ length: cardCount - 1 }, () => ({ link: newLink() }))
    fileServer.requests.length = 0
    expect((await tenCards([{ link }, ...others])).status).toBe(201)
    expect(fileServer.requests).not.toContain(pathOf(link))
  })

  test('201: another line uploads anew, and each line sends its own id', async () => {
    const link = newLink()
    const second = await stack.addLine()
    try {
      expect((await photo({ header_link: link }, { phoneNumberId: stack.line.id })).status).toBe(201)
      expect((await photo({ header_link: link }, { phoneNumberId: second.id })).status).toBe(201)
      expect(fileServer.requests).toEqual([pathOf(link), pathOf(link)])
      const [own, other] = [await knownMedia(stack.line, link), await knownMedia(second, link)]
      expect(own).not.toBe(other)
      expect(headerOf(lastSent())).toEqual({ type: 'image', image: { id: other } })
    } finally {
      await stack.gateway.store.write.changeLine({ lineId: second.id, active: false })
    }
  })

  test('201: sends of the same file at the same time wait for one upload', async () => {
    const link = newLink()
    const gate = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    answer = async () => {
      asked.resolve()
      await gate.promise
      return picture()
    }
    const sends = Promise.all(Array.from({ length: 8 }, () => photo({ header_link: link })))
    await asked.promise
    gate.resolve()
    const statuses = (await sends).map(({ status }) => status)
    expect(statuses).toEqual(Array.from({ length: 8 }, () => 201))
    expect(fileServer.requests).toEqual([pathOf(link)])
  })

  test('201: the query of a link counts, another spelling is another file', async () => {
    const link = newLink()
    await photo({ header_link: `${link}?v=1` })
    await photo({ header_link: `${link}?v=2` })
    expect(fileServer.requests).toHaveLength(2)
  })

  test('201: a file that could not be had is asked for again by the next send', async () => {
    const link = newLink()
    answer = () => new Response('gone', { status: 404 })
    expect((await photo({ header_link: link })).status).toBe(400)
    answer = picture
    expect((await photo({ header_link: link })).status).toBe(201)
  })

  const forgetting: readonly [what: string, prepare: (link: string) => Promise<void>, code: number][] = [
    [
      '100 with subcode 33, the id has expired',
      async link => {
        expect(stack.control.expireMedia(String(await knownMedia(stack.line, link)))).toBe(true)
      },
      100,
    ],
    [
      '131053, the file cannot be used',
      async () => {
        stack.control.addFault({ answer: 'error', code: 131053, next: 1 })
      },
      131053,
    ],
  ]
  test.each(forgetting)(
    'after %s it is uploaded again, and the same message is tried once more',
    async (_, prepare, code) => {
      const link = newLink()
      await photo({ header_link: link })
      const first = await knownMedia(stack.line, link)
      await prepare(link)
      const sent = await photo({ header_link: link })
      expect(sent.json).toMatchObject({ success: true, data: { status: 'SENT', failureReason: null } })
      const [now, before] = await stack.messages()
      expect([now?.id, now?.status, before?.status]).toEqual([sent.json.data.id, 'SENT', 'SENT'])
      const timeline = await stack.gateway.store.read.timeline(sent.json.data.id)
      expect(timeline.map(({ kind }) => kind)).toEqual(['deferred', 'dispatched', 'accepted'])
      expect(timeline[0]?.detail).toMatchObject({ code })
      const second = await knownMedia(stack.line, link)
      expect(second).not.toBe(first)
      expect(headerOf(lastSent())).toEqual({ type: 'image', image: { id: second } })
      expect(fileServer.requests).toEqual([pathOf(link), pathOf(link)])
    },
  )

  test('a file that the upstream cannot use is refused after the second time', async () => {
    stack.control.addFault({ answer: 'error', code: 131053, next: 2 })
    const link = newLink()
    const refused = await photo({ header_link: link })
    expect(refused.json).toMatchObject({ error: 'CHANNEL_GRAPH_ERROR', details: { code: 131053, retryable: false } })
    expect(await knownMedia(stack.line, link)).toBeNull()
    expect(fileServer.requests).toEqual([pathOf(link), pathOf(link)])
  })

  test('another refusal forgets nothing', async () => {
    const link = newLink()
    await photo({ header_link: link })
    stack.control.addFault({ answer: 'error', code: 131026, next: 1 })
    expect((await photo({ header_link: link })).status).toBe(400)
    expect(await knownMedia(stack.line, link)).not.toBeNull()
  })
})

describe('400 VALIDATION_ERROR: a file that cannot be had', () => {
  /** Nothing was sent, nothing is stored, nothing counts. */
  async function expectNothing(send: () => ReturnType<Stack['send']>) {
    const before = { requests: stack.control.totals().requests, messages: (await stack.messages()).length }
    const refused = await send()
    expect({ requests: stack.control.totals().requests, messages: (await stack.messages()).length }).toEqual(before)
    return refused
  }

  const notFound = 'the file could not be fetched: its server answered HTTP 404, not found'
  const rows: readonly [what: string, answer: () => Response, message: string][] = [
    ['is not there', () => new Response('', { status: 404 }), notFound],
    ['is of another type', () => new Response(files.webp), 'the file is not a JPEG or PNG image: it is image/webp'],
    ['is too large', () => new Response(new Uint8Array(5 * 1_048_576 + 1)), 'the file is larger than 5 MB'],
    [
      'redirects inside',
      () => new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/' } }),
      'the file leads to an address that is not public',
    ],
    [
      'redirects to something unreadable',
      () => new Response(null, { status: 302, headers: { location: 'http://[' } }),
      'the file leads to something that is not a web address',
    ],
  ]
  test.each(rows)('%s', async (_, given, message) => {
    answer = given
    const refused = await expectNothing(() => photo({ header_link: newLink() }))
    expect(issuesOf(refused)).toEqual([['/templateVariables/header_link', message]])
  })

  test('the upstream refuses it: its reason is in the issue', async () => {
    stack.control.addFault({ on: 'media', answer: 'error', code: 131053, details: 'The film has two tracks.', next: 1 })
    const refused = await expectNothing(() => photo({ header_link: newLink() }))
    const why = 'the upstream platform refused the file: 131053: The film has two tracks.'
    expect(issuesOf(refused)).toEqual([['/templateVariables/header_link', why]])
  })

  test('of ten cards, every one that fails is named with its own reason', async () => {
    answer = path => {
      if (path.startsWith('/gone')) return new Response('', { status: 404 })
      return path.startsWith('/page')
        ? new Response(files.html, { headers: { 'content-type': 'image/png' } })
        : picture()
    }
    const names = ['a', 'gone', 'b', 'page', 'c', 'd', 'e', 'f', 'g', 'gone']
    const headers: { link: string }[] = names.map(name => ({ link: newLink(name) }))
    headers[4] = { link: 'http://127.0.0.1:1/nobody-listens' }
    headers[5] = { link: 'http://10.0.0.1/a.png' }
    const refused = await expectNothing(() => tenCards(headers))
    expect(issuesOf(refused)).toEqual([
      ['/carousel/cards/1/header/link', notFound],
      ['/carousel/cards/3/header/link', 'the file is not a JPEG or PNG image'],
      ['/carousel/cards/4/header/link', 'the file could not be fetched: its server refused the connection'],
      ['/carousel/cards/5/header/link', 'the file leads to an address that is not public'],
      ['/carousel/cards/9/header/link', notFound],
    ])
  })

  test('a link that several cards share is named once, at the first of them', async () => {
    answer = path => (path.startsWith('/gone') ? new Response('', { status: 404 }) : picture())
    const gone = newLink('gone')
    const headers = Array.from({ length: cardCount }, (_, at) => ({ link: at === 2 || at === 7 ? gone : newLink() }))
    expect(issuesOf(await expectNothing(() => tenCards(headers)))).toEqual([
      ['/carousel/cards/2/header/link', notFound],
    ])
  })

  test('cards given by keys are named by their keys', async () => {
    answer = () => new Response('', { status: 404 })
    const variables = Object.fromEntries(
      Array.from({ length: cardCount }, (_, at) => [`c${at}_header_link`, newLink()] as const),
    )
    const refused = await expectNothing(() =>
      stack.send({ type: 'template', phone: user, templateName: 'ten_cards', templateVariables: variables }),
    )
    expect(issuesOf(refused)).toEqual(
      Object.keys(variables).map((key): [string, string] => [`/templateVariables/${key}`, notFound]),
    )
  })

  test('its idempotency key stays free', async () => {
    const link = newLink()
    answer = () => new Response('', { status: 503 })
    const body = { idempotencyKey: `key-${link}` }
    expect((await photo({ header_link: link }, body)).status).toBe(400)
    answer = picture
    const sent = await photo({ header_link: link }, body)
    expect([sent.status, sent.json.data.idempotentReplay]).toEqual([201, false])
  })

  test('wrong values are reported before anything is fetched', async () => {
    const variables = { header_link: newLink(), '9': 'x' }
    expect(issuesOf(await expectNothing(() => photo(variables))).map(([path]) => path)).toEqual([
      '/templateVariables/9',
    ])
    expect(fileServer.requests).toEqual([])
  })
})

describe('502 CHANNEL_GRAPH_ERROR: the upstream cannot take the file', () => {
  const rows: readonly [what: string, fault: Parameters<Stack['control']['addFault']>[0], details: object][] = [
    [
      'the token is no longer good',
      { on: 'media', answer: 'error', code: 190, next: 1 },
      { code: 190, retryable: false },
    ],
    ['it is overloaded', { on: 'media', answer: 'error', code: 131016, next: 1 }, { code: 131016, retryable: true }],
    ['it throttles', { on: 'media', answer: 'error', code: 80007, next: 1 }, { code: 80007, retryable: true }],
    ['a page instead of an answer', { on: 'media', answer: 'html', status: 502, next: 1 }, { code: null }],
    ['the connection breaks', { on: 'media', answer: 'reset', next: 1 }, { code: null }],
    ['the answer breaks off', { on: 'media', answer: 'truncated', next: 1 }, { code: null }],
  ]
  test.each(rows)('%s: no message exists, and a retry may succeed', async (_, fault, details) => {
    const before = { requests: stack.control.totals().requests, messages: (await stack.messages()).length }
    const link = newLink()
    stack.control.addFault(fault)
    const refused = await photo({ header_link: link })
    expect(refused.status).toBe(502)
    expect(refused.json).toMatchObject({ error: 'CHANNEL_GRAPH_ERROR', details })
    expect({ requests: stack.control.totals().requests, messages: (await stack.messages()).length }).toEqual(before)
    expect((await photo({ header_link: link })).status).toBe(201)
  })
})
