import { dayMs } from '../../src/base/durations.ts'
import { graphTokenOf } from '../../src/base/graphToken.ts'
import { keyScopes } from '../../src/base/keyScopes.ts'
import { messagesCallback, postCallback } from '../upstream.ts'
import type { Bench } from './bench.ts'
import { fill } from './fill.ts'
import { addWorkspace, appSecret, type BenchGateway, type Installation } from './gateway.ts'
import { manyTemplatesAccount } from './manyTemplates.ts'
import { run, until } from './processes.ts'
import type { Key } from './traffic.ts'

/** A workspace that asks as hard as its limits let it, beside others. */
export interface Neighbour {
  readonly headers: Readonly<Record<string, string>>
  /** As clients of the platform name it. */
  readonly line: string
  readonly receiver: string
  readonly messages: readonly string[]
  readonly inbound: readonly string[]
  readonly contactId: string
  /** Messages that wait for their time, and are still there. */
  scheduled(): Promise<readonly string[]>
  mediaId(): Promise<string>
  /** Where the bytes of an upload are, for some minutes. */
  uploadedAddress(): Promise<string>
  /** An upload of an example that was begun. */
  example(): Promise<string>
  /** A batch of as many items as one request may have. */
  draft(): Promise<string>
  /** A batch of which a part has failed, and could be retried. */
  failedBatch(): Promise<string>
  /** As large as a batch may be, at rest. */
  largeBatch(): Promise<string>
  runningBatch(): Promise<string>
  /** An endpoint that gets every event. */
  endpoint(): Promise<string>
  /** Ends what goes on by itself, so that nothing of it is there when the next call is asked. */
  rest(): Promise<void>
}

const phoneId = '106540352242923'
/** What the platform gives to a new line. */
const perSecond = 80
const usersWriting = 10_000
const updatesOfCallback = 1_000
const itemsAtOnce = 1_000
const itemsOfBatch = 100_000
const scheduledCount = 5_000
/** What all items of a batch are. */
const text = { type: 'text', content: 'Hello' }
const unknownTemplate = { type: 'template', templateName: 'none', templateLanguage: 'en_US', templateVariables: {} }
const sampled = 1_000

export interface Prepared {
  readonly installation: Installation
  readonly asking: Pick<Installation, 'callbackPath'>
  readonly key: Key
  readonly messages: readonly string[]
}

/** Sets up the workspace before a gateway runs. @param messages of its history, where the database is a file */
export async function prepare(installation: Installation, messages: number): Promise<Prepared> {
  const { binary, env } = installation
  const asking = await addWorkspace(installation, { accountId: manyTemplatesAccount, phoneId })
  await run([binary, 'line', 'set-rate', asking.lineId, '--per-second', String(perSecond)], env)
  const made = ['key', 'create', '--workspace', asking.workspaceId, '--scopes', keyScopes.join(), '--json']
  const key = JSON.parse(await run([binary, ...made], env)) as Key
  const kept =
    messages === 0
      ? []
      : await fill({
          ...{ installation: { ...installation, ...asking }, messages, outcome: 'SENT or READ' as const },
          keepEvery: Math.ceil(messages / sampled),
        })
  return { installation, asking, key, messages: kept.map(({ id }) => id) }
}

/** What a call answers here. */
interface Shown {
  readonly id: string
  readonly state: string
}

