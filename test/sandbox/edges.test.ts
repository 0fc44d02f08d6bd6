import { expect, test } from 'bun:test'
import { isCoordinate } from '../../src/sandbox/checks/content.ts'
import { checkDirectSend } from '../../src/sandbox/checks/directSend.ts'
import { checkFrame } from '../../src/sandbox/checks/messages.ts'

/*
 * The bounds of a send by which the stand-in judges itself. Those of forms, which the gateway goes by too, are in
 * test/interactive and test/templates/authoring/edges.test.ts.
 */

const frame = { messaging_product: 'whatsapp', to: '16505551234', type: 'text', text: { body: 'x' } }
const direct = (rest: object) => checkDirectSend({ ...frame, category: 'utility', ...rest }, true)
const code = (seconds: number) => direct({ category: 'authentication', ttl_seconds: seconds })
const utility = (seconds: number) => direct({ ttl_seconds: seconds })
const chars = (count: number) => 'x'.repeat(count)

test.each([
  [
    'characters of opaque data',
    512,
    513,
    (count: number) => checkFrame({ ...frame, biz_opaque_callback_data: chars(count) }),
  ],
  [
    'characters that are sent directly',
    1_024,
    1_025,
    (count: number) => direct({ text: { body: '😀'.repeat(count) } }),
  ],
  ['seconds of a message, at least', 30, 29, utility],
  ['seconds of a message', 43_200, 43_201, utility],
  ['seconds of a code, at least', 30, 29, code],
  ['seconds of a code', 900, 901, code],
  [
    'characters of the name of its template',
    ...([512, 513] as const),
    (count: number) => direct({ direct_send_config: { template_name: chars(count) } }),
  ],
] as const)('%s: %d pass and %d do not', (_, passes, refused, of) => {
  expect(of(passes)).toBeUndefined()
  expect(of(refused)).toMatchObject({ code: 100 })
})

test.each([
  ['latitude', [90, -90, '90', '-90.0'], [90.001, -90.001, '91', '', 'north', null]],
  ['longitude', [180, -180, '180'], [180.001, -180.001, '-181', ' east']],
] as const)('the %s of a place has its degrees', (name, right, wrong) => {
  expect(right.filter(degrees => !isCoordinate(name, degrees))).toEqual([])
  expect(wrong.filter(degrees => isCoordinate(name, degrees))).toEqual([])
})
