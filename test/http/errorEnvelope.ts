import { expect } from 'bun:test'
import { leaks } from '../partner/refusals.ts'

/** The number that tests send to: no error repeats it. */
export const phone = '+4915112345678'

/** Every error is error, message and at times details, as JSON that nobody keeps, and nothing of our insides. */
export function expectEnvelope(answer: { headers: Headers; text: string }, hasDetails: boolean): void {
  const { headers, text } = answer
  const json = JSON.parse(text)
  expect(Object.keys(json)).toEqual(hasDetails ? ['error', 'message', 'details'] : ['error', 'message'])
  expect(json.message).toMatch(/\w/)
  expect(headers.get('content-type')).toMatch(/^application\/json(; ?charset=utf-8)?$/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  expect(text).not.toMatch(leaks)
  expect(text).not.toContain(phone.slice(1))
}
