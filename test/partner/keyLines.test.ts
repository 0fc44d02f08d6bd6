import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Line } from '../../db/contract/records.ts'
import { newId } from '../../src/base/ids.ts'
import { type OperationId, partnerOperations } from '../../src/http/calls.ts'
import { createKey, rotateKey } from '../../src/operations/apiKeys.ts'
import { readsOf } from '../../src/reading/keyReads.ts'
import { inbound, template } from '../db/fixtures.ts'
import { sharedFixture } from '../fixture.ts'
import { type Answer, answerOf, type Key, startTestGateway } from '../gateway.ts'
import { flow } from '../interactive/samples.ts'
import { accept } from '../upstream.ts'
import { phone, text } from './refusals.ts'

/*
 * A workspace with two lines of one account, `own` and `near`, and `far`, a line of another account. Keys are limited
 * to some of them.
 */
const gateway = sharedFixture(() => startTestGateway({ env: { PUBLIC_API_KEY_RATE_LIMIT: '0' } }))
let own: Line
let near: Line
let far: Line
/** Limited to `own`. */
let key: Key
/** What there is of a line. */
interface Traces {
  /** Of a key that has this line alone. */
  readonly batchId: string
  readonly messageId: string
  readonly inboundId: string
  readonly mediaId: string
}
let ofOwn: Traces
let ofNear: Traces
/** What only other lines have. */
let foreign: readonly string[]

const store = () => gateway.gateway.store
/** What the platform was asked to do: not the files of users, which the gateway fetches by itself. */
const asked = () => gateway.upstream.received.filter(({ method }) => method !== 'GET')
const from = (line: Line, body: object = text) => gateway.send({ ...body, phoneNumberId: line.id })

/** Has a line send a message, and a user write to it, with a file. */
async function traces(line: Line): Promise<Traces> {
  const sent = await from(line)
  const mediaId = newId('media')
  const file = { id: mediaId, upstreamId: '77', sha256: null, mimeType: 'image/png', fileName: `of ${line.id}` }
  const who = { phone, userId: null, name: 'Ada', newContactId: 'contact_ada' }
  const { upstreamPhoneId } = line
  const content = JSON.stringify({ image: { id: '77', caption: `to ${line.id}` } })
  const message = {
    channelMessageId: `wamid.${line.id}`,
    kind: 'image',
    at: Date.now(),
    content,
    upstreamPhoneId,
    file,
  }
  const messages = [inbound({ ...message, from: who })]
  await store().write.recordInbound({ channelId: line.channelId, messages, recordedAt: Date.now() })
  const { json } = await gateway.get(`/api/v1/public/inbound?lineId=${line.id}`)
  const by = line === own ? key : await gateway.createKey({ lineIds: [line.id] })
  const batch = { name: `of ${line.id}`, idempotencyKey: line.id, state: 'draft', items: [text] }
  const made = await ask(by, ['POST', '/batches', batch])
  return { batchId: made.json.data.id, messageId: sent.json.data.id, inboundId: json.data[0].id, mediaId }
}

