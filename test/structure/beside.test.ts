import { expect, test } from 'bun:test'
import { partnerCalls } from '../../src/http/calls.ts'
import { askedCalls } from '../bench/asks.ts'

test('what the sends of others take is measured beside every call of a key', () => {
  expect(askedCalls.toSorted()).toEqual(partnerCalls.toSorted())
})
