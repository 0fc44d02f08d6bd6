import { afterEach, describe, expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { codeOf, startTestGateway } from '../gateway.ts'
import { exchangeRaw, rawHead } from '../http/rawHttp.ts'
import { expectNothingHappened, post, text } from './refusals.ts'

const gateway = sharedFixture(startTestGateway)
afterEach(() => expectNothingHappened(gateway))

const json = JSON.stringify(text)

describe('415 UNSUPPORTED_MEDIA_TYPE', () => {
  test.each([
    '',
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json, text/plain',
  ])('%p', async contentType => {
    const response = await post(gateway, text, { 'content-type': contentType })
    expect(await codeOf(response)).toBe('415 UNSUPPORTED_MEDIA_TYPE')
  })
})

describe('413 PAYLOAD_TOO_LARGE', () => {
  const over = 131_073
  const head = (headers: Record<string, string>) => {
    const { apiKey, apiSecret } = gateway.key
    const all = {
      Host: 'localhost',
      'Content-Type': 'application/json',
      apiKey,
      apiSecret,
      ...headers,
      Connection: 'close',
    }
    return rawHead('POST /api/v1/public/messages/send', all)
  }
  const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`

  // Nine megabytes are more than the HTTP server itself lets through.
  test.each([over, 9 * 1_048_576])('a body of %d bytes with its length, which is not waited for', async bytes => {
    const answer = await exchangeRaw(gateway.url, head({ 'Content-Length': String(bytes) }))
    expect(answer.status).toBe(413)
    expect(JSON.parse(answer.body)).toEqual({ error: 'PAYLOAD_TOO_LARGE', message: expect.any(String) })
  })

  test.each([over, 9 * 1_048_576])('a body of %d bytes in chunks', async bytes => {
    const chunks = [
      ...Array.from({ length: Math.floor(bytes / 65_536) }, () => chunk(65_536)),
      chunk(bytes % 65_536 || 1),
    ]
    const answer = await exchangeRaw(gateway.url, head({ 'Transfer-Encoding': 'chunked' }), ...chunks, '0\r\n\r\n')
    expect(answer.status).toBe(413)
    expect(JSON.parse(answer.body)).toEqual({ error: 'PAYLOAD_TOO_LARGE', message: expect.any(String) })
  })

  test('a good send padded over the limit', async () => {
    const response = await post(gateway, json + ' '.repeat(over - json.length))
    expect(await codeOf(response)).toBe('413 PAYLOAD_TOO_LARGE')
  })
})

describe('404 NOT_FOUND: another method', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s', async method => {
    const body = method === 'GET' ? {} : { body: json }
    const headers = { ...gateway.key, 'content-type': 'application/json' }
    const response = await fetch(`${gateway.url}/api/v1/public/messages/send`, { method, headers, ...body })
    expect(await codeOf(response)).toBe('404 NOT_FOUND')
  })
})
