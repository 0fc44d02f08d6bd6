import type { Config } from '../config.ts'
import { isObject, type JsonObject, parseObject, text } from '../json.ts'
import type { Transport } from '../transport/transport.ts'
import { type Attempt, readFault, readSendAnswer, type UpstreamFault } from './answer.ts'
import type { TemplateRecord } from './wire.ts'

export interface ChannelSettings {
  readonly apiUrl: string
  readonly apiVersion: string
  readonly timeoutMs: number
}

/** @returns what the configuration says of the upstream. */
export const channelSettings = (config: Config): ChannelSettings => ({
  apiUrl: config.channelApiUrl,
  apiVersion: config.channelApiVersion,
  timeoutMs: config.channelTimeoutMs,
})

export type Listing =
  | {
      readonly kind: 'listed'
      readonly templates: readonly TemplateRecord[]
      /** Records that could not be read: what they stand for is there all the same. */
      readonly skipped: number
    }
  | { readonly kind: 'failed'; readonly message: string }

/** A phone number of an account, as the upstream lists it. Null where the record does not say. */
export interface PhoneNumberRecord {
  readonly id: string
  /** Formatted differently in different places: to be shown, not compared. */
  readonly displayNumber: string | null
  readonly name: string | null
  readonly quality: string | null
  readonly status: string | null
}

export type NumberListing =
  | { readonly kind: 'listed'; readonly numbers: readonly PhoneNumberRecord[] }
  | { readonly kind: 'failed'; readonly message: string }

export type Subscription = { readonly kind: 'subscribed' } | { readonly kind: 'failed'; readonly message: string }

export type MediaUpload =
  | { readonly kind: 'uploaded'; readonly mediaId: string }
  | { readonly kind: 'refused'; readonly fault: UpstreamFault }
  | { readonly kind: 'unreachable'; readonly why: string }

/** One for each app that is subscribed; null: the address of the app itself. */
export type CallbackAddresses =
  | { readonly kind: 'read'; readonly addresses: readonly (string | null)[] }
  | { readonly kind: 'failed'; readonly message: string }

/** Asked for explicitly: `parameter_format` and `status` decide how and whether a template can be sent. */
const templateFields = 'id,name,language,category,status,parameter_format,components'
/** `status` and more are not among the fields that the upstream lists unasked (docs/upstream.md#phone-numbers). */
const numberFields = 'id,display_phone_number,verified_name,quality_rating,status'
/** The most that the upstream lists at once. */
const listPageSize = 100
/** 6,000 templates in pages of 100 are the most that an account may have; beyond it, something repeats itself. */
const listPagesMax = 100

type List =
  | { readonly kind: 'listed'; readonly records: readonly unknown[] }
  | { readonly kind: 'failed'; readonly message: string }

/** The upstream's API, call by call. Every call has a time limit and none of them repeats itself. */
export interface ChannelClient {
  /** `POST /<line>/messages` with a body made by sendRequest. */
  send(call: { upstreamPhoneId: string; accessToken: string; payload: string }): Promise<Attempt>
  /** `POST /<line>/media` (docs/upstream.md#media) of a file in pieces. The id belongs to the line. */
  uploadMedia(call: {
    upstreamPhoneId: string
    accessToken: string
    file: readonly Uint8Array[]
    mime: string
  }): Promise<MediaUpload>
  /** Every page of `GET /<account>/message_templates`. */
  listTemplates(call: { accountId: string; accessToken: string }): Promise<Listing>
  /** Every page of `GET /<account>/phone_numbers`. */
  listNumbers(call: { accountId: string; accessToken: string }): Promise<NumberListing>
  /** Points the account's callbacks to an address of ours; the upstream verifies it while we wait. */
  subscribe(call: {
    accountId: string
    accessToken: string
    callbackUrl: string
    verifyToken: string
  }): Promise<Subscription>
  /** Where the account's callbacks go. */
  callbackAddresses(call: { accountId: string; accessToken: string }): Promise<CallbackAddresses>
}

