import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { webhooksMax } from '../../../db/contract/webhooks.ts'
import { hourMs } from '../../../src/base/durations.ts'
import { PARTNER_ERRORS, type PartnerReason } from '../../../src/base/errors.ts'
import { newId, numberedId } from '../../../src/base/ids.ts'
import { keyScopes } from '../../../src/base/keyScopes.ts'
import { check } from '../../../src/base/schema.ts'
import { type OperationId, partnerOperations } from '../../../src/http/calls.ts'
import { batchBytesMax } from '../../../src/http/limits.ts'
import { openBatchesMax } from '../../../src/message/batches.ts'
import { errorExamples, operationErrors } from '../../../src/partner/docs/errorAnswers.ts'
import { errorSchema } from '../../../src/partner/docs/errorSchema.ts'
import { ManualClock } from '../../clock.ts'
import { inbound, webhook } from '../../db/fixtures.ts'
import { eventually } from '../../eventually.ts'
import { sharedFixture } from '../../fixture.ts'
import {
  type Answer,
  answerOf,
  type Key,
  orderTemplate,
  startTestGateway,
  type Tenant,
  type TestGateway,
} from '../../gateway.ts'
import { expectEnvelope, phone } from '../../http/errorEnvelope.ts'
import { accept, blockRefused, graphError } from '../../upstream.ts'

const templatesPath = '/api/v1/public/templates'
const contactsPath = '/api/v1/public/contacts'
const inboundPath = '/api/v1/public/inbound'
const mediaPath = '/api/v1/public/media'
/** As the example says it. */
const keyRateLimit = 300

const gateway = sharedFixture(() =>
  startTestGateway({
    // It stands still: the window of the limit does not end between two requests.
    clock: new ManualClock(Date.now()),
    env: { PUBLIC_API_KEY_RATE_LIMIT: String(keyRateLimit), SEND_QUEUE_MAX: '1', TRUST_PROXY: '127.0.0.1' },
  }),
)
beforeAll(async () => {
  await gateway.addTemplates(
    orderTemplate,
    { name: 'bilingual', language: 'en_US' },
    { name: 'bilingual', language: 'de' },
    { name: 'waiting', lastUpdateAt: Date.parse('2026-02-24T09:31:12Z'), status: 'PENDING' },
    { name: 'offer', category: 'MARKETING' },
    // A record that no upstream would list; it stands for any defect of our own.
    { name: 'broken', components: '{' },
  )
})
afterEach(() => {
  gateway.upstream.answer = accept
})

const isDocumented = check(errorSchema)
const text = { type: 'text', phone, content: 'Hi' }
const template = (fields: object) => ({ type: 'template', phone, templateVariables: {}, ...fields })

/** @returns the answer to a send that the upstream answers so */
async function answeredBy(response: Response, body: object = text): Promise<Answer> {
  gateway.upstream.answer = () => response
  return gateway.send(body)
}

const checkText = (body: string) => {
  const headers = { ...gateway.key, 'content-type': 'application/json' }
  return answerOf(fetch(`${gateway.url}/api/v1/public/messages/check`, { method: 'POST', headers, body }))
}

/** @returns the answer to a text of a workspace of its own */
async function elsewhere(prepare: (tenant: Awaited<ReturnType<TestGateway['addWorkspace']>>) => Promise<unknown>) {
  const tenant = await gateway.addWorkspace()
  await prepare(tenant)
  return gateway.send(text, { ...tenant.key })
}

async function whileAnotherWaits({ key }: { key: Key }): Promise<Answer> {
  const before = gateway.upstream.received.length
  const gate = Promise.withResolvers<void>()
  gateway.upstream.answer = received => gate.promise.then(() => accept(received))
  const first = gateway.send(text, { ...key })
  await eventually(() => expect(gateway.upstream.received.length).toBe(before + 1))
  const second = await gateway.send(text, { ...key })
  gate.resolve()
  await first
  return second
}

