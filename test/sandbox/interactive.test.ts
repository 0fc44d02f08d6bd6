import { expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { flow, link } from '../interactive/samples.ts'
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
  [131009, 'both flow_id and flow_name', flow({ flow_name: 'n' })],
])('%d: %s', async (code, _, interactive) => {
  expect(errorCode(await rig.interactive(interactive))).toBe(code)
})
