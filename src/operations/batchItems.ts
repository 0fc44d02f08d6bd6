import type { NewBatchItem } from '../../db/contract/batches.ts'
import type { Issue } from '../base/errors.ts'
import { issuesMax } from '../base/issues.ts'
import type { JsonObject } from '../base/json.ts'
import type { Checked } from '../base/schema.ts'
import type { SendRequest } from '../sending/request.ts'
import { checkSendBody } from './sends/sendBody.ts'

/** Checks of items between two rests: some milliseconds of the thread that sends. */
const checkedAtOnce = 25

/** What a send may say and an item may not. */
const ofBatch = {
  idempotencyKey: 'is given to the batch alone: each of its items has a key of its own by it',
  sendAt: 'is given to the batch alone: its items leave from then on, as the line has room',
} as const

/** @returns the send that an item is, together with what all items share; its own fields go before */
export function sendOfItem(defaults: JsonObject, item: JsonObject): Checked<SendRequest> {
  const checked = checkSendBody({ ...defaults, ...item })
  const own = Object.entries(ofBatch).filter(([field]) => field in defaults || field in item)
  if (own.length === 0) return checked
  const issues = own.map(([field, message]) => ({ path: `/${field}`, message }))
  const others = checked.ok ? [] : checked.issues.filter(({ path }) => !issues.some(issue => issue.path === path))
  return { ok: false, issues: [...others, ...issues] }
}

/**
 * Checks all items as sends.
 * @param rest awaited now and then: the checks of many items take long
 * @returns the items as they are stored; or all problems, by their places in the request
 */
export async function checkItems(
  defaults: JsonObject,
  items: readonly JsonObject[],
  rest: () => Promise<unknown>,
): Promise<Checked<NewBatchItem[]>> {
  const issues = new Map<string, Issue>()
  const good: NewBatchItem[] = []
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % checkedAtOnce === 0) await rest()
    const checked = sendOfItem(defaults, item)
    if (checked.ok) good.push(storedItem(item, checked.value))
    else for (const { path, message } of checked.issues) put(issues, placeOf(defaults, item, at, path), message)
    if (issues.size >= issuesMax) break
  }
  return issues.size === 0 ? { ok: true, value: good } : { ok: false, issues: [...issues.values()] }
}

/** A problem of what all items share is told once. */
function put(issues: Map<string, Issue>, path: string, message: string): void {
  const key = `${path} ${message}`
  if (!issues.has(key)) issues.set(key, { path, message })
}

function placeOf(defaults: JsonObject, item: JsonObject, at: number, path: string): string {
  const [, field = ''] = path.split('/')
  return field in defaults && !(field in item) ? `/defaults${path}` : `/items/${at}${path}`
}

const storedItem = (item: JsonObject, { phone, contactId, userId, reference }: SendRequest): NewBatchItem => ({
  body: item,
  recipient: keptId(phone ?? contactId ?? userId ?? ''),
  reference,
})

/** Longer than any id of a recipient: what is longer, or cannot be stored, names nobody. */
const recipientCharsMax = 160
const keptId = (id: string) => id.slice(0, recipientCharsMax).replaceAll('\0', '').toWellFormed()
