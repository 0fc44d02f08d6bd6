import { describe, expect, test } from 'bun:test'
import type { Line } from '../../db/contract/records.ts'
import { chooseLine } from '../../src/sending/line.ts'

const line = (id: string, active = true, isDefault = false): Line => ({
  id,
  workspaceId: 'ws_1',
  channelId: 'chan_1',
  upstreamPhoneId: `1000-${id}`,
  number: '+4930123',
  name: null,
  label: null,
  quality: null,
  messagingLimit: null,
  directSend: false,
  active,
  isDefault,
  perSecond: 80,
  pairSeconds: 6,
  createdAt: 0,
})

describe('the line of a send', () => {
  test('the only active line is used when none is named', () => {
    const choice = chooseLine([line('line_1', false), line('line_2')], null)
    expect(choice).toMatchObject({ ok: true, line: { id: 'line_2' } })
  })

  test('the named line is used, whatever others there are', () => {
    const choice = chooseLine([line('line_1'), line('line_2'), line('line_3')], 'line_2')
    expect(choice).toMatchObject({ ok: true, line: { id: 'line_2' } })
  })

  test('the default line is used when none is named, and a named one all the same', () => {
    const lines = [line('line_1'), line('line_2', true, true), line('line_3')]
    expect(chooseLine(lines, null)).toMatchObject({ ok: true, line: { id: 'line_2' } })
    expect(chooseLine(lines, 'line_3')).toMatchObject({ ok: true, line: { id: 'line_3' } })
  })

  const refusals: readonly [name: string, lines: Line[], named: string | null, reason: string][] = [
    ['no line at all', [], null, 'NO_PHONE_NUMBER'],
    ['no active line', [line('line_1', false)], null, 'NO_PHONE_NUMBER'],
    ['several active lines and none named', [line('line_1'), line('line_2')], null, 'PHONE_NUMBER_REQUIRED'],
    ['a named line of nobody or of another workspace', [line('line_1')], 'line_9', 'PHONE_NUMBER_NOT_FOUND'],
    ["the upstream's own id of a line", [line('line_1')], '1000-line_1', 'PHONE_NUMBER_NOT_FOUND'],
    ['the number of a line', [line('line_1')], '+4930123', 'PHONE_NUMBER_NOT_FOUND'],
    ['an id in capitals', [line('line_1')], 'LINE_1', 'PHONE_NUMBER_NOT_FOUND'],
    ['an inactive line, named', [line('line_1', false)], 'line_1', 'PHONE_NUMBER_INACTIVE'],
    ['a name when there is no line', [], 'line_1', 'PHONE_NUMBER_NOT_FOUND'],
  ]
  test.each(refusals)('%s is refused', (_, lines, named, reason) => {
    expect(chooseLine(lines, named)).toMatchObject({ ok: false, refusal: { reason } })
  })

  test("the upstream's id names its line, and nothing of a line that the key has not", () => {
    const named = chooseLine([line('line_1')], '1000-line_1')
    expect(named).toMatchObject({ refusal: { message: expect.stringMatching(/Its line is line_1\. .*GET \/lines/) } })
    const other = chooseLine([line('line_1'), line('line_2')], '1000-line_1', ['line_2'])
    expect(JSON.stringify(other)).not.toContain('"line_1"')
    expect(other).toMatchObject({ refusal: { reason: 'FORBIDDEN' } })
  })

  test('PHONE_NUMBER_REQUIRED names the lines to choose from, inactive ones not', () => {
    const choice = chooseLine([line('line_1'), line('line_2', false), line('line_3')], null)
    expect(choice).toMatchObject({ refusal: { details: { phoneNumberIds: ['line_1', 'line_3'] } } })
  })
})
