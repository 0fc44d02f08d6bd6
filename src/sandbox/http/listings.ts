import { isObject, list } from '../../base/json.ts'
import { linePageMax } from '../../base/upstreamLimits.ts'
import type { SandboxLine } from '../callbacks/statuses.ts'
import type { Subscriptions } from '../callbacks/subscriptions.ts'
import type { Refusal } from '../checks/refusals.ts'
import { isExampleAddress } from '../state/exampleFiles.ts'
import type { Button, Component, SandboxTemplate } from '../state/records.ts'

/** Both listings show this many records unless the request asks for another number. */
const limitDefault = 25

export type ListingPage = { readonly value: unknown } | { readonly refusal: Refusal }

const templateFields = [
  ...['name', 'parameter_format', 'components', 'language', 'status', 'category', 'sub_category'],
  // Only a template that Direct Send has made has one.
  'source',
]
const lineFields = ['verified_name', 'display_phone_number', 'quality_rating', 'code_verification_status']

/** @returns the asked fields that a record has; `id` is always there. */
function pick(record: Readonly<Record<string, unknown>>, fields: readonly string[]): Record<string, unknown> {
  const chosen: Record<string, unknown> = {}
  for (const field of fields) if (record[field] !== undefined) chosen[field] = record[field]
  chosen.id = record.id
  return chosen
}

/** `fields=a,b{c}` asks for nested fields too; they are given whole. */
function fieldsOf(query: URLSearchParams, defaults: readonly string[]): readonly string[] {
  const fields = query.get('fields')
  if (!fields) return defaults
  return fields
    .replace(/\{[^}]*\}/g, '')
    .split(',')
    .map(field => field.trim())
}

const cursorOf = (id: string): string => Buffer.from(`cursor:${id}`).toString('base64url')

/**
 * One page of records, after or before a cursor. The cursors name the first and last record of the page and are there
 * on the last page too; `next` is absent there, and an empty page has no `paging` at all.
 */
function paged(
  records: readonly Readonly<Record<string, unknown>>[],
  query: URLSearchParams,
  options: { fields: readonly string[]; limitMax: number; address: string; emptyLastPage: boolean },
): ListingPage {
  const limit = Number(query.get('limit') ?? limitDefault)
  if (!Number.isInteger(limit) || limit < 1) return { refusal: { code: 100, title: 'Param limit must be at least 1.' } }
  const size = Math.min(limit, options.limitMax)
  const bounds = boundsOf(records, query, size)
  if (!bounds) return { refusal: { code: 100, title: 'Invalid cursors values.' } }
  const data = records.slice(bounds.start, bounds.end)
  const [first] = data
  const last = data.at(-1)
  if (!first || !last) return { value: { data: [] } }
  const after = cursorOf(String(last.id))
  const hasNext = bounds.end < records.length || (options.emptyLastPage && data.length === size)
  return {
    value: {
      data: data.map(record => pick(record, options.fields)),
      paging: {
        cursors: { before: cursorOf(String(first.id)), after },
        // The host of the real upstream: a client that follows this address instead of the cursor leaves the stand-in.
        ...(hasNext && { next: `https://graph.facebook.com${options.address}?limit=${size}&after=${after}` }),
      },
    },
  }
}

function boundsOf(records: readonly { id?: unknown }[], query: URLSearchParams, size: number) {
  const place = (cursor: string) => records.findIndex(record => cursorOf(String(record.id)) === cursor)
  const after = query.get('after')
  const before = query.get('before')
  if (after) {
    const at = place(after)
    return at < 0 ? undefined : { start: at + 1, end: at + 1 + size }
  }
  if (before) {
    const at = place(before)
    return at < 0 ? undefined : { start: Math.max(0, at - size), end: at }
  }
  return { start: 0, end: size }
}

/** `GET /<TEMPLATE>?fields=`. */
export function showTemplate(
  template: SandboxTemplate,
  query: URLSearchParams,
  origin: string,
): Record<string, unknown> {
  return pick(listed(template, origin), fieldsOf(query, templateFields))
}