export async function settle(bench: Bench, gateway: BenchGateway, prepared: Prepared): Promise<Neighbour> {
  const { apiKey, apiSecret } = prepared.key
  const headers = { apiKey, apiSecret, authorization: `Bearer ${graphTokenOf(apiKey, apiSecret)}` }
  const { url: receiver } = await bench.fleet.service('receiver.ts')
  let lastKey = 0

  async function ask<Answer>(method: string, path: string, body?: object | FormData): Promise<Answer> {
    const json = body !== undefined && !(body instanceof FormData)
    const answer = await fetch(gateway.url + path, {
      ...{ method, headers: { ...headers, ...(json && { 'content-type': 'application/json' }) } },
      ...(body && { body: json ? JSON.stringify(body) : body }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  const call = async <Data>(method: string, path: string, body?: object | FormData) =>
    (await ask<{ data: Data }>(method, `/api/v1/public${path}`, body)).data

  /** @returns the id of a draft. @param fields of all its items */
  async function batch(items: number, fields: object, perRequest = itemsAtOnce): Promise<string> {
    lastKey += 1
    const people = (from: number) =>
      Array.from({ length: Math.min(items - from, perRequest) }, (_, at) => ({
        phone: `+4917${100_000_000 + from + at}`,
      }))
    const head = {
      idempotencyKey: `neighbour-${lastKey}`,
      state: 'draft',
      defaults: fields,
    }
    const { id } = await call<Shown>('POST', '/batches', { ...head, items: people(0) })
    for (let offset = perRequest; offset < items; offset += perRequest)
      await call('POST', `/batches/${id}/items`, { offset, items: people(offset) })
    return id
  }
  async function mediaId(): Promise<string> {
    const form = new FormData()
    form.set('file', new Blob([`%PDF-1.4 ${' '.repeat(1_048_576)}`], { type: 'application/pdf' }), 'bill.pdf')
    return (await call<Shown>('POST', '/media', form)).id
  }
  const stateOf = async (id: string) => (await call<Shown>('GET', `/batches/${id}`)).state

  const users = Array.from({ length: usersWriting }, (_, at) => `4916${String(at).padStart(9, '0')}`)
  for (let from = 0; from < users.length; from += updatesOfCallback) {
    const some = users.slice(from, from + updatesOfCallback)
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const callback = messagesCallback({
      metadata: { display_phone_number: '15550783881', phone_number_id: phoneId },
      contacts: some.map(phone => ({ profile: { name: 'Ada' }, wa_id: phone })),
      messages: some.map(phone => ({
        from: phone,
        id: `wamid.user${phone}`,
        timestamp,
        type: 'text',
        text: { body: 'x'.repeat(1_000) },
      })),
    })
    const answer = await postCallback(gateway.url + prepared.asking.callbackPath, callback, appSecret)
    if (!answer.ok) throw new Error(`a callback was answered ${answer.status}`)
  }
  const inbound = await call<readonly Shown[]>('GET', '/inbound?limit=100')
  const { id: contactId } = await call<Shown>('GET', `/contacts?phone=%2B${users[17]}`)
  const large = batch(itemsOfBatch, text)
  // Nothing else may be made beside it.
  await large
  let endpointId: string | null = null

  return {
    headers,
    line: phoneId,
    receiver,
    messages: prepared.messages,
    inbound: inbound.map(({ id }) => id),
    contactId,
    async scheduled() {
      const sendAt = new Date(Date.now() + dayMs).toISOString()
      const send = { phone: '+4915112345678', type: 'text', content: 'Hello', sendAt }
      const ids: string[] = []
      const loop = async () => {
        while (ids.length < scheduledCount) ids.push((await call<Shown>('POST', '/messages/send', send)).id)
      }
      await Promise.all(Array.from({ length: 32 }, loop))
      return ids
    },
    mediaId,
    async uploadedAddress() {
      const { url } = await ask<{ url: string }>('GET', `/graph/v23.0/${await mediaId()}`)
      const { pathname, search } = new URL(url)
      return pathname + search
    },
    async example() {
      const described = 'file_length=104857600&file_type=application/pdf'
      return (await ask<Shown>('POST', `/graph/v23.0/app/uploads?${described}`)).id
    },
    draft: () => batch(itemsAtOnce, text),
    largeBatch: () => large,
    async runningBatch() {
      const id = await batch(20 * itemsAtOnce, text)
      await call('POST', `/batches/${id}/start`)
      return id
    },
    async failedBatch() {
      const id = await batch(20 * itemsAtOnce, unknownTemplate)
      await call('POST', `/batches/${id}/start`)
      await until('a batch that cannot be sent ends', async () => ((await stateOf(id)) === 'running' ? null : true))
      return id
    },
    async endpoint() {
      endpointId ??= (await call<Shown>('POST', '/webhooks', { url: receiver })).id
      return endpointId
    },
    async rest() {
      for (const { id, state } of await call<readonly Shown[]>('GET', '/batches?limit=100'))
        if (id !== (await large) && ['draft', 'running', 'paused'].includes(state))
          await call('POST', `/batches/${id}/cancel`)
      // Those that the loops made too: no other one has room beside them.
      const { webhooks } = await call<{ webhooks: readonly Shown[] }>('GET', '/webhooks')
      for (const { id } of webhooks) await call('DELETE', `/webhooks/${id}`)
      endpointId = null
    },
  }
}
