import { expect, test } from 'bun:test'
import { countryCodeOf } from '../../src/sandbox/state/phone.ts'

test.each([
  ['+15550783881', '1'],
  ['+79161234567', '7'],
  ['+4930123456', '49'],
  ['+2250712345678', '225'],
  ['+2290197123456', '229'],
  ['+35312345678', '353'],
  ['+42012345678', '420'],
  ['+59712345678', '597'],
  ['+85212345678', '852'],
  ['+97112345678', '971'],
])('a line with the number %s has the country code %s', (number, code) => {
  expect(countryCodeOf(number)).toBe(code)
})
