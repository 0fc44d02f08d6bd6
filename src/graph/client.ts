import { field, isObject, isText, type JsonObject, list, parseAnswer, text } from '../base/json.ts'
import { linePageMax } from '../base/upstreamLimits.ts'
import type { Config } from '../config/config.ts'
import type { Exchange, Transport } from '../transport/transport.ts'
import { type Attempt, readFault, readSendAnswer, type UpstreamFault } from './answer.ts'
import { type CallRequest, type ChannelSettings, createCall } from './call.ts'
import { createTemplateCalls, type TemplateCalls } from './templateCalls.ts'
import { whyUnreached } from './unreached.ts'
import type { TemplateRecord } from './wire.ts'

/** @returns what the configuration says of the upstream. */
export const channelSettings = (config: Config): ChannelSettings => ({
  apiUrl: config.channelApiUrl,
  apiVersion: config.channelApiVersion,
  timeoutMs: config.channelTimeoutMs,
})

interface Failed {
  readonly kind: 'failed'
  readonly message: string
  /**
   * Of the upstream's error, which may be without one (null); absent when it did not answer with an error of its own.
   */
  readonly code?: number | null
  readonly subcode?: number
}

export type Listing =
  | {
      readonly kind: 'listed'
      readonly templates: readonly TemplateRecord[]
      /** Records that could not be read. Their templates still exist. */
      readonly skipped: number
    }
  | Failed

/** A phone number of an account, as the upstream lists it. Null where the record does not say. */
export interface PhoneNumberRecord {
  readonly id: string
  /** The upstream formats it in different ways: show it, do not compare it. */
  readonly displayNumber: string | null
  readonly name: string | null
  readonly quality: string | null
  readonly status: string | null
  /** How many new people a day all numbers of the portfolio may write to, in the upstream's words: `TIER_2K`. */
  readonly messagingLimit: string | null
}

export type NumberListing = { readonly kind: 'listed'; readonly numbers: readonly PhoneNumberRecord[] } | Failed

/** `step`: what was refused, the app as a subscriber of the account or the address. */
export type Subscription = { readonly kind: 'subscribed' } | (Failed & { readonly step: 'app' | 'address' })

/** The upstream did not do what it was asked for; `unreachable`: nobody knows, and asking again does no harm. */
export type NotDone =
  | { readonly kind: 'refused'; readonly fault: UpstreamFault }
  | { readonly kind: 'unreachable'; readonly why: string }

export type MediaUpload = { readonly kind: 'uploaded'; readonly mediaId: string } | NotDone

/** Where a file can be downloaded for some minutes, with the access token. Null: the upstream does not say. */
export type MediaDescription =
  | {
      readonly kind: 'described'
      readonly url: string
      readonly sha256: string | null
      readonly mimeType: string | null
      readonly bytes: number | null
    }
  | NotDone

/** A person whom a line blocks, by the number where it is known. */
export interface BlockedPerson {
  readonly phone: string | null
  readonly userId: string | null
}

export type Blocking = { readonly kind: 'done' } | NotDone

export type ReadMark = { readonly kind: 'marked' } | NotDone

/** One for each app that is subscribed; null: the address of the app itself. */
export type CallbackAddresses = { readonly kind: 'read'; readonly addresses: readonly (string | null)[] } | Failed

/** Requested explicitly: `parameter_format` and `status` decide how and whether a template can be sent. */
const templateFields = 'id,name,language,category,status,parameter_format,rejected_reason,components'
/** `status` and others are not among the default fields of the listing (docs/upstream.md#phone-numbers). */
const numberFields = 'id,display_phone_number,verified_name,quality_rating,status'
/** The older name is null on newer versions of the API, and the newer one is not known to older versions. */
const limitField = 'whatsapp_business_manager_messaging_limit'
const olderLimitField = 'messaging_limit_tier'
/** An account has at most 6,000 templates, in pages of 100. With more pages, something repeats itself. */
const listPagesMax = 100

type List = { readonly kind: 'listed'; readonly records: readonly unknown[] } | Failed

