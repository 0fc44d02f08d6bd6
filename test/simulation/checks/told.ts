import type { Asked } from '../log.ts'
import { answerTo, type FormName } from '../requests.ts'
import { tenants } from '../tenants.ts'
import { type Found, isErased, mayBeLost, mayFollow, mayForgetKeys, type Row, restoresBefore, told } from './found.ts'

/*
 * What callers were told, against what is stored.
 */

/** What a caller was answered is on disk, as its own, and at least as far. */
export function* toldIsStored(found: Found) {
  for (const { asked, at, status, message } of told(found)) {
    if (!message || mayBeLost(found, at)) continue
    const row = found.messages.get(message.id)
    if (!row) yield `${asked.text}: ${message.id} was answered ${status}, and is not stored`
    else if (row.workspaceId !== tenants[asked.order.tenant].workspaceId)
      yield `${asked.text}: ${message.id} is in another workspace`
    else if (!mayFollow(message.status, row.status))
      yield `${asked.text}: ${message.id} was answered ${message.status}, and is ${row.status}`
    else if (!isErased(row) && !row.text.includes(asked.text)) yield `${asked.text}: ${message.id} is another text`
  }
  for (const { asked, status, code } of told(found)) {
    if (status === null || status < 400 || code === 'CHANNEL_GRAPH_ERROR') continue
    if (asked.told.length > 1 || asked.order.key !== null) continue
    const stored = [...found.messages.values()].some(row => row.text === asked.text)
    if (stored) yield `${asked.text}: was refused with ${code}, and is stored`
    if (found.log.platform.offers.some(({ text }) => text === asked.text))
      yield `${asked.text}: was refused with ${code}, and went out`
  }
}

/** A key stands for one message, unless it was freed by a refusal. */
export function* oneMessageOfKey(found: Found) {
  if (mayForgetKeys(found)) return
  const { messages, timeline } = found
  const byKey = new Map<string, Row>()
  for (const row of messages.values()) {
    if (row.idempotencyKey === null) continue
    const name = `${row.workspaceId} ${row.keyId} ${row.idempotencyKey}`
    const isFreed = timeline.get(row.seq)?.some(({ kind }) => kind === 'refused' || kind === 'expired') === true
    if (isFreed) continue
    const other = byKey.get(name)
    if (other) yield `${row.idempotencyKey} of ${row.keyId} stands for ${other.id} and for ${row.id}`
    byKey.set(name, row)
  }
}

/** Who repeats a key is answered as before, whatever would refuse it by now, but for a key of ours that is revoked. */
export function* keysAreKept(found: Found) {
  if (mayForgetKeys(found)) return
  const first = new Map<string, { id: string; at: number; form: FormName }>()
  const answers = told(found)
    .filter(({ asked, status }) => asked.order.key !== null && status !== null)
    .toSorted((one, other) => one.at - other.at)
  for (const { asked, askedAt, at, status, code, message } of answers) {
    const { tenant, apiKey, key, form } = asked.order
    const name = `${tenant} ${apiKey} ${key}`
    const before = first.get(name)
    const row = before && found.messages.get(before.id)
    const entries = row ? (found.timeline.get(row.seq) ?? []) : []
    const isFreed = entries.some(({ kind }) => ['refused', 'expired'].includes(kind))
    if (before && !isFreed && before.at < askedAt) {
      // Another body is refused for itself, or because it is another one.
      const isAlike = [401, 409, 429, 503].includes(status ?? 0) || (before.form !== form && (status ?? 0) >= 400)
      if (message ? message.id !== before.id : !isAlike)
        yield `${asked.text}: ${before.id} was answered, and its repeat is ${status} ${code ?? message?.id}`
    }
    if (message && (!before || isFreed)) first.set(name, { id: message.id, at, form })
  }
}

/** What is shown of a message goes forward only. */
export function* onlyForward(found: Found) {
  const shown = [
    ...found.log.looks,
    ...told(found).flatMap(({ at, message }) =>
      message ? [{ at, messageId: message.id, status: message.status }] : [],
    ),
  ].toSorted((one, other) => one.at - other.at)
  const last = new Map<string, (typeof shown)[number]>()
  for (const one of shown) {
    // A restore goes back.
    const name = `${one.messageId} ${restoresBefore(found, one.at)}`
    const before = last.get(name)
    // Those of one moment have no order.
    if (before && before.at < one.at && !mayFollow(before.status, one.status))
      yield `${one.messageId} was ${before.status}, and ${one.status} later`
    last.set(name, one)
  }
}

/** A key that is revoked changes nothing more. */
export function* revokedMeansNow(found: Found) {
  for (const { tenant, at, messageIds } of found.log.revoked) {
    const keyId = tenants[tenant].keys[0].apiKey
    for (const row of found.messages.values())
      if (row.keyId === keyId && !messageIds.has(row.id)) yield `${row.id} was stored by ${keyId} after it was revoked`
    const late = (one: Asked) => one.order.tenant === tenant && one.order.apiKey === 0
    for (const { asked, askedAt, status } of told(found))
      if (late(asked) && askedAt > at && status !== null && status < 400)
        yield `${asked.text}: was answered ${status} by a key that is revoked`
  }
}

/** What a form of a send is answered, unless something else stands in its way. */
export function* formsAreAnswered(found: Found) {
  for (const { asked, status, code } of told(found)) {
    const { form, inMs } = asked.order
    const answer = answerTo(form)
    if (status === null || answer === null) continue
    // A time of its own may be too near by then.
    if (answer === 'message' && inMs !== null && code === 'VALIDATION_ERROR') continue
    if (answer === 'message' && (code === 'VALIDATION_ERROR' || status === 404 || code === 'TEMPLATE_NOT_APPROVED'))
      yield `${asked.text}: ${form} was refused with ${code}`
    // A link is followed when its time has come.
    if (form === 'linkIntoThisMachine' && inMs !== null) continue
    if (answer !== 'message' && status < 400) yield `${asked.text}: ${form} was taken, and is none that can be sent`
  }
}
