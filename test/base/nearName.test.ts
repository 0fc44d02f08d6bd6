import { expect, test } from 'bun:test'
import { nearName } from '../../src/base/nearName.ts'

test.each([
  ['contactID', 'contactId'],
  ['contact_id', 'contactId'],
  ['contatcId', 'contactId'],
  ['templatename', 'templateName'],
  ['Limit', 'limit'],
  ['colour', null],
  ['ty', null],
  ['x'.repeat(10_000), null],
])('%s is near %p', (given, known) => {
  expect(nearName(given, ['contactId', 'templateName', 'limit', 'type'])).toBe(known)
})
