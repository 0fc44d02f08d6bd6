import { expect, test } from 'bun:test'
import { CODES, ERROR_CLASSES } from '../../src/graph/codeTable.ts'
import { causeWords, type cures, failureOfReason } from '../../src/graph/failures.ts'

test.each<[reason: string, cure: (typeof cures)[number] | null]>([
  ['190: expired', 'token'],
  ['10: permission', 'token'],
  ['210: permission', 'token'],
  ['133010: not registered', 'channel'],
  ['131042: payment', 'channel'],
  ['132001: missing', 'template'],
  ['132018: values', 'template'],
  ['131047: re-engagement', 'templates'],
  ['131026: undeliverable', 'contact'],
  ['131016: overloaded', null],
  ['999999: nobody knows', null],
  ['Resolved as failed by the operator.', null],
])('the cure of "%s" is %p', (reason, cure) => {
  expect(failureOfReason(reason).cure).toBe(cure)
})

test('whatever needs the operator has a place to go to', () => {
  const codes = [...CODES].filter(([, { errorClass }]) => ERROR_CLASSES[errorClass].needsOperator)
  expect(codes.filter(([code]) => failureOfReason(`${code}: why`).cure === null)).toEqual([])
})

test('a cause has its short form with the code, or is a sentence', () => {
  expect(causeWords('131026')).toBe('Number cannot be reached (131026)')
  expect(causeWords('999999')).toBe('999999')
  expect(causeWords('Gave up.')).toBe('Gave up.')
})