beforeAll(async () => {
  const { workspaceId, gateway: running } = gateway
  const { write } = store()
  own = gateway.line
  near = await gateway.addLine({ number: '+15550000002' })
  const channelId = newId('chan')
  const account = { id: channelId, workspaceId, accountId: '100009', createdAt: 1, updatedAt: 1 }
  const secrets = { accessToken: 'far-token', appSecret: 'app-secret', verifyToken: 'verify-token' }
  await write.connectChannel({ ...account, ...running.credentials.seal(channelId, secrets) })
  far = await gateway.addLine({ channelId, number: '+15550000003' })
  await gateway.addTemplates({ name: 'of_the_account' })
  const at = Date.now()
  for (const category of ['UTILITY', 'MARKETING']) {
    const templates = [
      template({ id: 'tpl_far', channelId, name: 'of_the_other_account', status: 'APPROVED', category }),
    ]
    await write.replaceTemplates({ channelId, templates, at, recordedAt: at })
  }
  key = await gateway.createKey({ lineIds: [own.id] })
  ofOwn = await traces(own)
  ofNear = await traces(near)
  const ofFar = await traces(far)
  const alert = { kind: 'account_alerts', at, detail: {}, accountId: null }
  for (const line of [own, near, far]) {
    const about = { of: 'line', number: line.number } as const
    await write.keepUpdates({ channelId: line.channelId, updates: [{ ...alert, about }], recordedAt: at })
    const account = { ...alert, about: { of: 'account' } as const }
    await write.keepUpdates({ channelId: line.channelId, updates: [account], recordedAt: at })
  }
  const quality = { name: 'of_the_other_account', language: 'en_US' }
  const about = { of: 'template', ...quality } as const
  const kind = 'message_template_quality_update'
  await write.keepUpdates({ channelId, updates: [{ ...alert, kind, about }], recordedAt: at })
  const ids = [ofNear, ofFar].flatMap(({ messageId, inboundId, mediaId }) => [messageId, inboundId, mediaId])
  const lines = [near, far].flatMap(({ id, number }) => [id, number])
  foreign = [...ids, ...lines, channelId, 'of_the_other_account', 'tpl_far']
})

beforeEach(() => {
  gateway.upstream.received.length = 0
  gateway.upstream.answer = accept
})

function ask(as: Key, [method, path, body]: Asked): Promise<Answer> {
  const headers = { ...as, ...(body && { 'content-type': 'application/json' }) }
  const given = body && { body: JSON.stringify(body) }
  return answerOf(fetch(`${gateway.url}/api/v1/public${path}`, { method, headers, ...given }))
}
const codeOf = ({ status, json }: Answer) => `${status} ${json.error ?? 'answered'}`
const foreignIn = ({ text }: Answer) => foreign.filter(mark => text.includes(mark))

type Asked = readonly [method: string, path: string, body?: object]

/** What a call is told of another line than those of its key. */
type Told =
  /** As of an id that there is not. */
  | { readonly unknown: (of: Traces) => Asked }
  /** It is left out of the answer. */
  | { readonly leftOut: () => Asked }
  | { readonly refused: () => Asked; readonly code: string }
  /** What it is about has no line. */
  | 'of the workspace'
  /** It needs a scope that has to be named: another test says it. */
  | 'in contacts.test.ts'

/** No key of lines can have this scope: `createKey`, below. */
const webhooks = { refused: (): Asked => ['GET', '/webhooks'], code: '403 FORBIDDEN' }

const told: Readonly<Record<OperationId, Told>> = {
  sendMessage: {
    refused: () => ['POST', '/messages/send', { ...text, phoneNumberId: near.id }],
    code: '403 FORBIDDEN',
  },
  checkMessage: { unknown: ({ messageId }) => ['POST', '/messages/check', { ...text, replyTo: messageId }] },
  getMessage: { unknown: ({ messageId }) => ['GET', `/messages/${messageId}`] },
  rescheduleMessage: {
    unknown: ({ messageId }) => ['PATCH', `/messages/${messageId}`, { sendAt: '2026-03-01T09:00:00Z' }],
  },
  cancelMessage: { unknown: ({ messageId }) => ['DELETE', `/messages/${messageId}`] },
  listMessages: { leftOut: () => ['GET', '/messages'] },
  listLines: { leftOut: () => ['GET', '/lines'] },
  listEvents: { leftOut: () => ['GET', '/events?limit=100'] },
  listTemplates: { leftOut: () => ['GET', '/templates'] },
  listInbound: { leftOut: () => ['GET', '/inbound'] },
  getInbound: { unknown: ({ inboundId }) => ['GET', `/inbound/${inboundId}`] },
  readInbound: { unknown: ({ inboundId }) => ['POST', `/inbound/${inboundId}/read`] },
  uploadMedia: 'of the workspace',
  getMedia: { unknown: ({ mediaId }) => ['GET', `/media/${mediaId}`] },
  findContact: { leftOut: () => ['GET', `/contacts?phone=${phone.slice(1)}`] },
  getContact: { leftOut: () => ['GET', '/contacts/contact_ada'] },
  createBatch: 'of the workspace',
  listBatches: { leftOut: () => ['GET', '/batches'] },
  getBatch: { unknown: ({ batchId }) => ['GET', `/batches/${batchId}`] },
  listBatchItems: { unknown: ({ batchId }) => ['GET', `/batches/${batchId}/items`] },
  addBatchItems: {
    unknown: ({ batchId }) => [
      'POST',
      `/batches/${batchId}/items`,
      { offset: 0, items: [{ ...text, reference: own.id }] },
    ],
  },
  leaveOutBatchItem: { unknown: ({ batchId }) => ['DELETE', `/batches/${batchId}/items/0`] },
  startBatch: { unknown: ({ batchId }) => ['POST', `/batches/${batchId}/start`] },
  pauseBatch: { unknown: ({ batchId }) => ['POST', `/batches/${batchId}/pause`] },
  resumeBatch: { unknown: ({ batchId }) => ['POST', `/batches/${batchId}/resume`] },
  cancelBatch: { unknown: ({ batchId }) => ['POST', `/batches/${batchId}/cancel`] },
  retryBatch: { unknown: ({ batchId }) => ['POST', `/batches/${batchId}/retry`] },
  setPreference: 'of the workspace',
  addContact: 'of the workspace',
  setBlocked: 'in contacts.test.ts',
  listWebhooks: webhooks,
  addWebhook: webhooks,
  getWebhook: webhooks,
  changeWebhook: webhooks,
  removeWebhook: webhooks,
  rotateWebhook: webhooks,
  testWebhook: webhooks,
  listDeliveries: webhooks,
  replayEvents: webhooks,
}