/** The upstream's API, call by call. Every call has a time limit, and no call is repeated. */
export interface ChannelClient extends TemplateCalls {
  /** `POST /<line>/messages` with a body made by sendRequest. */
  send(call: { upstreamPhoneId: string; accessToken: string; payload: string }): Promise<Attempt>
  /** `POST /<line>/media` (docs/upstream.md#media) of a file in pieces. The id belongs to the line. */
  uploadMedia(call: {
    upstreamPhoneId: string
    accessToken: string
    file: readonly Uint8Array[]
    mime: string
    /** Its ending fits the type: the upstream judges by both. No `"`, and no line end. */
    fileName: string
  }): Promise<MediaUpload>
  /** `GET /<media>` (docs/upstream.md#media). */
  describeMedia(call: { mediaId: string; accessToken: string }): Promise<MediaDescription>
  /** `POST /<line>/messages` that marks a message of a user as read (docs/upstream.md#read-marks). */
  markRead(call: {
    upstreamPhoneId: string
    accessToken: string
    channelMessageId: string
    /** Shows the user that an answer is being written. */
    typing: boolean
  }): Promise<ReadMark>
  /** `POST` and `DELETE /<line>/block_users` (docs/upstream.md#profile-blocked-users-and-qr-codes). */
  setBlocked(call: {
    upstreamPhoneId: string
    accessToken: string
    person: BlockedPerson
    isBlocked: boolean
  }): Promise<Blocking>
  /** Every page of `GET /<account>/message_templates`. */
  listTemplates(call: { accountId: string; accessToken: string }): Promise<Listing>
  /** Every page of `GET /<account>/phone_numbers`. */
  listNumbers(call: { accountId: string; accessToken: string }): Promise<NumberListing>
  /**
   * Subscribes the app to the account, then sets our address for the account's callbacks, which the upstream verifies
   * during the call, and reads it back (docs/upstream.md#callback-subscription).
   */
  subscribe(call: {
    accountId: string
    accessToken: string
    callbackUrl: string
    verifyToken: string
  }): Promise<Subscription>
  /** What a caller asks for, as it is answered. */
  pass(call: CallRequest): Promise<Exchange>
  /** Where the account's callbacks go. */
  callbackAddresses(call: { accountId: string; accessToken: string }): Promise<CallbackAddresses>
}

