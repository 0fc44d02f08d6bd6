import { expect, test } from 'bun:test'
import { readRange } from '../../src/http/fileAnswer.ts'

test.each([
  ['bytes=0-0', { from: 0, end: 1 }],
  ['bytes=2-5', { from: 2, end: 6 }],
  ['bytes=2-', { from: 2, end: 10 }],
  ['bytes=2-99', { from: 2, end: 10 }],
  ['Bytes = 9-9', { from: 9, end: 10 }],
  ['bytes=-3', { from: 7, end: 10 }],
  ['bytes=-99', { from: 0, end: 10 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-12', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  // RFC 9110 14.2: what cannot be read is ignored.
  ['bytes=5-2', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['bytes=1.5-', 'whole'],
  ['items=0-1', 'whole'],
  ['bytes=99999999999999999999-', 'whole'],
  [null, 'whole'],
] as const)('%p of ten bytes', (header, part) => {
  expect(readRange(header, 10)).toEqual(part)
})

test.each(['bytes=0-', 'bytes=-1'])('%p of nothing is not to be had', header => {
  expect(readRange(header, 0)).toBe('unsatisfiable')
})