const nothing: Traces = { batchId: 'batch_0', messageId: 'msg_0', inboundId: 'inb_0', mediaId: 'media_0' }

test.each(Object.keys(partnerOperations) as OperationId[])('%s shows a key nothing of other lines', async operation => {
  const row = told[operation]
  if (typeof row === 'string') return
  if ('unknown' in row) {
    const hidden = await ask(key, row.unknown(ofNear))
    expect(hidden.text).toBe((await ask(key, row.unknown(nothing))).text)
    expect(asked()).toEqual([])
    // What it has itself is there, and that of the other line for a key of all lines.
    expect((await ask(key, row.unknown(ofOwn))).text).not.toBe(hidden.text)
    expect((await ask(gateway.key, row.unknown(ofNear))).text).not.toBe(hidden.text)
  } else if ('leftOut' in row) {
    const shown = await ask(key, row.leftOut())
    expect([shown.status, foreignIn(shown)]).toEqual([200, []])
    expect(shown.text).toContain(operation === 'listTemplates' ? 'of_the_account' : own.id)
    expect(foreignIn(await ask(gateway.key, row.leftOut()))).not.toEqual([])
  } else {
    expect(codeOf(await ask(key, row.refused()))).toBe(row.code)
    expect(asked()).toEqual([])
  }
})