/** @returns the id of a message that a user has sent at this time */
async function received(
  { workspaceId, channelId }: Pick<Tenant, 'workspaceId' | 'channelId'>,
  { upstreamPhoneId } = gateway.line,
  at = Date.now(),
): Promise<string> {
  const { read, write } = gateway.gateway.store
  const messages = [inbound({ channelMessageId: `wamid.${crypto.randomUUID()}`, upstreamPhoneId, at })]
  await write.recordInbound({ channelId, messages, recordedAt: at })
  const all = await read.inboundMessages({ workspaceId, after: 0, limit: 100, scan: 100 })
  return numberedId('inb', workspaceId, all.messages.at(-1)?.seq ?? 0)
}

async function markRead({ key }: { key: Key }, id: string): Promise<Answer> {
  const response = await fetch(`${gateway.url}${inboundPath}/${id}/read`, { method: 'POST', headers: { ...key } })
  const { status, headers } = response
  const text = await response.text()
  return { status, headers, text, json: JSON.parse(text) }
}

/** @returns the id of a file that a user sent */
async function sentFile(): Promise<string> {
  const id = newId('media')
  const file = { id, upstreamId: '77', sha256: null, mimeType: null, fileName: null }
  const messages = [inbound({ channelMessageId: `wamid.${id}`, upstreamPhoneId: gateway.line.upstreamPhoneId, file })]
  await gateway.gateway.store.write.recordInbound({ channelId: gateway.channelId, messages, recordedAt: Date.now() })
  return id
}

/** @returns the answer to an eleventh call that waits for the platform */
async function whileTenWait(call: () => Promise<Answer>): Promise<Answer> {
  const before = gateway.upstream.received.length
  const gate = Promise.withResolvers<void>()
  gateway.upstream.answer = () => gate.promise.then(() => Response.json({ success: true }))
  const waiting = Array.from({ length: 10 }, call)
  await eventually(() => expect(gateway.upstream.received.length).toBe(before + 10))
  const another = await call()
  gate.resolve()
  await Promise.all(waiting)
  return another
}

const credentials = () => ({ apikey: gateway.key.apiKey, apisecret: gateway.key.apiSecret })
const postForm = (body: FormData | ReadableStream, type = {}) =>
  answerOf(fetch(`${gateway.url}${mediaPath}`, { method: 'POST', body, headers: { ...credentials(), ...type } }))

/** Nothing listens on that port of the machine. */
const deadBucket = {
  ...{ MEDIA_BUCKET: 'files', MEDIA_S3_ENDPOINT: 'http://127.0.0.1:9', MEDIA_S3_ACCESS_KEY_ID: 'k' },
  MEDIA_S3_SECRET_ACCESS_KEY: 's',
}

async function fromDeadBucket(): Promise<Answer> {
  const other = await startTestGateway({ env: deadBucket })
  const { write } = other.gateway.store
  const id = newId('media')
  const times = { recordedAt: Date.now(), dueAt: null }
  await write.announceFile({
    id,
    workspaceId: other.workspaceId,
    sha256: null,
    mimeType: 'image/png',
    fileName: null,
    ...times,
  })
  await write.keepFile({ fileId: id, bytes: 7, mimeType: 'image/png' })
  try {
    return await other.get(`${mediaPath}/${id}`)
  } finally {
    await other.stop()
  }
}

async function whileFourAreReceived(): Promise<Answer> {
  const open = Array.from({ length: 4 }, () => new TransformStream<Uint8Array, Uint8Array>())
  const receiving = open.map(({ readable }) =>
    postForm(readable, { 'content-type': 'multipart/form-data; boundary=b' }),
  )
  const writers = open.map(({ writable }) => writable.getWriter())
  for (const writer of writers) void writer.write(Buffer.from('--b\r\n'))
  let another = await postForm(new FormData())
  await eventually(async () => {
    another = await postForm(new FormData())
    expect(another.status).toBe(503)
  })
  await Promise.all(writers.map(writer => writer.close()))
  await Promise.all(receiving)
  return another
}

type Row = readonly [
  example: string,
  reason: PartnerReason,
  details: string[] | null,
  ask: () => Promise<Answer>,
  operation?: OperationId,
]
const upstreamDetails = ['code', 'details', 'messageId', 'retryable', 'subcode', 'title', 'traceId']

