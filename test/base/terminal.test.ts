import { describe, expect, test } from 'bun:test'
import { jsonText, printable, steady } from '../../src/base/terminal.ts'

/** Each with what it would do: a sequence, the title of the window, the end of a line, the direction of what follows. */
const steering = [
  ...['\u001b[2J', '\u001b]0;title\u0007', '\u009b2J', '\u009d0;title\u009c', '\u0000', '\u0008', '\u007f', '\u0085'],
  ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069', '\u200e', '\u200f'],
  ...['\u061c', '\r', '\u001b[8m', '\u001b[30m'],
]
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const left = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

describe.each(steering)('%j', character => {
  test('steers nothing within a line, in what is written, or in JSON', () => {
    const text = `a${character}b`
    expect(printable(text)).not.toMatch(left)
    expect(steady(text)).not.toMatch(left)
    const json = jsonText({ text, [text]: [text] })
    expect(json).not.toMatch(left)
    expect(JSON.parse(json)).toEqual({ text, [text]: [text] })
  })
})

test('what is written keeps its lines, its tabs and its own colors, and JSON its form', () => {
  const text = '\u001b[31m\u001b[1mAda\u001b[22m\u001b[39m\tписьмо 👩‍👧 \u05d0\nb\r\nc'
  expect(steady(text)).toBe(text)
  expect(printable('a\tb\nc')).toBe('abc')
  expect(jsonText({ a: ['é'] }, 2)).toBe('{\n  "a": [\n    "é"\n  ]\n}')
})
