import { expect, test } from 'bun:test'
import { webhookView } from '../../src/webhooks/view.ts'
import { t0, webhook } from '../db/fixtures.ts'

const never = {
  position: 0,
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  deliveredAt: null,
  failedAt: null,
}

test.each([
  ['untried', {}],
  ['works', { deliveredAt: t0 }],
  ['works', { deliveredAt: t0 + 1, failedAt: t0 }],
  ['failing', { deliveredAt: t0, failedAt: t0 + 1, failingSince: t0 + 1 }],
  ['off', { deliveredAt: t0, failedAt: t0 + 1, failingSince: t0 + 1, disabledAt: t0 + 2 }],
  // Switched on again: the former success shows nothing, and there was no attempt since then.
  ['untried', { deliveredAt: t0, failedAt: t0 + 1 }],
])('an endpoint is %s: %o', (state, fields) => {
  expect(webhookView({ ...webhook(), ...never, ...fields })).toMatchObject({ state })
})
