import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settings } from '../../src/config/settings.ts'
import { apiVersion } from '../../src/doctor/checks.ts'
import { servedUntil } from '../../src/graph/apiVersions.ts'
import { root } from '../structure/modules.ts'

const [used] = settings.CHANNEL_API_VERSION
const says = (version: string, at: string) => apiVersion({ channelApiVersion: version }, Date.parse(at))()

test('the version that is called by default has a known end, two years after the next one came', () => {
  expect(servedUntil(used)).toBe('2028-07-29')
})

test('the doctor says the end, warns 90 days before it, and says what to do; one that it does not know is found', () => {
  expect(says('v25.0', '2026-11-28')).toBe('v25.0: the upstream platform serves it until 2028-07-29')
  expect(() => says('v25.0', '2028-05-01')).toThrow(
    /serves it until 2028-07-29: set CHANNEL_API_VERSION to a newer one/,
  )
  expect(() => says('v25.0', '2028-07-29')).toThrow(/served it until 2028-07-29/)
  expect(says('v26.0', '2026-11-28')).toStartWith('v26.0: the newest that this Waypost knows')
  for (const unknown of ['v99.0', 'v25.7', 'v12.0']) {
    expect(() => says(unknown, '2026-11-28')).toThrow(
      `${unknown} is not among the versions that this Waypost knows, v23.0`,
    )
  }
})

test('docs/platform.md has the same versions with the same ends', () => {
  const page = readFileSync(join(root, 'docs/platform.md'), 'utf8')
  const rows = [...page.matchAll(/^\| (v\d+\.0) \| \S+ \| (\S+) \|/gm)].map(([, version = '', end]) => [version, end])
  expect(rows.length).toBeGreaterThan(3)
  expect(rows).toEqual(rows.map(([version = '']) => [version, servedUntil(version) ?? '–']))
})
