import { expect } from 'bun:test'
import type { TestGateway } from '../gateway.ts'

export const phone = '+4915112345678'
export const text = { type: 'text', phone, content: 'Hello' }
export const template = { type: 'template', phone, templateName: 'order_confirmation' }
export const interactive = { type: 'interactive', phone }

/** A malformed send: what it is, its body (a value, JSON text or bytes), and every pointer that must be named. */
export type Malformed = readonly [name: string, body: unknown, pointers: readonly string[]]

export const chars = (count: number) => 'x'.repeat(count)
/** Lists in lists. */
export const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

export function post(gateway: TestGateway, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const isText = typeof body === 'string' || body instanceof Uint8Array
  return fetch(`${gateway.url}/api/v1/public/messages/send`, {
    method: 'POST',
    headers: { ...gateway.key, 'content-type': 'application/json', ...headers },
    body: isText ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
  })
}

/** The answer names exactly these pointers, each problem in words, and shows nothing of what was sent. */
export async function expectRefused(gateway: TestGateway, body: unknown, pointers: readonly string[], headers = {}) {
  const response = await post(gateway, body, headers)
  const answer = await response.text()
  expect(`${response.status} ${answer}`).toStartWith('400 {"error":"VALIDATION_ERROR"')
  const json = JSON.parse(answer)
  expect(Object.keys(json)).toEqual(['error', 'message', 'details'])
  expect(Object.keys(json.details)).toEqual(['issues'])
  const issues: { path: string; message: string }[] = json.details.issues
  const named = [...new Set(issues.map(({ path }) => path))].sort()
  expect(named).toEqual([...pointers].sort())
  for (const issue of issues) {
    expect(Object.keys(issue)).toEqual(['path', 'message'])
    expect(issue.message).not.toBe('')
  }
  expect(answer).not.toContain('15112345678')
  expect(answer).not.toMatch(leaks)
}

/** Words that only our insides have. Ids of ours have no i, l, o and u: a word without these is a whole one. */
export const leaks =
  /sqlite|drizzle|typebox|elysia|node_modules|\.ts\b|\bat [\w.<>]+ \(|\bstack\b|\[object |undefined|\bNaN\b/i

/** Messages that an earlier check has found; a test that fails by them does not fail the next ones. */
const known = new Set<string>()

/** Whatever was refused since the last check left no trace: nothing stored, nothing sent. */
export async function expectNothingHappened(gateway: TestGateway) {
  const sent = gateway.upstream.received.splice(0)
  const stored = (await gateway.messages()).filter(({ id }) => !known.has(id))
  for (const { id } of stored) known.add(id)
  expect(stored).toEqual([])
  expect(sent).toEqual([])
}