/** `GET /<ACCOUNT>/message_templates`, filtered by name (also part of one), status, category and language. */
export function listTemplates(
  templates: readonly SandboxTemplate[],
  query: URLSearchParams,
  { address, origin, emptyLastPage }: { address: string; origin: string; emptyLastPage: boolean },
): ListingPage {
  const is = (value: string, name: string) => {
    const wanted = query.get(name)
    return wanted === null || value.toUpperCase() === wanted.toUpperCase()
  }
  const part = query.get('name') ?? query.get('name_or_content') ?? ''
  const found = templates.filter(
    template =>
      template.name.includes(part.toLowerCase()) &&
      is(template.status, 'status') &&
      is(template.category, 'category') &&
      is(template.language, 'language'),
  )
  const fields = fieldsOf(query, templateFields)
  const records = found.map(template => listed(template, origin))
  return paged(records, query, { fields, limitMax: Number.MAX_SAFE_INTEGER, address, emptyLastPage })
}

/**
 * A one-time password's button is created as OTP and listed as the URL behind it (docs/upstream.md#templates).
 * @param origin where the caller reaches the sandbox: the files of examples are there
 */
function listed(template: SandboxTemplate, origin: string): SandboxTemplate {
  const isCode = template.category.toUpperCase() === 'AUTHENTICATION'
  return { ...template, components: template.components.map(component => listedPart(component, isCode, origin)) }
}

function listedPart(component: Component, isCode: boolean, origin: string): Component {
  const { buttons, cards, example } = component
  const [handle] = isObject(example) ? list(example.header_handle) : []
  return {
    ...component,
    ...(isCode && buttons && { buttons: buttons.map(listedButton) }),
    ...(isExampleAddress(handle) && { example: { header_handle: [origin + handle] } }),
    ...(cards && {
      cards: cards.map(({ components }) => ({ components: components.map(part => listedPart(part, false, origin)) })),
    }),
  }
}

function listedButton({ otp_type: kind = 'COPY_CODE', ...button }: Button): Button {
  if (button.type.toUpperCase() !== 'OTP') return button
  const url = `https://www.whatsapp.com/otp/code/?otp_type=${kind}&code=otp`
  return { ...button, type: 'URL', url: `${url}{{1}}`, example: [`${url}123456`] }
}

/** `GET /<ACCOUNT>/phone_numbers`; `status` is not among the default fields. */
export function listLines(
  lines: Iterable<SandboxLine>,
  subscriptions: Subscriptions,
  accountName: string,
  query: URLSearchParams,
  address: string,
): ListingPage {
  const records = Array.from(lines, line => lineRecord(line, subscriptions, accountName))
  const fields = fieldsOf(query, lineFields)
  return paged(records, query, { fields, limitMax: linePageMax, address, emptyLastPage: false })
}

/** `GET /<LINE>?fields=`. */
export function showLine(
  line: SandboxLine,
  subscriptions: Subscriptions,
  accountName: string,
  query: URLSearchParams,
): Record<string, unknown> {
  return pick(lineRecord(line, subscriptions, accountName), fieldsOf(query, lineFields))
}

function lineRecord(line: SandboxLine, subscriptions: Subscriptions, accountName: string): Record<string, unknown> {
  const own = subscriptions.lineAddress(line.id)
  const account = subscriptions.accountAddress
  const app = subscriptions.appAddress
  return {
    id: line.id,
    display_phone_number: line.number,
    verified_name: accountName,
    quality_rating: 'GREEN',
    status: 'CONNECTED',
    code_verification_status: 'VERIFIED',
    name_status: 'APPROVED',
    platform_type: 'CLOUD_API',
    account_mode: 'SANDBOX',
    throughput: { level: 'STANDARD' },
    whatsapp_business_manager_messaging_limit: 'TIER_250',
    country_dial_code: line.countryCode,
    webhook_configuration: {
      ...(own !== undefined && { phone_number: own }),
      ...(account !== undefined && { whatsapp_business_account: account }),
      ...(app !== undefined && { application: app }),
    },
  }
}
