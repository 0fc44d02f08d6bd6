import { Elysia } from 'elysia'
import type { Batch } from '../../../db/contract/batches.ts'
import type { Clock } from '../../base/clock.ts'
import { type Issue, invalid } from '../../base/errors.ts'
import type { TObject } from '../../base/schema.ts'
import { partnerPrefix } from '../../http/calls.ts'
import { manyItemsReader } from '../../http/manyItems.ts'
import { Refused } from '../../operations/act.ts'
import { batchDetails } from '../../operations/batchDetails.ts'
import { batchOf, batchPage, itemPage } from '../../operations/batches.ts'
import { addItems, createBatch } from '../../operations/batchMaking.ts'
import { type BatchAct, batchStart, leaveOut, moveBatch, retryBatch } from '../../operations/batchMoves.ts'
import {
  itemListSchema,
  listSchema,
  moreItemsSchema,
  newBatchSchema,
  retrySchema,
  startSchema,
} from '../../operations/batchSchemas.ts'
import { batchView, itemView, wholeBatchView } from '../../operations/batchView.ts'
import { keyInHeader } from '../../operations/sends/sendBody.ts'
import { pageDefault } from '../../reading/steps.ts'
import { bodyReader } from '../body.ts'
import type { PartnerCaller } from '../caller.ts'
import type { Endpoint, EndpointContext, Outcome } from '../endpoint.ts'
import { strictQuery } from '../query.ts'
import { details } from './document.ts'

interface BatchContext extends EndpointContext {
  readonly params: { readonly batchId: string }
}

interface ItemContext extends EndpointContext {
  readonly params: { readonly batchId: string; readonly number: string }
}

const at = `${partnerPrefix}/batches`
const checkList = strictQuery(listSchema)
const checkItemList = strictQuery(itemListSchema)
const readRetry = bodyReader(retrySchema, { isOptional: true })
const readStart = bodyReader(startSchema, { isOptional: true })
const refused = (refusal: Refused): Outcome => ({ ok: false, refusal })
const refusedBy = (issues: Issue[]): Outcome => ({ ok: false, refusal: invalid(issues) })

