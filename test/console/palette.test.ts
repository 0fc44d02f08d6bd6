import { expect, test } from 'bun:test'
import { fitsLabel } from '../../src/console/web/palette/entries.ts'

test.each([
  ['create a key', 'Create a key', true],
  ['cr key', 'Create a key', true],
  ['KEY', 'API keys', true],
  ['eate', 'Create a key', false],
  ['key revoke', 'Create a key', false],
  ['example.com', 'https://hooks.example.com/in', true],
  ['straße', 'Straße 7', true],
  ['', 'Anything', true],
])('%p is %p: %p', (text, label, expected) => {
  expect(fitsLabel(text, label)).toBe(expected)
})
