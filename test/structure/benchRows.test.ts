import { describe, expect, test } from 'bun:test'
import { partnerPrefix } from '../../src/http/calls.ts'
import { type CallSide, callRows } from '../bench/callRows.ts'

/*
 * Each call has a row beside a long history, or says why not: the type of `callRows` names one that has none. Here, that
 * a row asks for its call and for no other.
 */

const side: CallSide = {
  key: { apiKey: 'pk_ada', apiSecret: 'sk_ada' },
  graphToken: 'wp_ada_ada',
  workspaceId: 'ws_ada',
  callbackPath: '/callbacks/channel/ch_ada',
  lastEvent: 1_000,
  inboundIds: ['inb_ada'],
  contactIds: ['contact_ada'],
  scheduledId: 'msg_ada',
  mediaId: 'media_ada',
  batchId: 'batch_ada',
  webhookId: 'whe_ada',
}

/** @returns the call as a pattern of the first line of its request */
function patternOf(call: string): RegExp {
  const [method, route = ''] = call.split(' ')
  const path = route.startsWith('/graph') ? route.replace('/graph', '/graph/v25\\.0') : partnerPrefix + route
  return new RegExp(`^${method} ${path.replaceAll(/:\w+/g, '[^/? ]+')}(\\?\\S*)? HTTP/1\\.1\\r\\n`)
}

describe('a row of the bench asks for its own call', () => {
  for (const [call, row] of Object.entries(callRows)) {
    if (row.kind !== 'measured') continue
    test(call, () => {
      const traffic = row.traffic(side, 1)
      const requests = traffic.kind === 'listed' ? traffic.requests : [traffic.request]
      expect(requests.length).toBeGreaterThan(0)
      for (const request of requests) expect(request).toMatch(patternOf(call))
    })
  }
})
