import { expect, test } from 'bun:test'
import { type ApiRequest, type RequestOutcome, requestsKept } from '../../../db/contract/apiRequests.ts'
import { count, freshSeeded, type OpenStore } from '../engines.ts'
import { apiRequest, requestBlocks, t0 } from '../fixtures.ts'

export function apiRequestsSuite(open: OpenStore): void {
  const db = freshSeeded(open)

  const call = (n: number): ApiRequest => apiRequest({ at: t0 + n, requestId: `request-${n}`, messageId: `msg_${n}` })
  const refused = (n: number): ApiRequest => ({
    ...call(n),
    status: 400,
    messageId: null,
    refusal: {
      reason: 'VALIDATION_ERROR',
      message: 'The request is malformed.',
      code: null,
      issues: [{ path: '/phone', message: 'is required, unless contactId is given' }],
      issuesLeftOut: 2,
    },
  })
  const calls = (from: number, to: number, of = call) => Array.from({ length: to - from + 1 }, (_, at) => of(from + at))
  const record = (...given: Parameters<typeof requestBlocks>) => db.write('recordApiRequests', requestBlocks(...given))

  /** The numbers in the ids of all requests, newest first, and how many steps that took. */
  async function all(fields: { outcome?: RequestOutcome; since?: number; scan?: number; workspaceId?: string } = {}) {
    const query = { workspaceId: 'ws_1', outcome: 'answered', since: 0, scan: 700, ...fields } as const
    const found: number[] = []
    let steps = 0
    for (let before: number | null | undefined; before !== null; steps += 1) {
      const step = await db.read.apiRequests({ ...query, before: before ?? null })
      found.push(...step.requests.map(({ requestId }) => Number(requestId.slice('request-'.length))))
      before = step.before
    }
    return { found, steps }
  }
  const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at)

  test('a call is read as it was recorded, with its number; calls of one outcome are counted without a gap', async () => {
    await record([call(1), call(2)])
    await record([refused(3)], 'refused')
    await record([call(4)])
    const of = { workspaceId: 'ws_1', before: null, since: 0, scan: 10 }
    expect(await db.read.apiRequests({ ...of, outcome: 'answered' })).toEqual({
      requests: [
        { ...call(4), outcome: 'answered', number: 3 },
        { ...call(2), outcome: 'answered', number: 2 },
        { ...call(1), outcome: 'answered', number: 1 },
      ],
      before: null,
    })
    expect(await db.read.apiRequests({ ...of, outcome: 'refused' })).toEqual({
      requests: [{ ...refused(3), outcome: 'refused', number: 1 }],
      before: null,
    })
  })

  test('a step begins and ends anywhere in a block, and looks at no more than was asked for', async () => {
    await record(calls(1, 600))
    await record(calls(601, 601))
    await record(calls(602, 900))
    for (const scan of [1_000, 300, 251, 97]) {
      expect(await all({ scan })).toEqual({ found: down(900, 1), steps: Math.ceil(900 / scan) })
    }
  })

  test('the last 10,000 of each outcome are there; what is beyond is not shown, and deleted soon', async () => {
    await record(calls(1, 3), 'refused')
    for (let from = 1; from <= requestsKept; from += 2_000) await record(calls(from, from + 1_999))
    expect((await all()).found).toEqual(down(requestsKept, 1))
    await record(calls(10_001, 10_007))
    expect((await all()).found).toEqual(down(10_007, 8))
    // One at a time: rows are short where little is called.
    for (let n = 10_008; n <= 11_000; n += 1) await record([call(n)])
    expect((await all()).found).toEqual(down(11_000, 1_001))
    expect(await count(db, "api_requests WHERE outcome = 'answered' AND seq <= 1000")).toBe(0)
    expect((await all({ outcome: 'refused' })).found).toEqual([3, 2, 1])
  })

  test('a day is a bound of what is read, and older rows are pruned in bites', async () => {
    for (const n of [1, 2, 3, 4, 5]) await record([call(n)])
    await record([refused(2)], 'refused')
    expect((await all({ since: t0 + 3 })).found).toEqual([5, 4, 3])
    expect(await db.write('pruneApiRequests', { answeredBefore: t0 + 4, limit: 2 })).toBe(2)
    expect(await db.write('pruneApiRequests', { answeredBefore: t0 + 4, limit: 9 })).toBe(2)
    expect(await db.write('pruneApiRequests', { answeredBefore: t0 + 4, limit: 9 })).toBe(0)
    expect(await all()).toEqual({ found: [5, 4], steps: 1 })
    expect(await all({ outcome: 'refused' })).toEqual({ found: [], steps: 1 })
    await record([call(6)])
    expect((await all()).found).toEqual([6, 5, 4])
  })

  test('writes of several processes at once lose nothing and share no number', async () => {
    const given = Array.from({ length: 12 }, (_, at) => calls(at * 10 + 1, at * 10 + 10))
    const outcomes = await db.batch(...given.map(requests => ['recordApiRequests', requestBlocks(requests)] as const))
    expect(outcomes.map(({ ok }) => ok)).toEqual(given.map(() => true))
    const { found } = await all()
    expect(found.toSorted((one, other) => other - one)).toEqual(down(120, 1))
  })

  test('what a wanted call has may be named: others need not be looked at, and the end is found all the same', async () => {
    await record(calls(1, 600))
    await record([call(601), { ...call(602), keyId: 'pk_"2"' }])
    await record(calls(603, 1_100))
    const of = { workspaceId: 'ws_1', outcome: 'answered', since: 0, scan: 400 } as const
    const found: number[] = []
    for (let before: number | null | undefined; before !== null; ) {
      const step = await db.read.apiRequests({
        ...of,
        before: before ?? null,
        having: ['pk_"2"', 'POST /messages/send'],
      })
      found.push(...step.requests.filter(({ keyId }) => keyId === 'pk_"2"').map(({ number }) => number))
      expect(step.requests.length).toBeLessThan(3)
      before = step.before
    }
    expect(found).toEqual([602])
  })

  test('a workspace has its own; those of one that is gone are left out, and the others are kept', async () => {
    await db.write('createWorkspace', { id: 'ws_2', name: 'Other', monthlyMessageLimit: null, createdAt: t0 })
    const given = [requestBlocks([call(1)]), requestBlocks([call(2)], 'answered', 'ws_gone')]
    given.push(requestBlocks([call(3)], 'answered', 'ws_2'))
    await db.write('recordApiRequests', { blocks: given.flatMap(({ blocks }) => blocks) })
    expect((await all()).found).toEqual([1])
    expect((await all({ workspaceId: 'ws_2' })).found).toEqual([3])
    expect(await count(db, 'api_requests')).toBe(2)
  })
}
