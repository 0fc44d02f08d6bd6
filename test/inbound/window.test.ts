import { expect, test } from 'bun:test'
import { hourMs } from '../../src/base/durations.ts'
import { windowOf } from '../../src/inbound/window.ts'

const now = Date.UTC(2026, 0, 2)
const lines = [{ id: 'line_1' }, { id: 'line_2' }]
const closed = { open: false, expiresAt: null }
const until = (at: number) => ({ open: true, expiresAt: new Date(at).toISOString() })
const wrote = (hoursAgo: number, fields = {}) => {
  const at = now - hoursAgo * hourMs
  return { lineId: 'line_1', kind: 'text', at, recordedAt: at, ...fields }
}

test.each<[what: string, times: Parameters<typeof windowOf>[0], window: object, ofLines: readonly object[]]>([
  ['nothing', [], closed, [closed, closed]],
  ['a message', [wrote(1)], until(now + 23 * hourMs), [until(now + 23 * hourMs), closed]],
  ['a day ago', [wrote(24)], closed, [closed, closed]],
  [
    'several, on both lines: the last of each counts',
    [wrote(2, { lineId: 'line_2' }), wrote(5), wrote(6, { lineId: 'line_2' })],
    until(now + 22 * hourMs),
    [until(now + 19 * hourMs), until(now + 22 * hourMs)],
  ],
  ['a reaction', [wrote(1, { kind: 'reaction' })], until(now + 23 * hourMs), [until(now + 23 * hourMs), closed]],
  ['what the business wrote in the app', [wrote(1, { kind: 'smb_message_echoes text' })], closed, [closed, closed]],
  ['what was written in a group', [wrote(1, { kind: 'group text' })], closed, [closed, closed]],
  [
    'a new number, an edit and a deletion',
    ['system', 'edit', 'revoke'].map(kind => wrote(1, { kind })),
    closed,
    [closed, closed],
  ],
  [
    'on a line that cannot send',
    [wrote(1, { lineId: 'line_3' }), wrote(1, { lineId: null })],
    closed,
    [closed, closed],
  ],
  [
    'a message that is dated to the future: when it came counts',
    [wrote(1, { at: now + 99 * hourMs })],
    until(now + 23 * hourMs),
    [until(now + 23 * hourMs), closed],
  ],
])('%s', (_, times, window, ofLines) => {
  expect(windowOf(times, lines, now)).toEqual({
    ...(window as typeof closed),
    lines: ofLines.map((line, at) => ({ lineId: lines[at]?.id ?? '', ...(line as typeof closed) })),
  })
})
