import type { NewBatchItem } from '../../db/contract/batches.ts'
import type { EpochMs } from '../base/clock.ts'
import { dayMs } from '../base/durations.ts'
import type { Issue } from '../base/errors.ts'
import { issuesMax } from '../base/issues.ts'
import type { JsonObject } from '../base/json.ts'
import type { Checked } from '../base/schema.ts'
import type { SendRequest } from '../sending/request.ts'
import { aheadMsMax } from '../sending/sendAt.ts'
import { checkSendBody } from './sends/sendBody.ts'

/** Checks of items between two rests: some milliseconds of the thread that sends. */
const checkedAtOnce = 25

const ofBatch = 'is given to the batch alone: each of its items has a key of its own by it'
const ofEach = 'is given to the batch, whose items leave from then on as the line has room, or to an item for itself'

/** What a send may say, and an item or what all share may not. */
function misplaced(defaults: JsonObject, item: JsonObject): Issue[] {
  return [
    ...('idempotencyKey' in defaults || 'idempotencyKey' in item
      ? [{ path: '/idempotencyKey', message: ofBatch }]
      : []),
    ...('sendAt' in defaults ? [{ path: '/sendAt', message: ofEach }] : []),
  ]
}

/** @returns the send that an item is, together with what all items share; its own fields go before */
export function sendOfItem(defaults: JsonObject, item: JsonObject): Checked<SendRequest> {
  const checked = checkSendBody({ ...defaults, ...item })
  const issues = misplaced(defaults, item)
  if (issues.length === 0) return checked
  const others = checked.ok ? [] : checked.issues.filter(({ path }) => !issues.some(issue => issue.path === path))
  return { ok: false, issues: [...others, ...issues] }
}

/** Items as they are stored; or all problems, by their places in the request. */
export type CheckedItems = Checked<NewBatchItem[]> & {
  /** Of items whose own time has passed: only a request that is repeated may have such. */
  readonly late: readonly Issue[]
}

/**
 * Checks all items as sends.
 * @param times when it is now, and when the batch starts: an item's own time is no more than 35 days behind that
 * @param rest awaited now and then: the checks of many items take long
 */
export async function checkItems(
  defaults: JsonObject,
  items: readonly JsonObject[],
  { now, startsAt }: { readonly now: EpochMs; readonly startsAt: EpochMs | null },
  rest: () => Promise<unknown>,
): Promise<CheckedItems> {
  const issues = new Map<string, Issue>()
  const late: Issue[] = []
  const until = Math.max(now, startsAt ?? now) + aheadMsMax
  const good: NewBatchItem[] = []
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % checkedAtOnce === 0) await rest()
    const checked = sendOfItem(defaults, item)
    if (checked.ok) {
      good.push(storedItem(item, checked.value))
      const { sendAt } = checked.value
      if (sendAt === null) continue
      const path = `/items/${at}/sendAt`
      if (sendAt > until) put(issues, path, `must be at most ${aheadMsMax / dayMs} days behind the start of the batch`)
      else if (sendAt <= now)
        late.push({ path, message: 'must be in the future; leave it out to send it with the batch' })
    } else for (const { path, message } of checked.issues) put(issues, placeOf(defaults, item, at, path), message)
    if (issues.size >= issuesMax) break
  }
  return issues.size === 0 ? { ok: true, value: good, late } : { ok: false, issues: [...issues.values()], late }
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