describe('a send', () => {
  const send = (as: Key, body: object = text) => gateway.send(body, { ...as })

  test('goes out from the line of its key, also where the default of the workspace is another', async () => {
    await store().write.setDefaultLine({ lineId: near.id, isDefault: true })
    const sent = await send(key)
    await store().write.setDefaultLine({ lineId: near.id, isDefault: false })
    expect([sent.status, sent.json.data.lineId]).toEqual([201, own.id])
  })

  test('403 FORBIDDEN: a line that is none of the key, and one that does not exist, are refused alike', async () => {
    const refused = await send(key, { ...text, phoneNumberId: near.id })
    expect([refused.status, refused.json]).toEqual([
      403,
      {
        error: 'FORBIDDEN',
        message: 'The API key may not send from the line that phoneNumberId names: it is limited to other lines.',
        details: { phoneNumberIds: [own.id] },
      },
    ])
    expect((await send(key, { ...text, phoneNumberId: 'line_0' })).text).toBe(refused.text)
    expect(asked()).toEqual([])
  })

  test('400 PHONE_NUMBER_REQUIRED: it names the lines of the key alone', async () => {
    const both = await gateway.createKey({ lineIds: [own.id, far.id] })
    const { status, json } = await send(both)
    expect([status, json.error, json.details.phoneNumberIds]).toEqual([400, 'PHONE_NUMBER_REQUIRED', [own.id, far.id]])
    expect((await send(both, { ...text, phoneNumberId: far.id })).json.data.lineId).toBe(far.id)
  })

  test('answers no message of another line, and sends no file that came to one', async () => {
    const about: readonly object[] = [
      { ...text, replyTo: ofNear.messageId },
      { ...text, replyTo: ofNear.inboundId },
      { type: 'image', phone, mediaId: ofNear.mediaId },
    ]
    expect(await Promise.all(about.map(async body => codeOf(await send(key, body))))).toEqual(
      about.map(() => '404 NOT_FOUND'),
    )
    expect((await send(key, { ...text, replyTo: ofOwn.messageId })).status).toBe(201)
  })

  test('closes the flows of its own line alone', async () => {
    const opened = { type: 'interactive', content: JSON.stringify(flow({ flow_token: 'token' })) }
    const toAda = { phone: null, contactId: 'contact_ada' }
    const sent = [await from(own, { ...opened, ...toAda }), await from(near, { ...opened, ...toAda })]
    expect((await send(key, { ...text, ...toAda, revalidateFlowSession: true })).status).toBe(201)
    const sessions = await store().read.flowSessions('contact_ada')
    const closedBy = sent.map(({ json }) => sessions.find(({ messageId }) => messageId === json.data.id)?.closedBy)
    expect(closedBy).toEqual(['revalidated', null])
  })

  test('200: a replay is answered by the same key, and by its successor', async () => {
    const keyed = { ...text, idempotencyKey: `order of ${own.id}` }
    const { json } = await send(key, keyed)
    const actor = { ...store(), write: store().write, workspaceId: gateway.workspaceId }
    const rotated = await rotateKey(actor, key.apiKey, {})
    if (!('apiSecret' in rotated)) throw new Error('the key was not rotated')
    expect(rotated.key.lineIds).toEqual([own.id])
    const successor = { apiKey: rotated.key.id, apiSecret: rotated.apiSecret }
    for (const as of [key, successor]) {
      const again = await send(as, keyed)
      expect([again.status, again.json.data.id]).toEqual([200, json.data.id])
    }
    expect(codeOf(await send(successor, { ...text, phoneNumberId: near.id }))).toBe('403 FORBIDDEN')
  })

  test('400 NO_PHONE_NUMBER: no other line takes the place of one that was removed, and what it has sent stays readable', async () => {
    const line = await gateway.addLine()
    const narrow = await gateway.createKey({ lineIds: [line.id] })
    const sent = await send(narrow)
    expect(sent.json.data.lineId).toBe(line.id)
    await store().write.removeLine({ lineId: line.id, at: Date.now() })
    const refused = await send(narrow)
    expect([codeOf(refused), refused.json.message]).toEqual(['400 NO_PHONE_NUMBER', 'This API key has no active line.'])
    expect((await ask(narrow, ['GET', '/lines'])).json.data).toEqual([])
    expect((await ask(narrow, ['GET', `/messages/${sent.json.data.id}`])).status).toBe(200)
    const listed = await ask(narrow, ['GET', '/messages'])
    expect(listed.json.data.map(({ id }: { id: string }) => id)).toEqual([sent.json.data.id])
  })
})

test('what a contact wrote to other lines opens no window of its own', async () => {
  const query = { contactId: 'contact_ada', since: 0, limit: 10 }
  const linesOf = async (lineIds: readonly string[] | null) =>
    new Set((await readsOf(store().read, { lineIds }).inboundTimes(query)).map(({ lineId }) => lineId))
  expect([await linesOf([own.id]), await linesOf(null)]).toEqual([
    new Set([own.id]),
    new Set([own.id, near.id, far.id]),
  ])
  const quiet = await gateway.addLine()
  const narrow = await gateway.createKey({ lineIds: [quiet.id] })
  const asked = { ...text, requireOpenWindow: true }
  expect((await gateway.send(asked, { ...narrow })).json.error).toBe('WINDOW_CLOSED')
  expect((await gateway.send(asked, { ...key })).status).toBe(201)
  const { window } = (await ask(narrow, ['GET', '/contacts/contact_ada'])).json.data
  expect(window).toEqual({ open: false, expiresAt: null, lines: [{ lineId: quiet.id, open: false, expiresAt: null }] })
})