export function createChannelClient(transport: Transport, settings: ChannelSettings): ChannelClient {
  const base = `${settings.apiUrl}/${settings.apiVersion}`
  const { timeoutMs } = settings
  /** A server may send any coding to those who do not say (RFC 9110 12.5.3), and nothing here decodes one. */
  const headersOf = (accessToken: string) => ({
    authorization: `Bearer ${accessToken}`,
    'accept-encoding': 'identity',
  })
  const json = { 'content-type': 'application/json' }

  async function readAddresses(call: { accountId: string; accessToken: string }): Promise<CallbackAddresses> {
    const exchange = await transport.exchange({
      method: 'GET',
      url: `${base}/${call.accountId}/subscribed_apps`,
      headers: headersOf(call.accessToken),
      timeoutMs,
    })
    if (exchange.kind !== 'answered') return failed(exchange.why)
    const body = parseObject(exchange.body)
    if (exchange.status !== 200 || !Array.isArray(body?.data))
      return failed(refusal(exchange.status, body, call.accessToken))
    return { kind: 'read', addresses: body.data.map(app => text(isObject(app) ? app.override_callback_uri : null)) }
  }

  /** Reads a list of the account, page by page. */
  async function readList(path: string, fields: string, accessToken: string): Promise<List> {
    const records: unknown[] = []
    let after: string | null = null
    for (let page = 0; page < listPagesMax; page += 1) {
      // Built from our own host and token: the `next` address of the answer is not followed blindly.
      const query = new URLSearchParams({ fields, limit: String(listPageSize) })
      if (after !== null) query.set('after', after)
      const exchange = await transport.exchange({
        method: 'GET',
        url: `${base}/${path}?${query}`,
        headers: headersOf(accessToken),
        timeoutMs,
      })
      if (exchange.kind !== 'answered') return failed(exchange.why)
      const body = parseObject(exchange.body)
      if (exchange.status !== 200 || !Array.isArray(body?.data))
        return failed(refusal(exchange.status, body, accessToken))
      records.push(...body.data)
      // Cursors are there on the last page too; only `next` tells whether another follows.
      const paging = body.paging as { next?: unknown; cursors?: { after?: unknown } } | undefined
      const cursor = paging?.cursors?.after
      if (typeof paging?.next !== 'string') return { kind: 'listed', records }
      if (typeof cursor !== 'string' || cursor === after)
        return failed('the listing says that it goes on, but not where')
      after = cursor
    }
    return failed(`the listing has more than ${listPagesMax} pages`)
  }

  return {
    async send({ upstreamPhoneId, accessToken, payload }) {
      const exchange = await transport.exchange({
        method: 'POST',
        url: `${base}/${upstreamPhoneId}/messages`,
        headers: { ...headersOf(accessToken), ...json },
        body: payload,
        timeoutMs,
      })
      return readSendAnswer(exchange, [accessToken], upstreamPhoneId)
    },

    async uploadMedia({ upstreamPhoneId, accessToken, file, mime }) {
      const { contentType, body: form } = uploadForm(file, mime)
      const exchange = await transport.exchange({
        method: 'POST',
        url: `${base}/${upstreamPhoneId}/media`,
        headers: { ...headersOf(accessToken), 'content-type': contentType },
        body: form,
        timeoutMs,
      })
      if (exchange.kind !== 'answered') return { kind: 'unreachable', why: exchange.why }
      const body = parseObject(exchange.body)
      if (exchange.status === 200 && typeof body?.id === 'string') return { kind: 'uploaded', mediaId: body.id }
      const fault = readFault(body?.error, exchange.status, [accessToken])
      return fault ? { kind: 'refused', fault } : { kind: 'unreachable', why: `HTTP ${exchange.status}` }
    },

    async listTemplates({ accountId, accessToken }) {
      const list = await readList(`${accountId}/message_templates`, templateFields, accessToken)
      if (list.kind === 'failed') return list
      const templates = list.records.map(readTemplate).filter(record => record !== null)
      return { kind: 'listed', templates, skipped: list.records.length - templates.length }
    },

    async listNumbers({ accountId, accessToken }) {
      const list = await readList(`${accountId}/phone_numbers`, numberFields, accessToken)
      if (list.kind === 'failed') return list
      return { kind: 'listed', numbers: list.records.map(readNumber).filter(record => record !== null) }
    },

    async subscribe({ accountId, accessToken, callbackUrl, verifyToken }) {
      const exchange = await transport.exchange({
        method: 'POST',
        url: `${base}/${accountId}/subscribed_apps`,
        headers: { ...headersOf(accessToken), ...json },
        body: JSON.stringify({ override_callback_uri: callbackUrl, verify_token: verifyToken }),
        timeoutMs,
      })
      if (exchange.kind !== 'answered') return failed(exchange.why)
      const body = parseObject(exchange.body)
      if (exchange.status !== 200 || body?.success !== true) return failed(refusal(exchange.status, body, accessToken))
      // A body that it did not understand may still be answered with success (docs/upstream.md#callback-subscription).
      const there = await readAddresses({ accountId, accessToken })
      if (there.kind === 'failed') return there
      const isThere = there.addresses.includes(callbackUrl)
      return isThere ? { kind: 'subscribed' } : failed('the upstream platform took the address, but does not have it')
    },

    callbackAddresses: readAddresses,
  }
}

