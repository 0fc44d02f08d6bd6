import { expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'

const gateway = sharedFixture(startTestGateway)

test('200: the lines of the workspace of the key, with which one is the default', async () => {
  const { workspaceId, channelId, line, key } = await gateway.addWorkspace()
  const second = await gateway.addLine({ workspaceId, channelId, active: false })
  const { write } = gateway.gateway.store
  await write.setDefaultLine({ lineId: line.id, isDefault: true })
  await write.changeLine({ lineId: line.id, label: 'Berlin' })
  const { status, json } = await gateway.get('/api/v1/public/lines', key)
  const unread = { quality: null, messagingLimit: null }
  expect([status, json]).toEqual([
    200,
    {
      success: true,
      data: [
        { id: line.id, number: line.number, name: null, label: 'Berlin', active: true, isDefault: true, ...unread },
        { id: second.id, number: second.number, name: null, label: null, active: false, isDefault: false, ...unread },
      ],
    },
  ])
})
