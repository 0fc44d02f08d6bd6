import { expect, test } from 'bun:test'
import { draft } from '../db/fixtures.ts'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { text } from './refusals.ts'

const gateway = sharedFixture(startTestGateway)

const write = () => gateway.gateway.store.write
const codeOf = ({ status, json }: { status: number; json: { error?: string } }) => `${status} ${json.error}`

test('400 PHONE_NUMBER_NOT_FOUND: a line removed beside the running gateway; what it has sent stays readable', async () => {
  const second = await gateway.addLine()
  const sent = await gateway.send({ ...text, phoneNumberId: second.id })
  expect(sent.status).toBe(201)
  expect(await write().removeLine({ lineId: second.id, at: Date.now() })).toMatchObject({ outcome: 'removed' })
  expect(codeOf(await gateway.send({ ...text, phoneNumberId: second.id }))).toBe('400 PHONE_NUMBER_NOT_FOUND')
  const status = await gateway.get(`/api/v1/public/messages/${sent.json.data.id}`)
  expect(status).toMatchObject({ status: 200, json: { data: { id: sent.json.data.id, status: 'SENT' } } })
  // The other one is the only line again.
  expect((await gateway.send(text)).status).toBe(201)
})

test('nothing is accepted for a line that was removed after a send had chosen it', async () => {
  const line = await gateway.addLine()
  await write().removeLine({ lineId: line.id, at: Date.now() })
  const before = (await gateway.messages()).length
  const { workspaceId, channelId } = gateway
  const acceptance = await write().acceptMessage(draft({ workspaceId, channelId, lineId: line.id }))
  expect(acceptance).toEqual({ outcome: 'lineRemoved' })
  expect((await gateway.messages()).length).toBe(before)
})

test('404: the callback address of a disconnected channel, and no line is left to send from', async () => {
  const other = await gateway.addWorkspace()
  const sent = await gateway.send(text, { ...other.key })
  const callback = `${gateway.url}/callbacks/channel/${other.channelId}`
  const query = `?hub.mode=subscribe&hub.challenge=1&hub.verify_token=${gateway.verifyToken}`
  expect((await fetch(callback + query)).status).toBe(200)
  const { outcome } = await write().disconnectChannel({ channelId: other.channelId, at: Date.now() })
  expect(outcome).toBe('removed')
  expect((await fetch(callback + query)).status).toBe(404)
  expect(codeOf(await gateway.send(text, { ...other.key }))).toBe('400 NO_PHONE_NUMBER')
  const templates = await gateway.get('/api/v1/public/templates', other.key)
  expect(templates.json.data.templates).toEqual([])
  const status = await gateway.get(`/api/v1/public/messages/${sent.json.data.id}`, other.key)
  expect(status).toMatchObject({ status: 200, json: { data: { status: 'SENT' } } })
})
