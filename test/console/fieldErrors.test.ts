import { expect, test } from 'bun:test'
import { ApiFailure } from '../../src/console/web/api/failure.ts'
import { fieldErrors } from '../../src/console/web/components/fields.ts'

const refused = (path: string) =>
  new ApiFailure('Refused.', { details: { issues: [{ path, message: 'names no time zone' }] } })
const fields = { timeZone: 'Nowhere', allowedNetworks: '' }

test.each([
  ['/timeZone', 'timeZone'],
  // The form gives it as a part of something that it has no field for.
  ['/quietHours/timeZone', 'timeZone'],
  ['/allowedNetworks/3', 'allowedNetworks'],
])('what is wrong at %s is told at the field %s', (path, field) => {
  expect(fieldErrors(refused(path), fields)).toEqual({ [field]: 'Names no time zone' })
})

test('what concerns no field of the form keeps its own name: the form tells it below', () => {
  expect(Object.keys(fieldErrors(refused('/headers/Host'), fields))).toEqual(['headers'])
})