export function createChannelClient(transport: Transport, settings: ChannelSettings): ChannelClient {
  const call = createCall(transport, settings)

  /**
   * Makes a call that must be answered with status 200 and JSON. @param isRight whether the JSON has the expected form
   */
  async function ask(
    accessToken: string,
    path: string,
    isRight: (json: JsonObject) => boolean,
    request: Pick<CallRequest, 'method' | 'body'> = {},
  ) {
    const exchange = await call({ accessToken, path, ...request })
    if (exchange.kind !== 'answered') return failed(`${isUnreached[exchange.kind]}: ${whyUnreached(exchange)}`)
    const { status } = exchange
    const json = parseAnswer(exchange.body)
    if (status === 200 && json && isRight(json)) return { kind: 'answered', json } as const
    const fault = readFault(json?.error, status, [accessToken])
    // Another program, or a proxy: it has said nothing about the token.
    if (!fault || !isObject(json?.error)) {
      const said = `the upstream platform answered HTTP ${status}, and nothing in its own form`
      return failed(`${said}. Check CHANNEL_API_URL, and what is on the way to it`)
    }
    const { code, subcode } = fault
    const told = code === null ? '' : ` (code ${code})`
    return {
      ...failed(`the upstream platform refused${told}: ${fault.details ?? fault.title}`),
      code,
      ...(subcode !== null && { subcode }),
    }
  }

  async function readAddresses(account: { accountId: string; accessToken: string }): Promise<CallbackAddresses> {
    const answer = await ask(account.accessToken, `${account.accountId}/subscribed_apps`, hasData)
    if (answer.kind === 'failed') return answer
    const addresses = list(answer.json.data).map(app => text(field(app, 'override_callback_uri')))
    return { kind: 'read', addresses }
  }

  /** Reads a list of the account, page by page. */
  async function readList(path: string, fields: string, accessToken: string): Promise<List> {
    const records: unknown[] = []
    let after: string | null = null
    for (let page = 0; page < listPagesMax; page += 1) {
      // Built from our own host and token. The `next` address of the answer is never used.
      const query = new URLSearchParams({ fields, limit: String(linePageMax) })
      if (after !== null) query.set('after', after)
      const answer = await ask(accessToken, `${path}?${query}`, hasData)
      if (answer.kind === 'failed') return answer
      records.push(...list(answer.json.data))
      // The last page has cursors too. Only `next` says whether another page follows.
      const { paging } = answer.json
      const cursor = field(field(paging, 'cursors'), 'after')
      if (!isText(field(paging, 'next'))) return { kind: 'listed', records }
      if (!isText(cursor) || cursor === after) return failed('the listing has another page, but does not say which')
      after = cursor
    }
    return failed(`the listing has more than ${listPagesMax} pages`)
  }

  return {
    async send({ upstreamPhoneId, accessToken, payload }) {
      const exchange = await call({ accessToken, path: `${upstreamPhoneId}/messages`, body: payload })
      return readSendAnswer(exchange, [accessToken], upstreamPhoneId)
    },

    async uploadMedia({ upstreamPhoneId, accessToken, file, mime, fileName }) {
      const form = uploadForm(file, mime, fileName)
      const path = `${upstreamPhoneId}/media`
      const exchange = await call({ accessToken, path, body: form.body, contentType: form.contentType })
      const id = doneBy(exchange)?.id
      return isText(id) ? { kind: 'uploaded', mediaId: id } : notDone(exchange, accessToken)
    },

    async describeMedia({ mediaId, accessToken }) {
      const exchange = await call({ accessToken, path: mediaId })
      const json = doneBy(exchange)
      const url = text(json?.url)
      // No line is named: an object that does not exist is the file.
      if (url === null) return notDone(exchange, accessToken, '')
      const bytes = Number(json?.file_size ?? Number.NaN)
      return {
        kind: 'described',
        url,
        sha256: text(json?.sha256),
        mimeType: text(json?.mime_type),
        bytes: Number.isSafeInteger(bytes) ? bytes : null,
      }
    },

    pass: call,

    async markRead({ upstreamPhoneId, accessToken, channelMessageId, typing }) {
      const body = JSON.stringify({
        messaging_product: 'whatsapp',
        status: 'read',
        message_id: channelMessageId,
        ...(typing && { typing_indicator: { type: 'text' } }),
      })
      const exchange = await call({ accessToken, path: `${upstreamPhoneId}/messages`, body })
      const isDone = doneBy(exchange)?.success === true
      return isDone ? { kind: 'marked' } : notDone(exchange, accessToken, upstreamPhoneId)
    },

    async setBlocked({ upstreamPhoneId, accessToken, person: { phone, userId }, isBlocked }) {
      const user = phone === null ? { user_id: userId } : { user: phone }
      const body = JSON.stringify({ messaging_product: 'whatsapp', block_users: [user] })
      const method = isBlocked ? 'POST' : 'DELETE'
      const exchange = await call({ accessToken, path: `${upstreamPhoneId}/block_users`, method, body })
      if (exchange.kind !== 'answered') return notDone(exchange, accessToken)
      const users = field(parseAnswer(exchange.body), 'block_users')
      // The error of the whole answer does not say why: that of the one user does.
      const failed = list(field(users, 'failed_users'))
      const [error] = list(field(failed[0], 'errors'))
      const fault = error === undefined ? null : readFault(error, exchange.status, [accessToken])
      if (fault) return { kind: 'refused', fault }
      const isDone = exchange.status === 200 && isObject(users) && failed.length === 0
      return isDone ? { kind: 'done' } : notDone(exchange, accessToken, upstreamPhoneId)
    },

    async listTemplates({ accountId, accessToken }) {
      const listed = await readList(`${accountId}/message_templates`, templateFields, accessToken)
      if (listed.kind === 'failed') return listed
      const sendable = listed.records.filter(record => !isMadeByDirectSend(record))
      const templates = sendable.map(readTemplate).filter(record => record !== null)
      return { kind: 'listed', templates, skipped: sendable.length - templates.length }
    },

    async listNumbers({ accountId, accessToken }) {
      const read = (fields: string) => readList(`${accountId}/phone_numbers`, fields, accessToken)
      const whole = await read(`${numberFields},${limitField}`)
      // Of a version that does not know the field: it refuses the whole listing.
      const isOlder = whole.kind === 'failed' && whole.code === 100 && whole.message.includes(limitField)
      const listed = isOlder ? await read(`${numberFields},${olderLimitField}`) : whole
      if (listed.kind === 'failed') return listed
      return { kind: 'listed', numbers: listed.records.map(readNumber).filter(record => record !== null) }
    },

    async subscribe({ accountId, accessToken, callbackUrl, verifyToken }) {
      const post = (body?: string) =>
        ask(accessToken, `${accountId}/subscribed_apps`, ({ success }) => success === true, { method: 'POST', body })
      const before = await readAddresses({ accountId, accessToken })
      if (before.kind === 'failed') return { ...before, step: 'app' }
      // Without a body an address is also removed: callbacks that come here already would be lost if ours is refused.
      if (!before.addresses.some(address => isOfSameChannel(address, callbackUrl))) {
        const subscribed = await post()
        if (subscribed.kind === 'failed') return { ...subscribed, step: 'app' }
      }
      const answer = await post(JSON.stringify({ override_callback_uri: callbackUrl, verify_token: verifyToken }))
      if (answer.kind === 'failed') return { ...answer, step: 'address' }
      // The upstream may answer success although it did not understand the body.
      const there = await readAddresses({ accountId, accessToken })
      if (there.kind === 'failed') return { ...there, step: 'address' }
      if (there.addresses.includes(callbackUrl)) return { kind: 'subscribed' }
      return { ...failed('the upstream platform accepted the address without storing it'), step: 'address' }
    },

    callbackAddresses: readAddresses,

    ...createTemplateCalls(call),
  }
}