/** @param call method and path, as `POST /webhooks` */
function asked(call: string, body: object, key: Key): Promise<Answer> {
  const [method = '', path = ''] = call.split(' ')
  const headers = { ...key, 'content-type': 'application/json' }
  const given = method === 'GET' ? {} : { body: JSON.stringify(body) }
  return answerOf(fetch(`${gateway.url}/api/v1/public${path}`, { method, headers, ...given }))
}

/** A key that manages webhooks, in a workspace with one. */
async function addEndpoint() {
  const { workspaceId } = await gateway.addWorkspace()
  const key = await gateway.createKey({ workspaceId, scopes: ['webhooks'] })
  const added = await asked('POST /webhooks', { url: hookUrl }, key)
  return { key, id: String(added.json.data.id), workspaceId }
}
const hookUrl = 'https://shop.example.com/hook'

async function ofWebhook(call: (id: string) => string, body: object = {}): Promise<Answer> {
  const { key, id } = await addEndpoint()
  return asked(call(id), body, key)
}

let lastBatch = 0
const newBatch = (body: object, key = gateway.key) => {
  lastBatch += 1
  const fields = { idempotencyKey: `batch-${lastBatch}`, defaults: { type: 'text', content: 'Hi' } }
  return asked('POST /batches', { ...fields, ...body }, key)
}

/** @returns the answer to an act on a batch in this state */
async function ofBatch(act: string, state: 'draft' | 'running' | 'cancelled' | 'done', body: object = {}) {
  const made = await newBatch({ items: [{ phone }], ...(state !== 'running' && { state: 'draft' }) })
  const { id } = made.json.data
  if (state === 'cancelled') await asked(`POST /batches/${id}/cancel`, {}, gateway.key)
  if (state === 'done') {
    const { write } = gateway.gateway.store
    await write.moveBatch({ batchId: id, event: 'start', at: 1 })
    for (const { number, messageId } of (await write.claimBatchItems({ batchId: id, messageIds: [newId('msg')] })) ??
      [])
      await write.settleBatchItems({
        batchId: id,
        items: [{ number, messageId: messageId ?? '', state: 'skipped', reason: null }],
      })
    await write.moveBatch({ batchId: id, event: 'finish', at: 1 })
  }
  return asked(`POST /batches/${id}/${act}`, body, gateway.key)
}

/** An item that was left out by itself is no more to be left out by somebody. */
async function lateItem(): Promise<Answer> {
  const { data } = (await newBatch({ items: [{ phone }, { phone }], state: 'draft' })).json
  return asked(`DELETE /batches/${data.id}/items/1`, {}, gateway.key)
}

async function beyondBatches(): Promise<Answer> {
  const { key, workspaceId } = await gateway.addWorkspace()
  const made = { workspaceId, keyId: null, scope: workspaceId, idempotencyKey: null, fingerprint: null, name: null }
  const empty = { state: 'draft', defaults: {}, duplicates: 'skip', createdAt: 1, sendAt: null } as const
  const one = () =>
    gateway.gateway.store.write.createBatch({ batch: { ...made, ...empty, id: newId('batch') }, items: [] })
  await Promise.all(Array.from({ length: openBatchesMax }, one))
  return newBatch({ items: [{ phone }] }, key)
}

/** @returns the answer to the third of three that are as large as they may be, and do not end */
async function whileTwoBatchesAreRead(): Promise<Answer> {
  const { key } = await gateway.addWorkspace()
  const headers = { ...key, 'content-type': 'application/json' }
  const open = Array.from({ length: 3 }, () => new TransformStream<Uint8Array, Uint8Array>())
  const reading = open.map(({ readable }) =>
    answerOf(fetch(`${gateway.url}/api/v1/public/batches`, { method: 'POST', headers, body: readable })),
  )
  const writers = open.map(({ writable }) => writable.getWriter())
  for (const writer of writers) writer.write(Buffer.alloc(batchBytesMax, ' ')).catch(() => {})
  const refused = await Promise.race(reading)
  await Promise.allSettled(writers.map(writer => writer.close()))
  await Promise.allSettled(reading)
  return refused
}

