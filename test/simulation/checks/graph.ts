import { messageNamedBy } from '../../../src/graph/ownWamid.ts'
import { digestOf } from '../../../src/message/forgotten.ts'
import { isRefused } from '../graphForms.ts'
import { tenants } from '../tenants.ts'
import { type Found, isErased, mayBeLost, mayForgetKeys, type Row } from './found.ts'

/*
 * What clients of the platform were told, against what is stored.
 */

/** @returns the message that an id names which a client was answered with */
function namedBy({ messages }: Found, id: string): Row | undefined {
  const own = messages.get(messageNamedBy(id))
  const names = [id, digestOf(id)]
  return own ?? [...messages.values()].find(row => names.includes(row.channelMessageId ?? ''))
}

/** An id that was answered names the message that was asked for, for good. */
export function* answeredIdNames(found: Found) {
  for (const { tenant, text, isSend, told } of found.log.graph)
    for (const { at, id } of told) {
      if (id === null || mayBeLost(found, at)) continue
      if (!isSend) yield `${text}: a mark was answered as the send ${id}`
      const row = namedBy(found, id)
      if (!row) yield `${text}: ${id} was answered, and names no message`
      else if (row.workspaceId !== tenants[tenant].workspaceId) yield `${text}: ${id} is in another workspace`
      else if (!isErased(row) && row.text !== text) yield `${text}: ${id} names ${row.text}`
    }
}

/** Who repeats a key is told the same message, by the same id, unless a refusal has freed the key. */
export function* graphKeysAreKept(found: Found) {
  if (mayForgetKeys(found)) return
  const first = new Map<string, { readonly id: string; readonly messageId: string }>()
  for (const { key, text, told } of found.log.graph)
    for (const { id } of key === null ? [] : told.toSorted((one, other) => one.at - other.at)) {
      const row = id === null ? undefined : namedBy(found, id)
      if (id === null || !row) continue
      const before = first.get(text)
      const known = before && found.messages.get(before.messageId)
      const entries = known ? (found.timeline.get(known.seq) ?? []) : []
      const isFreed = entries.some(({ kind }) => kind === 'refused' || kind === 'expired')
      if (before && before.id !== id && !isFreed) yield `${text}: was answered as ${before.id} and as ${id}`
      first.set(text, { id, messageId: row.id })
    }
}

/** What was refused is not there, and did not leave; but what the platform had taken while it said that it did not. */
export function* refusedIsNowhere({ log, messages }: Found) {
  for (const { key, text, told } of log.graph) {
    const [only, ...others] = told
    if (key !== null || others.length > 0 || !only?.status || ![400, 401, 404].includes(only.status)) continue
    const row = [...messages.values()].find(row => row.text === text)
    const isTaken = log.platform.arrivals.some(arrival => arrival.wamid !== null && arrival.messageId === row?.id)
    if (row && row.status !== 'FAILED' && !isTaken)
      yield `${text}: was refused with ${only.status}, and is ${row.status}`
  }
}

/** What the platform does not take is refused, and all else is not refused for its form. */
export function* graphFormsAreAnswered({ log }: Found) {
  for (const { form, text, told } of log.graph)
    for (const { status, code } of told) {
      if (isRefused(form) && status === 200) yield `${text}: was taken, and is none that can be sent`
      // As the platform says it of a parameter that it does not take.
      if (!isRefused(form) && status === 400 && code === 100) yield `${text}: was refused with ${code}`
    }
}
