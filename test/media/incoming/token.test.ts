import { expect, test } from 'bun:test'
import { mayGetToken } from '../../../src/media/incoming/fetcher.ts'

const upstream = 'https://graph.facebook.com'
const may = (url: string, apiUrl = upstream) => mayGetToken(new URL(url), apiUrl)

test.each([
  'https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1',
  'https://mmg.whatsapp.net/d/1',
  'https://fbcdn.net/1',
  'https://graph.facebook.com/1',
])('the access token may go to %s', url => {
  expect(may(url)).toBe(true)
})

test.each([
  'http://lookaside.fbsbx.com/1',
  'https://lookaside.fbsbx.com:8443/1',
  'https://notfbsbx.com/1',
  'https://fbsbx.com.example.com/1',
  'https://example.com/?lookaside.fbsbx.com',
  'https://127.0.0.1/1',
])('the access token never goes to %s', url => {
  expect(may(url)).toBe(false)
})

test('it may go to the host that is set as the upstream, as to the sandbox', () => {
  expect(may('http://127.0.0.1:8090/download/1', 'http://127.0.0.1:8090')).toBe(true)
  expect(may('http://127.0.0.1:8091/download/1', 'http://127.0.0.1:8090')).toBe(false)
})
