import { expect, test } from 'bun:test'
import { byteSize } from '../../src/console/web/components/numbers.ts'
import { localDate, localTime } from '../../src/console/web/components/times.ts'
import { found } from '../../src/console/web/texts/found.ts'

test('sizes and times of a finding are those of the reader', () => {
  expect(found('77,512 MB free')).toBe(`${byteSize(77_512 * 2 ** 20)} free`)
  expect(found('77,512 MB free')).toContain('75.7')
  expect(found('v25.0: the upstream platform serves it until 2028-07-29')).toBe(
    `v25.0: the upstream platform serves it until ${localDate(new Date(2028, 6, 29))}`,
  )
  expect(found('last accepted (UTC): chan_1 at 2026-11-29 23:59:07')).toBe(
    `last accepted: chan_1 at ${localTime(new Date('2026-11-29T23:59:07Z'))}`,
  )
  expect(found('one.db, in the bucket\nPostgreSQL 18.1: a write takes 0.8 ms')).toBe(
    'one.db, in the bucket\nPostgreSQL 18.1: a write takes 0.8 ms',
  )
})
