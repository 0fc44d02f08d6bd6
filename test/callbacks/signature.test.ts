import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { newId } from '../../src/base/ids.ts'
import { OutcomeUnknown, Unavailable } from '../../src/base/unavailable.ts'
import { sharedFixture } from '../fixture.ts'
import { codeOf, startTestGateway } from '../gateway.ts'
import { statusCallback } from '../upstream.ts'
import { callbackUrl, messageData, report, status, text } from './report.ts'

const gateway = sharedFixture(startTestGateway)

const sign = (body: string | Uint8Array, secret = 'app-secret', algorithm = 'sha256') =>
  `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, channelId?: string) =>
  fetch(callbackUrl(gateway, channelId), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
const signed = (body: string | Uint8Array<ArrayBuffer>) => post(body, { 'x-hub-signature-256': sign(body) })

/** A sent message and the body of a callback that says it was delivered. */
async function delivery() {
  const { json } = await gateway.send(text)
  return { id: json.data.id, body: JSON.stringify(statusCallback(status(json.data.channelMessageId, 'delivered'))) }
}

describe('the signature', () => {
  test('200: the test vector of docs/upstream.md', async () => {
    const body = '{"t":"\\u00e4\\u00f6\\u00e5 \\ud83d\\ude00"}'
    expect(body.length).toBe(39)
    const signature = 'sha256=6d1a56640782306c8bdca2feac034642ce7126ebb884b2045a3e01c5efe1f573'
    expect((await post(body, { 'x-hub-signature-256': signature })).status).toBe(200)
  })

  test('200: it is made over the bytes as sent, however they are written', async () => {
    const spellings = [
      (body: string) => body,
      (body: string) => JSON.stringify(JSON.parse(body), null, 2),
      (body: string) => body.replace('"object"', '"\\u006fbject"'),
      (body: string) => body.replace('{', '{"name":"\\u00e4\\ud83d\\ude00\\/",'),
      (body: string) => body.replace('{', '{"name":"äö😀",'),
      (body: string) => `${body}\r\n`,
    ]
    for (const spell of spellings) {
      const { id, body } = await delivery()
      expect((await signed(spell(body))).status).toBe(200)
      expect((await messageData(gateway, id)).status).toBe('DELIVERED')
    }
  })

  test('200: the content type does not matter', async () => {
    const { body } = await delivery()
    const headers = { 'content-type': 'text/plain', 'x-hub-signature-256': sign(body) }
    expect((await post(body, headers)).status).toBe(200)
  })

  /** Each form: test/callbacks/isSignedBy.test.ts. */
  const wrong: readonly [name: string, headers: (body: string) => Record<string, string>][] = [
    ['missing', () => ({})],
    ['of another secret', body => ({ 'x-hub-signature-256': sign(body, 'app-secret2') })],
    ['of the verify token', body => ({ 'x-hub-signature-256': sign(body, 'verify-token') })],
    ['of another body', body => ({ 'x-hub-signature-256': sign(`${body} `) })],
    ['only the old SHA-1', body => ({ 'x-hub-signature': sign(body, 'app-secret', 'sha1') })],
    ['SHA-256 in the old header', body => ({ 'x-hub-signature': sign(body) })],
  ]
  test.each(wrong)('401 UNAUTHORIZED: %s; nothing is stored', async (_, headers) => {
    const { id, body } = await delivery()
    const response = await post(body, headers(body))
    expect(await codeOf(response)).toBe('401 UNAUTHORIZED')
    expect((await messageData(gateway, id)).status).toBe('SENT')
  })

  test('401 UNAUTHORIZED: before anything is parsed', async () => {
    expect((await post('{')).status).toBe(401)
    expect((await post('')).status).toBe(401)
  })

  test('404 NOT_FOUND: an unknown channel, whatever the signature', async () => {
    const { id, body } = await delivery()
    const response = await post(body, { 'x-hub-signature-256': sign(body) }, newId('chan'))
    expect(response.status).toBe(404)
    expect((await messageData(gateway, id)).status).toBe('SENT')
  })
})

describe('the body', () => {
  test('413 PAYLOAD_TOO_LARGE: over 3 MiB; 3 MiB themselves are taken', async () => {
    const { id, body } = await delivery()
    const padded = (bytes: number) => body + ' '.repeat(bytes - body.length)
    const large = await signed(padded(3 * 1_048_576 + 1))
    expect(await codeOf(large)).toBe('413 PAYLOAD_TOO_LARGE')
    expect((await messageData(gateway, id)).status).toBe('SENT')
    expect((await signed(padded(3 * 1_048_576))).status).toBe(200)
    expect((await messageData(gateway, id)).status).toBe('DELIVERED')
  })

  test.each(['{', 'hello', '', '{"entry":[{}]} x'])('400 VALIDATION_ERROR: signed, but no JSON: %p', async body => {
    const response = await signed(body)
    expect(await codeOf(response)).toBe('400 VALIDATION_ERROR')
  })

  // The upstream repeats for days what is not answered 200: what can never be read must not come back.
  const strange: readonly unknown[] = [
    null,
    5,
    'text',
    [],
    {},
    { entry: null },
    { entry: {} },
    { entry: [null, 5, [], {}] },
    { entry: [{ changes: 5 }] },
    { entry: [{ changes: [null, {}, { field: 'messages' }, { field: 'messages', value: null }] }] },
    { entry: [{ changes: [{ field: 'messages', value: { statuses: {}, messages: 'x' } }] }] },
    { entry: [{ changes: [{ field: 'account_update', value: { event: 'DISABLED_UPDATE' } }] }] },
    { entry: [{ changes: [{ field: 'message_template_status_update', value: {} }] }] },
    { entry: [{ changes: [{ field: 'messages', value: { errors: [{ code: 130429 }] } }] }] },
    JSON.parse('{"__proto__":{"entry":[]},"entry":[{"__proto__":[]}]}'),
  ]
  test.each(strange.map(payload => [payload]))(
    '200: signed JSON of another shape is taken and ignored: %j',
    async payload => {
      expect((await signed(JSON.stringify(payload))).status).toBe(200)
    },
  )

  test.each([0, '12345678901234567'])('200: nested a hundred thousand levels, beside the number %s', async number => {
    const { id, body } = await delivery()
    const deep = `${body.slice(0, -1)},"x":${'['.repeat(100_000)}${']'.repeat(100_000)},"y":${number}}`
    expect((await signed(deep)).status).toBe(200)
    expect((await messageData(gateway, id)).status).toBe('DELIVERED')
  })

  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const tooDeep = [
    ['the errors of a status', `"statuses":[{"id":"wamid.x","status":"failed","timestamp":"1","errors":[{"x":DEEP}]}]`],
    [
      'a message of a user',
      `"messages":[{"id":"wamid.x","from":"4915112345678","timestamp":"1","type":"text","x":DEEP}]`,
    ],
  ]
  test.each(tooDeep)(
    '200: %s nested a hundred thousand levels, beside what is stored all the same',
    async (_, value) => {
      const { id, body } = await delivery()
      const { entry } = JSON.parse(body)
      const deep = `{"changes":[{"field":"messages","value":{${value?.replace('DEEP', nested(100_000))}}}]}`
      expect((await signed(`{"entry":[${deep},${JSON.stringify(entry[0])}]}`)).status).toBe(200)
      expect((await messageData(gateway, id)).status).toBe('DELIVERED')
    },
  )

  test('200: 1000 statuses in one body', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => gateway.send(text)))
    const statuses = Array.from({ length: 1_000 }, (_, at) => {
      const message = answers[at % answers.length]?.json.data
      const name = ['read', 'delivered', 'sent'][at % 3] ?? 'sent'
      return status(at < 500 ? message.channelMessageId : `wamid.stranger${at}`, name, 1_768_435_200 + at)
    })
    expect((await report(gateway, ...statuses)).status).toBe(200)
    for (const { json } of answers) expect((await messageData(gateway, json.data.id)).status).toBe('READ')
  })
})

describe('503 SERVICE_UNAVAILABLE: what could not be stored is to come again', () => {
  test.each([
    ['the disk takes nothing', new Unavailable('SQLITE_FULL')],
    ['the writer died and may have stored it', new OutcomeUnknown('the writer ended')],
  ])('%s', async (_, error) => {
    const { id, body } = await delivery()
    const { write } = gateway.gateway.store
    const { applyReports } = write
    Object.assign(write, { applyReports: () => Promise.reject(error) })
    try {
      const response = await signed(body)
      expect([await codeOf(response), response.headers.get('retry-after')]).toEqual(['503 SERVICE_UNAVAILABLE', '5'])
    } finally {
      Object.assign(write, { applyReports })
    }
    expect((await signed(body)).status).toBe(200)
    expect((await messageData(gateway, id)).status).toBe('DELIVERED')
  })
})