async function beyondWebhooks(): Promise<Answer> {
  const { key, workspaceId } = await addEndpoint()
  const { write } = gateway.gateway.store
  const one = () => write.addWebhook(webhook({ id: newId('hook'), workspaceId }))
  await Promise.all(Array.from({ length: webhooksMax }, one))
  return asked('POST /webhooks', { url: hookUrl }, key)
}

async function withoutSecret(): Promise<Answer> {
  const { key, id } = await addEndpoint()
  const { write } = gateway.gateway.store
  const check = { name: 'check', value: 'another key' }
  await write.replaceSecrets({ check, channels: [], at: Date.now() })
  return asked(`POST /webhooks/${id}/test`, {}, key)
}

/** @returns the answer to the one that came too late */
async function fiveAtOnce(call: (id: string) => string, body: object): Promise<Answer> {
  const { key, id } = await addEndpoint()
  const answers = await Promise.all(Array.from({ length: 5 }, () => asked(call(id), body, key)))
  const [late] = answers.filter(({ status }) => status === 409)
  if (!late) throw new Error('all were done')
  return late
}

/** @returns the answer to a key that may only do something else */
async function beyondScopes(operation: OperationId): Promise<Answer> {
  const { call, scope } = partnerOperations[operation]
  return asked(call, {}, await gateway.createKey({ scopes: keyScopes.filter(other => other !== scope) }))
}

async function fromOtherLine(): Promise<Answer> {
  const key = await gateway.createKey({ lineIds: [gateway.line.id] })
  return gateway.send({ ...text, phoneNumberId: 'line_other' }, { ...key })
}

/** @returns the answer to a change of a message that was sent, or that was cancelled before its time */
async function changedTooLate(sends: object, ...calls: readonly [call: string, body?: object][]): Promise<Answer> {
  const { id } = (await gateway.send({ ...text, ...sends })).json.data
  const answers: Answer[] = []
  for (const [method, body] of calls) answers.push(await asked(`${method} /messages/${id}`, body ?? {}, gateway.key))
  const last = answers.at(-1)
  if (!last) throw new Error('nothing was asked')
  return last
}
const inAnHour = () => ({ sendAt: new Date(Date.now() + hourMs).toISOString() })

/** Real refusals, one for each example of the document, with the shape of its details. */
async function toWhoOptedOut(): Promise<Answer> {
  const { store } = gateway.gateway
  const at = Date.now()
  const who = { workspaceId: gateway.workspaceId, phone: '+4915155555555', userId: null, name: null }
  const contact = await store.write.saveContact({ id: 'contact_out', ...who, createdAt: at, updatedAt: at })
  if (!contact) throw new Error('the workspace is there')
  const source = { kind: 'member', word: null, by: 'Ada' } as const
  await store.write.setWish({ workspaceId: who.workspaceId, contactId: contact.id, value: 'stop', source, at })
  return gateway.send(template({ templateName: 'offer', phone: who.phone }))
}

const ofContacts = async (call: string, body: object) =>
  asked(call, body, await gateway.createKey({ scopes: ['contacts:write'] }))

const someContact = async (phone: string): Promise<string> =>
  (await ofContacts('POST /contacts', { phone })).json.data.id
const block = async (body: object) => ofContacts(`PUT /contacts/${await someContact('+4915166666666')}/blocked`, body)

async function ofForgotten(): Promise<Answer> {
  const contactId = await someContact('+4915177777777')
  await gateway.gateway.store.write.forgetContact({ contactId, at: Date.now() })
  return ofContacts(`PUT /contacts/${contactId}/blocked`, { blocked: true })
}

const setWish = async (contactId: string, value: string) =>
  answerOf(
    fetch(`${gateway.url}${contactsPath}/${contactId}/preferences`, {
      method: 'PUT',
      headers: { ...(await gateway.createKey({ scopes: ['contacts:write'] })), 'content-type': 'application/json' },
      body: JSON.stringify({ category: 'marketing_messages', value }),
    }),
  )

