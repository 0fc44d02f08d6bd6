import { expect, test } from 'bun:test'
import { messagingLimitWords } from '../../src/base/messagingLimit.ts'

test.each([
  ['TIER_250', '250 new people a day'],
  ['TIER_2K', '2,000 new people a day'],
  ['TIER_100K', '100,000 new people a day'],
  ['TIER_UNLIMITED', 'new people without limit'],
  ['TIER_NOT_SET', 'TIER_NOT_SET'],
  ['2000 per day', '2000 per day'],
])('the limit %s reads as %s', (limit, words) => {
  expect(messagingLimitWords(limit)).toBe(words)
})