/** `/batches` (docs/partner-api.md#batches): many sends as one thing. */
export function batchRoutes(clock: Clock, endpoint: Endpoint) {
  const bodies = manyItemsReader(clock)
  const reader = <Schema extends TObject>(schema: Schema) => {
    const read = bodies(schema)
    return (caller: PartnerCaller) =>
      caller.body(async request => ({
        body: await read(request, caller.workspaceId),
        headerKey: keyInHeader(request),
      }))
  }
  const readNew = reader(newBatchSchema)
  const readMore = reader(moreItemsSchema)

  // Not `turn`: on SQLite a step is over within its turn, and all of them would be one.
  const restOf = (caller: PartnerCaller) => () => caller.read.nextTurn()
  async function whole(caller: PartnerCaller, batch: Batch, status: 200 | 202 = 200): Promise<Outcome> {
    const found = await batchDetails(caller.actor, batch, restOf(caller))
    return { ok: true, status, body: { success: true, data: wholeBatchView(batch, found) } }
  }
  const moving = (act: Exclude<BatchAct, 'start'>) =>
    endpoint<BatchContext>(`POST /batches/:batchId/${act}`, async (caller, { params }) => {
      const moved = await moveBatch(caller.actor, caller, params.batchId, act)
      return moved instanceof Refused ? refused(moved) : whole(caller, moved)
    })

  const answers = {
    create: endpoint('POST /batches', async caller => {
      const { body, headerKey } = await readNew(caller)
      const made = await createBatch(caller.actor, caller, body, headerKey, restOf(caller))
      return made instanceof Refused ? refused(made) : whole(caller, made.batch, made.isReplay ? 200 : 202)
    }),
    list: endpoint('GET /batches', async (caller, { request }) => {
      const query = checkList(request)
      if (!query.ok) return refusedBy(query.issues)
      const { after = null, limit = pageDefault } = query.value
      const { batches, next } = await batchPage(caller.actor, caller, { after, limit })
      return { ok: true, status: 200, body: { success: true, data: batches.map(batchView), next } }
    }),
    get: endpoint<BatchContext>('GET /batches/:batchId', async (caller, { params }) => {
      const batch = await batchOf(caller.actor, params.batchId, caller)
      return batch instanceof Refused ? refused(batch) : whole(caller, batch)
    }),
    items: endpoint<BatchContext>('GET /batches/:batchId/items', async (caller, { request, params }) => {
      const query = checkItemList(request)
      if (!query.ok) return refusedBy(query.issues)
      const { status, after = '-1', limit = pageDefault } = query.value
      if (!/^-?\d{1,9}$/.test(after)) return refusedBy([{ path: '/after', message: 'is no position in this list' }])
      const batch = await batchOf(caller.actor, params.batchId, caller)
      if (batch instanceof Refused) return refused(batch)
      const page = await itemPage(caller.actor, batch.id, { status, after: Number(after), limit })
      const next = page.next === null ? null : String(page.next)
      return { ok: true, status: 200, body: { success: true, data: page.items.map(itemView), next } }
    }),
    add: endpoint<BatchContext>('POST /batches/:batchId/items', async (caller, { params }) => {
      const { body } = await readMore(caller)
      const added = await addItems(caller.actor, caller, params.batchId, body, restOf(caller))
      return added instanceof Refused ? refused(added) : whole(caller, added.batch)
    }),
    leaveOut: endpoint<ItemContext>('DELETE /batches/:batchId/items/:number', async (caller, { params }) => {
      const { batchId, number } = params
      const left = await leaveOut(caller.actor, caller, batchId, number)
      return left instanceof Refused ? refused(left) : whole(caller, left)
    }),
    start: endpoint<BatchContext>('POST /batches/:batchId/start', async (caller, { params }) => {
      const begins = batchStart(await readStart(caller, clock))
      if (begins instanceof Refused) return refused(begins)
      const started = await moveBatch(caller.actor, caller, params.batchId, 'start', begins)
      return started instanceof Refused ? refused(started) : whole(caller, started)
    }),
    pause: moving('pause'),
    resume: moving('resume'),
    cancel: moving('cancel'),
    retry: endpoint<BatchContext>('POST /batches/:batchId/retry', async (caller, { params }) => {
      const { dryRun = false } = await readRetry(caller, clock)
      const how = { isDry: dryRun, rest: restOf(caller) }
      const done = await retryBatch(caller.actor, caller, params.batchId, how)
      if (done instanceof Refused) return refused(done)
      const { retried, leftOut } = done
      return { ok: true, status: 200, body: { success: true, data: { retried, leftOut, dryRun } } }
    }),
  }
  const one = `${at}/:batchId`
  return new Elysia({ name: 'partner-batches' })
    .post(at, ({ request, server }) => answers.create({ request, server }), { parse: 'none', detail: details.create })
    .get(at, ({ request, server }) => answers.list({ request, server }), { detail: details.list })
    .get(one, ({ request, server, params }) => answers.get({ request, server, params }), { detail: details.get })
    .get(`${one}/items`, ({ request, server, params }) => answers.items({ request, server, params }), {
      detail: details.items,
    })
    .post(`${one}/items`, ({ request, server, params }) => answers.add({ request, server, params }), {
      ...{ parse: 'none', detail: details.add },
    })
    .delete(`${one}/items/:number`, ({ request, server, params }) => answers.leaveOut({ request, server, params }), {
      ...{ parse: 'none', detail: details.leaveOut },
    })
    .post(`${one}/start`, ({ request, server, params }) => answers.start({ request, server, params }), {
      ...{ parse: 'none', detail: details.start },
    })
    .post(`${one}/pause`, ({ request, server, params }) => answers.pause({ request, server, params }), {
      ...{ parse: 'none', detail: details.pause },
    })
    .post(`${one}/resume`, ({ request, server, params }) => answers.resume({ request, server, params }), {
      ...{ parse: 'none', detail: details.resume },
    })
    .post(`${one}/cancel`, ({ request, server, params }) => answers.cancel({ request, server, params }), {
      ...{ parse: 'none', detail: details.cancel },
    })
    .post(`${one}/retry`, ({ request, server, params }) => answers.retry({ request, server, params }), {
      ...{ parse: 'none', detail: details.retry },
    })
}
