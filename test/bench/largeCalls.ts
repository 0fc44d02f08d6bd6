import { dayMs } from '../../src/base/durations.ts'
import { pairOfGraphToken } from '../../src/base/graphToken.ts'
import { partnerPrefix } from '../../src/http/calls.ts'
import { postCallback } from '../upstream.ts'
import { type CallSide, callbackRows, callRows, writerOf, writers, writtenBody } from './callRows.ts'
import { cpuUsOf } from './cpu.ts'
import { appSecret, type BenchGateway, count } from './gateway.ts'
import { type Load, under } from './load.ts'
import { comparison } from './rounds.ts'
import type { Benchmark, Side } from './scenario.ts'
import { sendPath } from './traffic.ts'

/** What a history of years costs: beside it, everything is to be about as fast as on an empty database. */
export const shareMin = 0.9

/** As of pages: reads take turns, so that more at once only wait for each other. */
export const readers = 4
/** Both sides have answered thousands of requests by then. */
const warmUpSecondsMax = 3
/** Of the draft whose items are read. */
const batchItems = 1_000
/** A file of some bytes: what is known of it is read, not the file. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A gateway, with what the requests of calls name. */
export interface CalledGateway {
  readonly gateway: BenchGateway
  readonly called: CallSide
}

/** Has users write, and makes the rest by the API. @param known what is there already */
export async function prepareCalls(
  gateway: BenchGateway,
  known: Pick<CallSide, 'graphToken' | 'webhookId'>,
): Promise<CalledGateway> {
  const { url, workspaceId, callbackPath, databasePath } = gateway
  const pair = pairOfGraphToken(known.graphToken)
  if (pair === null) throw new Error('the bench made no token for clients of the platform')
  const key = { apiKey: pair.keyId, apiSecret: pair.secret }
  const call = async (method: string, path: string, body?: object | FormData) => {
    const isForm = body instanceof FormData
    const answer = await fetch(url + path, {
      method,
      headers: { ...key, ...(!isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { readonly data: never; readonly next: string | null }
  }
  for (let at = 0; at < writers; at += 1) {
    const told = await postCallback(url + callbackPath, writtenBody(writerOf(at), `wamid.first${at}`), appSecret)
    if (!told.ok) throw new Error(`a callback was answered ${told.status}`)
  }
  const inbound = (await call('GET', `${partnerPrefix}/inbound?limit=100`)).data as readonly {
    readonly id: string
    readonly contactId: string
  }[]
  const text = { type: 'text', content: 'Your parcel is on its way.' }
  const scheduled = { ...text, phone: `+${writerOf(0)}`, sendAt: new Date(Date.now() + dayMs) }
  const items = Array.from({ length: batchItems }, (_, at) => ({ phone: `+${writerOf(at)}` }))
  const draft = { idempotencyKey: 'bench', state: 'draft', defaults: text, items }
  const form = new FormData()
  form.set('file', new Blob([pixel]), 'pixel.png')
  const idOf = (answer: { readonly data: { readonly id: string } }) => answer.data.id
  return {
    gateway,
    called: {
      key,
      ...known,
      workspaceId,
      callbackPath,
      lastEvent: count(databasePath, 'SELECT last AS count FROM event_counters'),
      inboundIds: inbound.map(({ id }) => id),
      contactIds: inbound.map(({ contactId }) => contactId),
      scheduledId: idOf(await call('POST', sendPath, scheduled)),
      mediaId: idOf(await call('POST', `${partnerPrefix}/media`, form)),
      batchId: idOf(await call('POST', `${partnerPrefix}/batches`, draft)),
    },
  }
}

/** Each call that has a row, and each kind of callback, on both sides in turn. */
export function callBenchmarks(
  folder: string,
  beside: string,
  empty: CalledGateway,
  large: CalledGateway,
): Benchmark[] {
  const calls = Object.values(callRows).filter(row => row.kind === 'measured')
  return [...calls, ...callbackRows].map(({ what: name, traffic }) => {
    const what = `${name}, ${beside}`
    const side = ({ gateway, called }: CalledGateway): Side => {
      const load: Load = {
        what,
        connections: readers,
        traffic: round => traffic(called, round),
        answers: 'success',
        folder,
      }
      return under(load, { url: gateway.url, cpuUs: () => cpuUsOf(gateway.pid) })
    }
    return comparison({
      ...{ what, connections: readers, gateway: side(large), warmUpSecondsMax },
      baselines: [
        {
          name: 'an empty database',
          side: side(empty),
          figures: [{ kind: 'throughput', least: shareMin }, { kind: 'cpu' }],
        },
      ],
    })
  })
}