describe('of the lists', () => {
  const lists = ['/messages', '/messages?order=asc', `/messages?phone=${phone.slice(1)}`, '/events', '/inbound']

  test.each(lists)('%s has all of several lines, whatever the size of its pages', async path => {
    const both = await gateway.createKey({ lineIds: [own.id, far.id] })
    const pagesOf = async (as: Key, limit: number) => {
      const found: { id: string; type?: string }[] = []
      for (let after = ''; ; ) {
        const query = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${after && `&after=${after}`}`
        const { status, json } = await ask(as, ['GET', query])
        expect(status).toBe(200)
        found.push(...json.data)
        if (json.next === null || json.next === after) return found
        after = json.next
      }
    }
    const isShown = (entry: { type?: string }) =>
      // Whose they are is not in them.
      !entry.type?.startsWith('batch.') &&
      (JSON.stringify(entry).match(/line_[0-9a-z]{26}/g) ?? []).every(id => id === own.id || id === far.id)
    const whole = await pagesOf(gateway.key, 100)
    expect(whole.every(isShown)).toBe(false)
    for (const limit of [1, 2, 100]) expect(await pagesOf(both, limit)).toEqual(whole.filter(isShown))
  })

  test('that of events has what concerns the account of the line, or none', async () => {
    const query = '/events?limit=100&type=channel.alert,template.updated,template.quality_changed'
    const { json } = await ask(key, ['GET', query])
    const all: { type: string }[] = (await ask(gateway.key, ['GET', query])).json.data
    expect(new Set(all.map(({ type }) => type)).size).toBe(3)
    const about = json.data.map(({ type, data }: { type: string; data: { line?: { id: string } | null } }) => [
      type,
      data.line?.id,
    ])
    expect(about).toEqual([
      ['channel.alert', own.id],
      ['channel.alert', undefined],
    ])
  })

  test('that of inbound messages and contacts filter by no other line', async () => {
    expect(codeOf(await ask(key, ['GET', `/inbound?lineId=${near.id}`]))).toBe('400 PHONE_NUMBER_NOT_FOUND')
    const { json } = await ask(key, ['GET', `/inbound?lineId=${own.id}&contactId=contact_ada`])
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([ofOwn.inboundId])
  })
})

test('who waits for events is woken by those of its lines alone', async () => {
  const { next } = (await ask(key, ['GET', '/events?after=latest'])).json
  const waiting = ask(key, ['GET', `/events?after=${next}&wait=25&type=message.sent`])
  await from(near)
  const sent = await from(own)
  const { data } = (await waiting).json
  expect(data.map(({ data }: { data: { message: { id: string } } }) => data.message.id)).toEqual([sent.json.data.id])
})

describe('a key is not made', () => {
  const actor = () => ({ ...store(), workspaceId: gateway.workspaceId })
  const made = (of: Parameters<typeof createKey>[2]) => createKey(actor(), gateway.workspaceId, of)
  const problem = (message: unknown) => ({ details: { issues: [{ path: '/lineIds', message }] } })

  test('with lines and the scope webhooks: endpoints get the events of the workspace', async () => {
    const refused = await made({ scopes: ['webhooks', 'media'], lineIds: [own.id] })
    expect(refused).toMatchObject(problem(expect.stringContaining('cannot have the scope webhooks')))
  })

  test('with a line of another workspace, or with none that there is', async () => {
    const other = await gateway.addWorkspace()
    for (const lineId of [other.line.id, 'line_0'])
      expect(await made({ lineIds: [own.id, lineId] })).toMatchObject(
        problem('one of the lines is none of this workspace'),
      )
  })

  test('a line that is named twice counts once', async () => {
    expect(await made({ lineIds: [own.id, own.id] })).toMatchObject({ key: { lineIds: [own.id] } })
  })
})
