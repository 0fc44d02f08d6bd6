import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type RunningSandbox, startSandbox } from '../../src/sandbox/server.ts'
import { connected, Deployment, expectRefusal, type Identified } from './waypost.ts'

const deployment = new Deployment()
let sandbox: RunningSandbox
let owner: Awaited<ReturnType<typeof connected>>

beforeAll(async () => {
  sandbox = await startSandbox()
  owner = await connected(deployment)
})
afterAll(async () => {
  await sandbox.stop()
  deployment.remove()
})

const phone = '+15550100200'

test('a contact who wrote is blocked and unblocked; who did not is refused in words', async () => {
  const add = ['contact', 'add', '--workspace', owner.workspaceId, '--phone', phone]
  const { id } = await deployment.json<Identified>(add)
  const options = { env: { CHANNEL_API_URL: sandbox.url } }
  const refused = await deployment.run(['contact', 'block', id], options)
  expectRefusal(refused, 1, 'only who has written to the line within 24 hours can be blocked')
  await sandbox.control.inbound({ kind: 'text', from: phone, text: 'Hello' })
  const { lineId } = owner
  expect(await deployment.json(['contact', 'block', id], options)).toEqual({ id, isBlocked: true, lineIds: [lineId] })
  const shown = async () => (await deployment.run(['contact', 'show', id])).stdout
  expect(await shown()).toMatch(new RegExp(`blocked on +${lineId}`))
  const ended = await deployment.run(['contact', 'unblock', id], options)
  expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('Contact unblocked')])
  expect(await shown()).toMatch(/blocked on +-/)
  // A block whose answer was lost is not known here: the platform is asked all the same.
  const again = { id, isBlocked: false, lineIds: [lineId] }
  expect(await deployment.json(['contact', 'unblock', id], options)).toEqual(again)
})
