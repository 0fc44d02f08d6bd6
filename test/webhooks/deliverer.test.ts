import { afterEach, expect, test } from 'bun:test'
import type { Store } from '../../db/contract/store.ts'
import { createVault } from '../../src/base/crypto.ts'
import { Announcements } from '../../src/reading/announcements.ts'
import { silentLogger } from '../../src/telemetry/log.ts'
import { Metrics } from '../../src/telemetry/metrics.ts'
import { WebhookDeliverer } from '../../src/webhooks/deliverer.ts'
import { OpenedWebhooks } from '../../src/webhooks/secrets.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { endpoint } from './webhooks.ts'

let stop = async () => {}
afterEach(() => stop())

test('pages in which nothing concerns an endpoint leave three quarters of the thread', async () => {
  const [clock, watch] = [new ManualClock(), new ManualClock()]
  const pageMs = 5
  const pages = 3
  let read = 0
  const reads: Partial<Store['read']> = {
    openWebhooks: async () => [{ webhook: endpoint(), lastEvent: pages, nextAt: null }],
    webhook: async () => endpoint(),
    knownDeliveries: async () => ({ seqs: [], open: [] }),
    async events({ after }) {
      read += 1
      watch.advance(pageMs)
      return { events: [], upTo: after + 1, hasMore: read < pages }
    },
  }
  const write: Partial<Store['write']> = { recordAttempts: async ({ position }) => endpoint({ position }) }
  const deliverer = new WebhookDeliverer({
    // The deliverer asks for nothing else here.
    store: { read: reads, write } as unknown as Store,
    ...{ shared: null, isReady: () => true, clock, watch, log: silentLogger, random: () => 0 },
    announcements: new Announcements(null),
    metrics: new Metrics(),
    opened: new OpenedWebhooks(createVault('the-key-of-these-tests-0123456789abcdef')),
    attempt: () => Promise.reject(new Error('nothing is to be delivered')),
    bodyOf: async () => ({}),
  })
  stop = () => deliverer.stop()
  deliverer.start()
  for (const page of [1, 2]) {
    await eventually(() => expect([read, watch.pending]).toEqual([page, 1]))
    watch.advance(3 * pageMs - 1)
    expect(watch.pending).toBe(1)
    watch.advance(1)
  }
  await eventually(() => expect(read).toBe(pages))
})
