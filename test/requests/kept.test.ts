import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { type RequestBlock, requestsKept, unpacked } from '../../db/contract/apiRequests.ts'
import { GatewayError, type Issue, invalid } from '../../src/base/errors.ts'
import { KeptRequests } from '../../src/requests/kept.ts'
import { keptRefusal } from '../../src/requests/refusal.ts'
import { fileRefused } from '../../src/sending/refusals.ts'
import { type Logger, silentLogger } from '../../src/telemetry/log.ts'
import { inexactNumber } from '../../src/templates/exactness.ts'
import { ManualClock } from '../clock.ts'
import { eventually } from '../eventually.ts'
import { startTestGateway } from '../gateway.ts'

const caller = {
  workspaceId: 'ws_1',
  keyId: 'pk_1',
  scope: 'pk_1',
  scopes: null,
  lineIds: null,
  onOptOut: null,
  settings: null,
}
const ended = (n: number) => ({ call: 'POST /messages/send', startedAt: 0, requestId: String(n), status: 201 })

/** A store whose writes end when the test says so. */
function setUp() {
  const clock = new ManualClock()
  const writes: { blocks: readonly RequestBlock[]; end: (error?: Error) => Promise<void> }[] = []
  const lines: object[] = []
  const note = (fields: object) => void lines.push(fields)
  const log: Logger = Object.assign(Object.create(silentLogger), { info: note, warn: note, error: note })
  const recordApiRequests = ({ blocks }: { blocks: readonly RequestBlock[] }) =>
    new Promise<void>((resolve, reject) => {
      const end = async (error?: Error) => {
        if (error) reject(error)
        else resolve()
        await Bun.sleep(0)
      }
      writes.push({ blocks, end })
    })
  const kept = new KeptRequests({ write: { recordApiRequests }, clock, log })
  const ids = (at: number) => writes[at]?.blocks.flatMap(({ calls }) => unpacked(calls)).map(of => Number(of.requestId))
  return { clock, kept, writes, lines, ids }
}

describe('calls of API keys are written', () => {
  test('once a second, those of each workspace and outcome apart, and never two writes at a time', async () => {
    const { clock, kept, writes, ids } = setUp()
    for (let n = 0; n < 600; n += 1) kept.answered({ ...caller, workspaceId: `ws_${n % 2}` }, ended(n))
    kept.refused(caller, ended(600), invalid([]))
    clock.advance(999)
    expect(writes).toEqual([])
    clock.advance(1)
    const of = writes[0]?.blocks.map(({ workspaceId, outcome, count }) => `${workspaceId} ${outcome} ${count}`)
    expect(of).toEqual([
      'ws_0 answered 250',
      'ws_0 answered 50',
      'ws_1 answered 250',
      'ws_1 answered 50',
      'ws_1 refused 1',
    ])
    kept.answered(caller, ended(601))
    clock.advance(60_000)
    expect(writes).toHaveLength(1)
    await writes[0]?.end()
    clock.advance(1_000)
    expect(ids(1)).toEqual([601])
    await writes[1]?.end()
    expect(clock.pending).toBe(0)
  })

  test('a write that fails is dropped with one line, and the next ones go on', async () => {
    const { clock, kept, writes, lines, ids } = setUp()
    for (const n of [1, 2, 3]) {
      kept.answered(caller, ended(n))
      clock.advance(1_000)
      await writes[n - 1]?.end(n < 3 ? new Error('the disk is full') : undefined)
    }
    expect(ids(2)).toEqual([3])
    expect(lines).toEqual([{ err: expect.any(Error), calls: 1 }, { failures: 2 }])
  })

  test('while one write hangs the newest wait, no more than are kept; the refused ones are not pushed out', async () => {
    const { clock, kept, writes, lines, ids } = setUp()
    kept.answered(caller, ended(-1))
    clock.advance(1_000)
    kept.refused(caller, ended(-2), invalid([]))
    const all = requestsKept * 3 + 500
    for (let n = 0; n < all; n += 1) kept.answered(caller, ended(n))
    await writes[0]?.end()
    clock.advance(1_000)
    const written = ids(1) ?? []
    expect(written.at(-1)).toBe(-2)
    expect(written.at(-2)).toBe(all - 1)
    expect(written.length - 1).toBeWithin(requestsKept - 1_000, requestsKept + 1)
    expect(lines).toEqual([{ calls: all - (written.length - 1) }])
  })

  test('at the end of the process what is left is written, after what is under way', async () => {
    const { clock, kept, writes, ids } = setUp()
    kept.answered(caller, ended(1))
    clock.advance(1_000)
    kept.answered(caller, ended(2))
    const stopped = kept.stop()
    expect(writes).toHaveLength(1)
    await writes[0]?.end()
    expect(ids(1)).toEqual([2])
    kept.answered(caller, ended(3))
    await writes[1]?.end()
    expect(ids(2)).toEqual([3])
    await writes[2]?.end()
    await stopped
    // The writer is gone: a handler that is still busy has no caller any more.
    kept.answered(caller, ended(4))
    clock.advance(60_000)
    expect(writes).toHaveLength(3)
  })

  test('sends are answered while they cannot be written, and at a stop they are on disk', async () => {
    const clock = new ManualClock()
    const gateway = await startTestGateway({ clock })
    const { write } = gateway.gateway.store
    const { recordApiRequests } = write
    let tries = 0
    write.recordApiRequests = async () => {
      tries += 1
      throw new Error('the disk is full')
    }
    const send = () => gateway.send({ type: 'text', phone: '+4915112345678', content: 'Hello' })
    for (const n of [1, 2, 3]) {
      expect((await send()).status).toBe(201)
      clock.advance(1_000)
      await eventually(() => expect(tries).toBe(n))
    }
    write.recordApiRequests = recordApiRequests
    await send()
    const { dataDir, workspaceId } = gateway
    await gateway.gateway.stop()
    const next = await startTestGateway({ dataDir })
    const of = { workspaceId, outcome: 'answered', before: null, since: 0, scan: 100 } as const
    const { requests } = await next.gateway.store.read.apiRequests(of)
    expect(requests).toHaveLength(1)
    await Promise.all([next.stop(), gateway.stop()])
    rmSync(dataDir, { recursive: true, force: true })
  })
})

