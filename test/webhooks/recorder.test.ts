import { describe, expect, test } from 'bun:test'
import type { WorkspaceEvent } from '../../db/contract/events.ts'
import type { AttemptOutcome } from '../../db/contract/webhookDelivery.ts'
import type { WebhookEndpoint } from '../../db/contract/webhooks.ts'
import { dayMs, hourMs } from '../../src/base/durations.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { EndpointQueue } from '../../src/webhooks/queue.ts'
import { Recorder } from '../../src/webhooks/recorder.ts'
import { ManualClock } from '../clock.ts'
import { endpoint } from './webhooks.ts'

const t0 = Date.UTC(2026, 0, 1)

const event = (seq: number): WorkspaceEvent => ({
  ...{ seq, type: 'message.sent', at: t0, messageSeq: null, sequence: null, message: null, inbound: null, data: null },
  callback: null,
})

/** @returns a queue with two events under way, and what records it; a record answers the next of the answers */
function underWay(...answers: readonly (WebhookEndpoint | null)[]) {
  const left = [...answers]
  const positions: number[] = []
  const gone: string[] = []
  const disabled: string[] = []
  const clock = new ManualClock(t0)
  const write = {
    async recordAttempts({ position }: { position: number }) {
      positions.push(position)
      return left.shift() ?? null
    },
    async disableWebhook({ reason }: { reason: string }) {
      disabled.push(reason)
      return true
    },
  }
  const parts = { store: { write }, clock, log: silentLogger }
  const recorder = new Recorder(parts, id => gone.push(id))
  const queue = new EndpointQueue(endpoint())
  queue.addEvents([event(1), event(2)], [])
  queue.readUpTo = 2
  const items = [queue.take(t0), queue.take(t0)].flatMap(item => item ?? [])
  const ended = async (at: 0 | 1, state: AttemptOutcome['state']) => {
    const item = items[at]
    if (!item) throw new Error('it is not under way')
    const attempt = { at: t0, durationMs: 1, status: 200, error: null, answer: '' }
    queue.ended(item, { seq: item.seq, type: 'message.sent', messageSeq: null, attempt, state, nextAt: null })
    await recorder.now(queue)
  }
  return { clock, ended, positions, disabled, gone }
}

describe('a queue whose endpoint is not this process’s any more', () => {
  test('does not move on over what was not stored, should the endpoint come back', async () => {
    const { ended, positions, gone } = underWay(null, endpoint())
    await ended(0, 'pending')
    expect(gone).toEqual(['hook_1'])
    await ended(1, 'delivered')
    expect(positions).toEqual([1, 0])
  })
})

describe('an endpoint that is off', () => {
  test('gets nothing more after the record that shows it', async () => {
    const { ended, gone } = underWay(endpoint({ disabledAt: t0 }))
    await ended(0, 'delivered')
    expect(gone).toEqual(['hook_1'])
  })
})

test('an endpoint that failed before days of standstill is not switched off in the first hour', async () => {
  const failing = endpoint({ failingSince: t0 - 6 * dayMs })
  const { clock, ended, disabled } = underWay(failing, failing)
  // As at a start without a date.
  clock.set(dayMs)
  await ended(0, 'pending')
  expect(disabled).toEqual([])
  clock.advance(hourMs)
  await ended(1, 'pending')
  expect(disabled).toEqual(['failing'])
})
