import { expect, test } from 'bun:test'
import { headerText } from '../../src/http/headers.ts'

/** A header's bytes as the server gives them. */
const received = (text: string, encoding: 'utf8' | 'latin1') => Buffer.from(text, encoding).toString('latin1')

test.each(['order-1001', '', 'bestellung-ä', 'ß'])('%j is the same, written in latin1 or UTF-8', text => {
  expect(headerText(received(text, 'latin1'))).toBe(text)
  expect(headerText(received(text, 'utf8'))).toBe(text)
})

test('what latin1 cannot write is read from UTF-8', () => {
  expect(headerText(received('заказ 😀', 'utf8'))).toBe('заказ 😀')
  // A byte order mark is a letter like any other here: without it, two keys would be one.
  expect(headerText(received('\ufeffa', 'utf8'))).toBe('\ufeffa')
})