describe('what is kept of a refusal', () => {
  test('of a file that the channel refused, its code, and not what the channel said of it', () => {
    const path = '/templateVariables/header'
    const issues = [
      { path, message: `${fileRefused}: 131053: no file at https://example.com/secret.png` },
      { path, message: `${fileRefused}: no file at https://example.com/secret.png` },
    ]
    expect(keptRefusal(invalid(issues)).issues.map(({ message }) => message)).toEqual([
      `${fileRefused}: 131053`,
      fileRefused,
    ])
  })

  test.each<[what: string, issue: Issue, kept: Issue]>([
    [
      'the place of a variable that is missing: its template names it',
      { path: '/templateVariables/first_name', message: 'is required: the body has {{first_name}}' },
      { path: '/templateVariables/first_name', message: 'is required: the body has {{first_name}}' },
    ],
    [
      'the place of a variable of ours, and of a number',
      { path: '/templateVariables/c0_header_link', message: 'must be a link' },
      { path: '/templateVariables/c0_header_link', message: 'must be a link' },
    ],
    [
      'not the name of another one',
      { path: '/templateVariables/Ada', message: 'must be a text' },
      { path: '/templateVariables/…', message: 'must be a text' },
    ],
    [
      'not a name in the data of a flow',
      { path: '/templateVariables/flow_action_data', message: `has a number at /a that b/c that ${inexactNumber}` },
      { path: '/templateVariables/flow_action_data', message: `has a number that ${inexactNumber}` },
    ],
    [
      'the place in a list of buttons',
      { path: '/content/action/buttons/0/reply/title', message: 'is required' },
      { path: '/content/action/buttons/0/reply/title', message: 'is required' },
    ],
  ])('%s', (_, issue, kept) => {
    expect(keptRefusal(invalid([issue])).issues).toEqual([kept])
  })

  test('of many problems the first twenty, and how many more there were', () => {
    const issues = Array.from({ length: 34 }, (_, n) => ({ path: `/a/${n}`, message: 'is required' }))
    const kept = keptRefusal(invalid(issues))
    expect(kept.issues).toEqual(issues.slice(0, 20))
    expect(kept.issuesLeftOut).toBe(14)
  })

  test('of an error of ours the answer, and not its cause', () => {
    const refusal = { reason: 'INTERNAL_ERROR', message: 'Unexpected error on our side.' } as const
    const error = new GatewayError(refusal, { cause: new Error('secret') })
    expect(keptRefusal(error)).toEqual({ ...refusal, code: null, issues: [], issuesLeftOut: 0 })
  })
})