/** Our path has the channel's id; the host may have changed. */
const isOfSameChannel = (address: string | null, callbackUrl: string): boolean =>
  address !== null && URL.parse(address)?.pathname === URL.parse(callbackUrl)?.pathname

const hasData = ({ data }: JsonObject): boolean => Array.isArray(data)

/** @returns what a call was answered with when it was done; null when it was not, or nobody knows */
const doneBy = (exchange: Exchange): JsonObject | null =>
  exchange.kind === 'answered' && exchange.status === 200 ? parseAnswer(exchange.body) : null

/** @param lineId the upstream's id of the line, where a refusal that names it would be no fault of the request */
function notDone(exchange: Exchange, accessToken: string, lineId: string | null = null): NotDone {
  if (exchange.kind !== 'answered') return { kind: 'unreachable', why: whyUnreached(exchange) }
  const { status, body } = exchange
  const fault = readFault(parseAnswer(body)?.error, status, [accessToken], lineId)
  return fault ? { kind: 'refused', fault } : { kind: 'unreachable', why: `HTTP ${status}` }
}

/** What a call without an answer says, by how it ended. */
const isUnreached = {
  notSent: 'the upstream platform cannot be reached',
  lost: 'the upstream platform gave no whole answer',
} as const

const failed = (message: string): Failed => ({ kind: 'failed', message })

/** Not the runtime's FormData: it adds a charset to a text's type, and the charset is not known. */
function uploadForm(file: readonly Uint8Array[], mime: string, fileName: string) {
  const boundary = `waypost-${crypto.randomUUID()}`
  const part = (name: string, rest: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}`
  const head =
    `${part('messaging_product', '\r\n\r\nwhatsapp\r\n')}${part('type', `\r\n\r\n${mime}\r\n`)}` +
    part('file', `; filename="${fileName}"\r\nContent-Type: ${mime}\r\n\r\n`)
  const body = [Buffer.from(head), ...file, Buffer.from(`\r\n--${boundary}--\r\n`)]
  return { contentType: `multipart/form-data; boundary=${boundary}`, body }
}

/**
 * Records change between versions of the API. A template without one of these fields cannot be shown or sent, and no
 * default is right: a wrong category would change how its buttons are sent. The id is not needed.
 */
function readTemplate(value: unknown): TemplateRecord | null {
  if (!isObject(value) || !Array.isArray(value.components)) return null
  if (!['name', 'language', 'category', 'status'].every(name => isText(value[name]))) return null
  return { ...(value as unknown as TemplateRecord), id: String(value.id ?? '') }
}

/**
 * Such a template is approved, and refused in every send (docs/upstream.md#direct-send). `source` is not asked for: a
 * version of the API that does not know a field refuses the whole listing.
 */
const isMadeByDirectSend = (value: unknown): boolean =>
  isObject(value) && (value.source === 'AUTO_GENERATED' || /^auto_generated_/.test(text(value.name) ?? ''))

/** Only the id is needed to send from a number. The other fields are only shown. */
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
    messagingLimit: text(value[limitField]) ?? text(value[olderLimitField]),
  }
}