const rows: readonly Row[] = [
  ...(Object.keys(partnerOperations) as OperationId[]).map(
    (operation): Row => [`${operation}Scope`, 'FORBIDDEN', ['scope'], () => beyondScopes(operation), operation],
  ),
  ['otherLine', 'FORBIDDEN', ['phoneNumberIds'], fromOtherLine, 'sendMessage'],
  [
    'malformed',
    'VALIDATION_ERROR',
    ['issues'],
    () => gateway.send({ type: 'template', templateName: 'order_confirmation' }),
  ],
  [
    'sendAt',
    'VALIDATION_ERROR',
    ['issues'],
    () => asked('PATCH /messages/msg_none', { sendAt: 'tomorrow' }, gateway.key),
    'rescheduleMessage',
  ],
  ['released', 'CONFLICT', null, () => changedTooLate({}, ['PATCH', inAnHour()]), 'rescheduleMessage'],
  ['noAddress', 'VALIDATION_ERROR', ['issues'], () => ofWebhook(() => 'POST /webhooks'), 'addWebhook'],
  [
    'grace',
    'VALIDATION_ERROR',
    ['issues'],
    () => ofWebhook(id => `POST /webhooks/${id}/rotate`, { graceHours: 169 }),
    'rotateWebhook',
  ],
  [
    'eventType',
    'VALIDATION_ERROR',
    ['issues'],
    () => ofWebhook(id => `POST /webhooks/${id}/test`, { type: 'message.lost' }),
    'testWebhook',
  ],
  [
    'deliveryState',
    'VALIDATION_ERROR',
    ['issues'],
    () => ofWebhook(id => `GET /webhooks/${id}/deliveries?state=lost`),
    'listDeliveries',
  ],
  ['replay', 'VALIDATION_ERROR', ['issues'], () => ofWebhook(id => `POST /webhooks/${id}/replay`), 'replayEvents'],
  ['batchItem', 'VALIDATION_ERROR', ['issues'], () => newBatch({ items: [{}] }), 'createBatch'],
  ['batchPage', 'VALIDATION_ERROR', ['issues'], () => gateway.get('/api/v1/public/batches?limit=101'), 'listBatches'],
  ['startsAt', 'VALIDATION_ERROR', ['issues'], () => ofBatch('start', 'draft', { sendAt: 'soon' }), 'startBatch'],
  ['dryRun', 'VALIDATION_ERROR', ['issues'], () => ofBatch('retry', 'draft', { dryRun: 'x' }), 'retryBatch'],
  ['batch', 'NOT_FOUND', null, () => gateway.get('/api/v1/public/batches/batch_none'), 'getBatch'],
  ['tooManyBatches', 'CONFLICT', null, beyondBatches, 'createBatch'],
  ['notDraft', 'CONFLICT', null, () => ofBatch('items', 'running', { offset: 1, items: [text] }), 'addBatchItems'],
  ['lateItem', 'CONFLICT', null, lateItem, 'leaveOutBatchItem'],
  ['startState', 'CONFLICT', null, () => ofBatch('start', 'cancelled'), 'startBatch'],
  ['pauseState', 'CONFLICT', null, () => ofBatch('pause', 'draft'), 'pauseBatch'],
  ['resumeState', 'CONFLICT', null, () => ofBatch('resume', 'draft'), 'resumeBatch'],
  ['cancelState', 'CONFLICT', null, () => ofBatch('cancel', 'done'), 'cancelBatch'],
  ['retryState', 'CONFLICT', null, () => ofBatch('retry', 'draft'), 'retryBatch'],
  ['busyReading', 'SERVICE_UNAVAILABLE', null, whileTwoBatchesAreRead, 'createBatch'],
  ['webhook', 'NOT_FOUND', null, () => ofWebhook(() => 'GET /webhooks/hook_none'), 'getWebhook'],
  ['tooManyWebhooks', 'CONFLICT', null, beyondWebhooks, 'addWebhook'],
  ['secretLost', 'CONFLICT', null, withoutSecret, 'testWebhook'],
  ['rotatedAtOnce', 'CONFLICT', null, () => fiveAtOnce(id => `POST /webhooks/${id}/rotate`, {}), 'rotateWebhook'],
  [
    'replaying',
    'CONFLICT',
    null,
    () => fiveAtOnce(id => `POST /webhooks/${id}/replay`, { since: '2026-01-01T00:00:00Z' }),
    'replayEvents',
  ],
  ['wait', 'VALIDATION_ERROR', ['issues'], () => gateway.get('/api/v1/public/messages/msg_1?wait=26'), 'getMessage'],
  [
    'cursor',
    'VALIDATION_ERROR',
    ['issues'],
    () => gateway.get(`/api/v1/public/events?after=${numberedId('evt', newId('ws'), 7)}`),
    'listEvents',
  ],
  ['filter', 'VALIDATION_ERROR', ['issues'], () => gateway.get(`${templatesPath}?name=`), 'listTemplates'],
  ['inboundCursor', 'VALIDATION_ERROR', ['issues'], () => gateway.get(`${inboundPath}?after=inb_1`), 'listInbound'],
  ['raw', 'VALIDATION_ERROR', ['issues'], () => gateway.get(`${inboundPath}/inb_1?raw=x`), 'getInbound'],
  [
    'tooOld',
    'VALIDATION_ERROR',
    ['issues'],
    async () => markRead(gateway, await received(gateway, gateway.line, 0)),
    'readInbound',
  ],
  ['noNumber', 'VALIDATION_ERROR', ['issues'], () => gateway.get(contactsPath), 'findContact'],
  [
    'severalLines',
    'PHONE_NUMBER_REQUIRED',
    ['phoneNumberIds'],
    () => elsewhere(({ workspaceId, channelId }) => gateway.addLine({ workspaceId, channelId })),
  ],
  ['unknownLine', 'PHONE_NUMBER_NOT_FOUND', null, () => gateway.send({ ...text, phoneNumberId: 'line_none' })],
  ['lineId', 'PHONE_NUMBER_NOT_FOUND', null, () => gateway.get(`${inboundPath}?lineId=line_none`), 'listInbound'],
  [
    'removedLine',
    'PHONE_NUMBER_NOT_FOUND',
    null,
    async () => {
      const line = await gateway.addLine()
      const id = await received(gateway, line)
      await gateway.gateway.store.write.removeLine({ lineId: line.id, at: Date.now() })
      return markRead(gateway, id)
    },
    'readInbound',
  ],
  [
    'inactiveInboundLine',
    'PHONE_NUMBER_INACTIVE',
    null,
    async () => markRead(gateway, await received(gateway, await gateway.addLine({ active: false }))),
    'readInbound',
  ],
  [
    'inactiveLine',
    'PHONE_NUMBER_INACTIVE',
    null,
    async () => gateway.send({ ...text, phoneNumberId: (await gateway.addLine({ active: false })).id }),
  ],
  [
    'noLine',
    'NO_PHONE_NUMBER',
    null,
    () => elsewhere(({ line }) => gateway.gateway.store.write.changeLine({ lineId: line.id, active: false })),
  ],
  ['pending', 'TEMPLATE_NOT_APPROVED', ['since', 'status'], () => gateway.send(template({ templateName: 'waiting' }))],
  ['unauthorized', 'UNAUTHORIZED', null, () => gateway.send(text, { apiSecret: 'sk_wrong' })],
  [
    'planLimit',
    'PLAN_LIMIT_EXCEEDED',
    ['limit', 'resetsAt', 'used'],
    () => elsewhere(({ workspaceId }) => gateway.gateway.store.write.setMonthlyLimit({ workspaceId, limit: 0 })),
  ],
  ['message', 'NOT_FOUND', null, () => gateway.get(`/api/v1/public/messages/${newId('msg')}`), 'getMessage'],
  [
    'contact',
    'NOT_FOUND',
    null,
    () => gateway.send({ type: 'text', contactId: newId('contact'), content: text.content }),
  ],
  ['contactFilter', 'NOT_FOUND', null, () => gateway.get(`${inboundPath}?contactId=contact_none`), 'listInbound'],
  ['inbound', 'NOT_FOUND', null, () => gateway.get(`${inboundPath}/inb_1`), 'getInbound'],
  ['inboundToRead', 'NOT_FOUND', null, () => markRead(gateway, 'inb_1'), 'readInbound'],
  ['media', 'NOT_FOUND', null, () => gateway.get(`${mediaPath}/media_1`), 'getMedia'],
  ['mediaPending', 'NOT_FOUND', ['state'], async () => gateway.get(`${mediaPath}/${await sentFile()}`), 'getMedia'],
  [
    'range',
    'RANGE_NOT_SATISFIABLE',
    ['size'],
    async () => {
      const id = await sentFile()
      await gateway.gateway.store.write.keepFile({ fileId: id, bytes: 68_204, mimeType: 'image/png' })
      return gateway.get(`${mediaPath}/${id}`, { ...gateway.key, range: 'bytes=68204-' } as Key)
    },
    'getMedia',
  ],
  ['contactId', 'NOT_FOUND', null, () => gateway.get(`${contactsPath}/${newId('contact')}`), 'getContact'],
  ['number', 'NOT_FOUND', null, () => gateway.get(`${contactsPath}?phone=4930999`), 'findContact'],
  ['template', 'NOT_FOUND', null, () => gateway.send(template({ templateName: 'nowhere' }))],
  [
    'language',
    'NOT_FOUND',
    ['languages'],
    () => gateway.send(template({ templateName: 'bilingual', templateLanguage: 'fr' })),
  ],
  [
    'conflict',
    'IDEMPOTENCY_CONFLICT',
    null,
    async () => {
      await gateway.send({ ...text, idempotencyKey: 'used' })
      return gateway.send({ ...text, content: 'Other', idempotencyKey: 'used' })
    },
  ],
  ['switchedOff', 'DIRECT_SEND_OFF', null, () => gateway.send({ ...text, category: 'utility' })],
  ['noMarketing', 'OPTED_OUT', null, toWhoOptedOut],
  ['wish', 'VALIDATION_ERROR', ['issues'], () => setWish('contact_0', 'no'), 'setPreference'],
  ['closed', 'WINDOW_CLOSED', null, () => gateway.send({ ...text, requireOpenWindow: true })],
  ['tooLarge', 'PAYLOAD_TOO_LARGE', null, () => gateway.send({ ...text, content: 'x'.repeat(140_000) })],
  ['unreadable', 'VALIDATION_ERROR', ['issues'], () => checkText('{'), 'checkMessage'],
  ['notJson', 'UNSUPPORTED_MEDIA_TYPE', null, () => gateway.send(text, { 'content-type': 'text/plain' })],
  [
    'rateLimit',
    'RATE_LIMIT_EXCEEDED',
    null,
    async () => {
      const key = await gateway.createKey()
      await Promise.all(Array.from({ length: keyRateLimit }, () => gateway.get('/api/v1/public/nowhere', key)))
      // From outside: a caller on a private network is told the setting too.
      return gateway.send(text, { ...key, 'x-forwarded-for': '203.0.113.9' })
    },
  ],
  [
    'refusedRequest',
    'CHANNEL_GRAPH_ERROR',
    upstreamDetails,
    () =>
      answeredBy(
        graphError(400, {
          code: 131047,
          message: 'Re-engagement message',
          error_data: { details: 'More than 24 hours have passed' },
        }),
      ),
  ],
  [
    'refusedTemplate',
    'CHANNEL_GRAPH_ERROR',
    [...upstreamDetails, 'issues'].sort(),
    () =>
      answeredBy(
        graphError(400, {
          code: 132000,
          message: 'Number of parameters does not match the expected number of params',
          error_data: {
            details: 'body: number of localizable_params (1) does not match the expected number of params (2)',
          },
        }),
        template({
          templateName: 'order_confirmation',
          templateVariables: undefined,
          templateComponents: [{ type: 'body', parameters: [{ type: 'text', text: 'Ada' }] }],
        }),
      ),
  ],
  [
    'refusedByPlatform',
    'CHANNEL_GRAPH_ERROR',
    upstreamDetails,
    () => answeredBy(graphError(500, { code: 131000, message: 'Something went wrong' })),
  ],
  [
    'notMarked',
    'CHANNEL_GRAPH_ERROR',
    upstreamDetails,
    async () => {
      gateway.upstream.answer = () => graphError(400, { code: 131009, message: 'Parameter value is not valid' })
      return markRead(gateway, await received(gateway))
    },
    'readInbound',
  ],
  [
    'noAnswer',
    'CHANNEL_GRAPH_ERROR',
    upstreamDetails,
    async () => {
      gateway.upstream.answer = () => new Response('', { status: 502 })
      return markRead(gateway, await received(gateway))
    },
    'readInbound',
  ],
  ['internal', 'INTERNAL_ERROR', null, () => gateway.send(template({ templateName: 'broken' }))],
  ['busy', 'SERVICE_UNAVAILABLE', null, async () => whileAnotherWaits(await gateway.addWorkspace())],
  ['noStorage', 'SERVICE_UNAVAILABLE', null, fromDeadBucket, 'getMedia'],
  ['noFile', 'VALIDATION_ERROR', ['issues'], () => postForm(new FormData()), 'uploadMedia'],
  ['busyReceiving', 'SERVICE_UNAVAILABLE', null, whileFourAreReceived, 'uploadMedia'],
  [
    'busyMarking',
    'SERVICE_UNAVAILABLE',
    null,
    async () => {
      const id = await received(gateway)
      return whileTenWait(() => markRead(gateway, id))
    },
    'readInbound',
  ],
  [
    'added',
    'VALIDATION_ERROR',
    ['issues'],
    () => ofContacts('POST /contacts', { phone: '0151 12345678' }),
    'addContact',
  ],
  ['blocked', 'VALIDATION_ERROR', ['issues'], () => block({}), 'setBlocked'],
  ['forgottenPerson', 'CONFLICT', null, ofForgotten, 'setBlocked'],
  [
    'notBlocked',
    'CHANNEL_GRAPH_ERROR',
    upstreamDetails.filter(name => name !== 'messageId'),
    () => {
      gateway.upstream.answer = () => blockRefused(131047, 'Re-engagement message')
      return block({ blocked: true })
    },
    'setBlocked',
  ],
  [
    'notBlockedYet',
    'CHANNEL_GRAPH_ERROR',
    upstreamDetails.filter(name => name !== 'messageId'),
    () => {
      gateway.upstream.answer = () => new Response('', { status: 502 })
      return block({ blocked: true })
    },
    'setBlocked',
  ],
  ['busyBlocking', 'SERVICE_UNAVAILABLE', null, () => whileTenWait(() => block({ blocked: true })), 'setBlocked'],
]

describe('a real refusal has the documented shape and the envelope of all, and says what its example says', () => {
  test.each(rows)('%s: %s with details %p', async (example, reason, details, ask, operation = 'sendMessage') => {
    const answer = await ask()
    const { status, json } = answer
    expectEnvelope(answer, details !== null)
    expect(json.error).toBe(reason)
    expect(operationErrors[operation]).toContain(json.error)
    expect(json.details ? Object.keys(json.details).sort() : null).toEqual(details)
    expect(isDocumented(json)).toMatchObject({ ok: true })
    const { message, details: shown } = errorExamples(reason, status, operation)[example]?.value ?? {}
    expect(json.message).toBe(message)
    if (json.details?.issues) expect(json.details.issues).toEqual(shown?.issues)
  })

  test('every example has one', () => {
    const operations = Object.entries(operationErrors) as [OperationId, readonly PartnerReason[]][]
    const shown = operations.flatMap(([operation, reasons]) =>
      reasons.flatMap(reason =>
        PARTNER_ERRORS[reason].status.flatMap(status => Object.keys(errorExamples(reason, status, operation))),
      ),
    )
    expect([...new Set(shown)].sort()).toEqual(rows.map(([example]) => example).sort())
  })
})
