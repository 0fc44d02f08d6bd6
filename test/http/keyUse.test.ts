import { expect, test } from 'bun:test'
import pino from 'pino'
import { minuteMs } from '../../src/base/durations.ts'
import { Unavailable } from '../../src/base/unavailable.ts'
import { KeyUse } from '../../src/http/keyUse.ts'
import { ManualClock } from '../clock.ts'

test('uses that cannot be stored are kept and tried again, and the log says so once', async () => {
  const clock = new ManualClock()
  const said: string[] = []
  const log = pino({}, { write: (line: string) => void said.push(JSON.parse(line).msg) })
  const stored: object[] = []
  let isAway = true
  const recordKeyUse = async ({ uses }: { uses: readonly object[] }) => {
    if (isAway) throw new Unavailable('no database')
    stored.push(...uses)
  }
  const keyUse = new KeyUse({ write: { recordKeyUse }, clock, log })
  const pass = async () => {
    clock.advance(minuteMs)
    await Promise.resolve()
  }
  const [first, later] = [clock.now(), clock.now() + 2 * minuteMs]
  keyUse.used('key_1')
  keyUse.used('key_2')
  await pass()
  await pass()
  keyUse.used('key_2')
  isAway = false
  await pass()
  expect(stored).toEqual([
    { keyId: 'key_1', at: first },
    { keyId: 'key_2', at: later },
  ])
  expect(said).toEqual([
    'the last use of API keys could not be stored; retrying',
    'the last use of API keys is stored again',
  ])
  expect(clock.pending).toBe(0)
})