const failed = (message: string) => ({ kind: 'failed', message }) as const

/** Written by hand: a form of the runtime adds a charset to the type of a text, which says more than is known of it. */
function uploadForm(file: readonly Uint8Array[], mime: string) {
  const boundary = `waypost-${crypto.randomUUID()}`
  const part = (name: string, rest: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}`
  const head =
    `${part('messaging_product', '\r\n\r\nwhatsapp\r\n')}${part('type', `\r\n\r\n${mime}\r\n`)}` +
    part('file', `; filename="file"\r\nContent-Type: ${mime}\r\n\r\n`)
  const body = [Buffer.from(head), ...file, Buffer.from(`\r\n--${boundary}--\r\n`)]
  return { contentType: `multipart/form-data; boundary=${boundary}`, body }
}

function refusal(httpStatus: number, body: JsonObject | null, accessToken: string): string {
  const fault = readFault(body?.error, httpStatus, [accessToken])
  if (!fault) return `the upstream platform answered HTTP ${httpStatus}`
  const code = fault.code === null ? '' : ` (code ${fault.code})`
  return `the upstream platform refused${code}: ${fault.details ?? fault.title}`
}

/**
 * Records drift between versions. Without any one of these a template cannot be told or sent, and nothing can stand in
 * for it: a category that was made up would change what its buttons are sent as. Its id decides nothing.
 */
function readTemplate(value: unknown): TemplateRecord | null {
  const record = value as Partial<Record<keyof TemplateRecord, unknown>> | null
  const isReadable =
    typeof record === 'object' &&
    record !== null &&
    (['name', 'language', 'category', 'status'] as const).every(field => typeof record[field] === 'string') &&
    Array.isArray(record.components)
  return isReadable ? { ...(record as unknown as TemplateRecord), id: String(record.id ?? '') } : null
}

/** Without its id a number cannot be sent from. All else of it is shown, and decides nothing. */
function readNumber(value: unknown): PhoneNumberRecord | null {
  if (!isObject(value)) return null
  const id = typeof value.id === 'number' ? String(value.id) : text(value.id)
  if (id === null) return null
  return {
    id,
    displayNumber: text(value.display_phone_number),
    name: text(value.verified_name),
    quality: text(value.quality_rating),
    status: text(value.status),
  }
}
