import { expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { ask, flow, link } from '../interactive/samples.ts'
import { errorCode, startRig } from './rig.ts'

/** What both refuse alike is in test/interactive: each of its tables is judged by the stand-in too. */
const rig = sharedFixture(startRig)

test.each<[what: string, interactive: object]>([
  ['a link of any length: the upstream names no limit', link({ url: `https://x.example/${'y'.repeat(2_500)}` })],
  ['a picture by link as header', { ...flow(), header: { type: 'image', image: { link: 'https://x.example/a.png' } } }],
])('accepted: %s', async (_, interactive) => {
  expect((await rig.interactive(interactive)).text).toContain('wamid.')
})

test.each<[code: number, what: string, interactive: object]>([
  [100, 'an unknown kind', { type: 'buttons' }],
  [100, 'another flow version', flow({ flow_message_version: '2' })],
  [131008, 'any kind without an action', { type: 'product' }],
  [100, 'another action than to ask for a permission', { type: 'call_permission_request', action: { name: 'call' } }],
  [
    131008,
    'an address without its country',
    { ...ask('address_message', 'address_message'), action: { name: 'address_message', parameters: {} } },
  ],
  [131009, 'both flow_id and flow_name', flow({ flow_name: 'n' })],
])('%d: %s', async (code, _, interactive) => {
  expect(errorCode(await rig.interactive(interactive))).toBe(code)
})
