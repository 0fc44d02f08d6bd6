import { describe, expect, test } from 'bun:test'
import { sharedFixture } from '../fixture.ts'
import { startTestGateway } from '../gateway.ts'
import { startUpstream } from '../upstream.ts'
import { text } from './refusals.ts'

const gateway = sharedFixture(async () => {
  const gone = startUpstream()
  await gone.stop()
  return startTestGateway({ upstream: gone })
})

describe('502 CHANNEL_GRAPH_ERROR, retryable: the upstream cannot be reached', () => {
  test('nothing was sent, so it is tried again, given up, and the key and the count are free', async () => {
    await gateway.gateway.store.write.setMonthlyLimit({ workspaceId: gateway.workspaceId, limit: 1 })
    const keyed = { ...text, idempotencyKey: 'a' }
    const { status, json } = await gateway.send(keyed)
    expect(status).toBe(502)
    expect(json.error).toBe('CHANNEL_GRAPH_ERROR')
    // Nobody was there to refuse it.
    expect(json.message).toBe('The message was not sent: The upstream platform could not be reached')
    const { messageId } = json.details
    expect(json.details).toMatchObject({ code: null, subcode: null, traceId: null, retryable: true })
    expect(json.details).not.toHaveProperty('outcome')
    const stored = (await gateway.get(`/api/v1/public/messages/${messageId}`)).json.data
    expect(stored).toMatchObject({ status: 'FAILED', channelMessageId: null, sentAt: null })
    // In words that are ours: which address refused, and how, is for the log.
    expect(stored.failureReason).toContain('could not be reached')
    expect(JSON.stringify([json, stored])).not.toMatch(/127\.0\.0\.1|ECONN|connect /)

    const again = await gateway.send(keyed)
    expect([again.status, again.json.details.messageId === messageId]).toEqual([502, false])
  })
})
