import { describe, expect, test } from 'bun:test'
import { refusalSentence } from '../../src/graph/templateRefusals.ts'
import type { Exchange } from '../../src/transport/transport.ts'
import { freshFixture } from '../fixture.ts'
import { json, recordedClient } from './recordedClient.ts'

let answers: Exchange[]

const client = freshFixture(() => recordedClient(() => answers.shift() ?? { kind: 'lost', why: 'no answer' }))

const account = { accountId: '100001', accessToken: 'EAAG' }
const template = {
  name: 'order_ready',
  language: 'en_US',
  category: 'UTILITY',
  parameter_format: 'POSITIONAL',
  components: [{ type: 'BODY', text: 'Your order is ready.' }],
} as const
const create = () => client.createTemplate({ ...account, template })
const refusal = (error: object, status = 400) => json(status, { error: { code: 100, fbtrace_id: 'A1', ...error } })

describe('createTemplate', () => {
  test('posts the template to the account, and reads id, status and the category that the upstream chose', async () => {
    answers = [json(200, { id: '1689556908129832', status: 'PENDING', category: 'MARKETING' })]
    expect(await create()).toEqual({
      kind: 'done',
      id: '1689556908129832',
      status: 'PENDING',
      category: 'MARKETING',
    })
    const [request] = client.asked
    expect(request?.method).toBe('POST')
    expect(request?.url).toBe('https://graph.example.com/v25.0/100001/message_templates')
    expect(JSON.parse(String(request?.body))).toEqual(template)
    expect(request?.headers).toMatchObject({ authorization: 'Bearer EAAG', 'content-type': 'application/json' })
  })

  test.each([
    [2388024, 'has a template in this language already'],
    [2388019, 'as many templates as it may have'],
    [2388293, 'too many variables'],
    [2388299, 'begins or ends with a variable'],
    [2388039, 'cannot be edited now'],
    [2388023, 'The name is blocked'],
    [2388046, 'The name has a form'],
  ])('refused with %i: our words, then the words of the upstream', async (error_subcode, words) => {
    answers = [
      refusal({
        error_subcode,
        error_user_title: 'Ein Titel',
        error_user_msg: 'Ein Satz.',
        error_data: { blame_field_specs: [['name']] },
      }),
    ]
    const result = await create()
    expect(result).toMatchObject({
      kind: 'refused',
      refusal: {
        title: 'Ein Titel',
        words: 'Ein Satz.',
        fields: ['name'],
        fault: { code: 100, subcode: error_subcode },
      },
    })
    if (result.kind !== 'refused') throw new Error('not refused')
    expect(refusalSentence(result.refusal)).toContain(words)
    expect(refusalSentence(result.refusal)).toEndWith('(The upstream platform: Ein Satz.)')
  })

  test('a refusal that we do not know is told in the words of the upstream, without the token', async () => {
    answers = [refusal({ error_subcode: 1, error_user_msg: 'No EAAG here.' })]
    const result = await create()
    if (result.kind !== 'refused') throw new Error('not refused')
    expect(refusalSentence(result.refusal)).toBe('The upstream platform refused it: No (hidden) here.')
  })

  test.each([
    ['a lost answer', { kind: 'lost', why: 'reset' } as const, true],
    ['nothing sent', { kind: 'notSent', why: 'refused' } as const, false],
    ['a page of a proxy', json(502, '<html>'), true],
    ['a success that cannot be read', json(200, {}), true],
  ])('%s: whether it may have happened is said, and it is not repeated', async (_, exchange, mayHaveHappened) => {
    answers = [exchange]
    expect(await create()).toMatchObject({ kind: 'unreachable', mayHaveHappened })
    expect(client.asked).toHaveLength(1)
  })
})

test('editTemplate posts to the template what changes', async () => {
  answers = [json(200, { success: true })]
  const change = { category: 'UTILITY', components: template.components }
  expect(await client.editTemplate({ upstreamId: '168', accessToken: 'EAAG', change })).toEqual({
    kind: 'done',
  })
  expect(client.asked[0]).toMatchObject({ method: 'POST', url: 'https://graph.example.com/v25.0/168' })
  expect(JSON.parse(String(client.asked[0]?.body))).toEqual(change)
})

test('deleteTemplate names all languages by the name, and one by the id and the name', async () => {
  answers = [json(200, { success: true }), json(200, { success: true })]
  await client.deleteTemplate({ ...account, name: 'order_ready', upstreamId: null })
  await client.deleteTemplate({ ...account, name: 'order_ready', upstreamId: '168' })
  expect(client.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'DELETE https://graph.example.com/v25.0/100001/message_templates?name=order_ready',
    'DELETE https://graph.example.com/v25.0/100001/message_templates?hsm_id=168&name=order_ready',
  ])
  expect(client.asked.map(({ body }) => body)).toEqual([undefined, undefined])
})

describe('uploadExample', () => {
  const bytes = new Uint8Array([1, 2, 3])
  const upload = () =>
    client.uploadExample({
      appId: '670843887433847',
      accessToken: 'EAAG',
      fileName: 'a b.png',
      mime: 'image/png',
      bytes,
    })

  test('opens an upload of the app, then posts the bytes to its id unchanged, and returns the handle', async () => {
    answers = [json(200, { id: 'upload:MTph?sig=ARZ_1&x=%3D' }), json(200, { h: '4::aW1hZ2UvcG5n:AR' })]
    expect(await upload()).toEqual({ kind: 'done', handle: '4::aW1hZ2UvcG5n:AR' })
    expect(client.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://graph.example.com/v25.0/670843887433847/uploads?file_name=a+b.png&file_length=3&file_type=image%2Fpng',
      'POST https://graph.example.com/v25.0/upload:MTph?sig=ARZ_1&x=%3D',
    ])
    expect(client.asked[1]?.headers).toMatchObject({ authorization: 'OAuth EAAG', file_offset: '0' })
    expect(client.asked[1]?.body).toBe(bytes)
  })

  test.each(['../me', 'upload:a/../../b c', 'upload:x#y', 'https://evil.example'])(
    'an id that is no upload is not used as an address: %s',
    async id => {
      answers = [json(200, { id })]
      expect(await upload()).toMatchObject({ kind: 'unreachable' })
      expect(client.asked).toHaveLength(1)
    },
  )

  test('a refused file is told', async () => {
    answers = [json(200, { id: 'upload:1' }), refusal({ message: 'Not a picture.' })]
    expect(await upload()).toMatchObject({ kind: 'refused' })
  })
})
