import type { InboundTime } from '../../db/contract/inbound.ts'
import type { Contact, Line } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import type { EpochMs } from '../base/clock.ts'
import { windowMs } from '../base/upstreamLimits.ts'
import { aboutOthers, isEcho, isOfGroup } from '../message/kinds.ts'

/** A window is known by the last messages, unless so many came since: to other lines, or sent in the app. */
export const timesMax = 100

interface Window {
  readonly open: boolean
  readonly expiresAt: string | null
}

/**
 * Estimates what the upstream does not tell: calls of the user, which open a window too, are not known here.
 * @param times when the contact wrote
 * @returns when the window of each line ends, or ended
 */
export function windowEnds(times: readonly InboundTime[]): ReadonlyMap<string | null, EpochMs> {
  const ends = new Map<string | null, EpochMs>()
  for (const { lineId, kind, at, recordedAt } of times) {
    if (isEcho(kind) || isOfGroup(kind) || aboutOthers.includes(kind)) continue
    // The upstream may date a message to the future.
    ends.set(lineId, Math.max(ends.get(lineId) ?? 0, Math.min(at, recordedAt) + windowMs))
  }
  return ends
}

/**
 * @param times of the last `timesMax` messages, newest first
 * @returns whether the window of a line that they do not tell is closed: else an earlier message may have opened it
 */
export const tellAllOpen = (times: readonly InboundTime[], now: EpochMs): boolean =>
  times.length < timesMax || times.some(({ at }) => at + windowMs <= now)

/** @returns of these lines the one whose window ends, or ended last, and when; null when none was open */
export function lastWindow(times: readonly InboundTime[], lines: readonly Pick<Line, 'id'>[]) {
  const ends = windowEnds(times)
  const known = lines.map(({ id }) => ({ lineId: id, endsAt: ends.get(id) ?? 0 }))
  const last = known.reduce((one, other) => (other.endsAt > one.endsAt ? other : one), { lineId: '', endsAt: 0 })
  return last.endsAt === 0 ? null : last
}

/** @returns of the active lines the one that the contact wrote to last, else the default one; null: none is active */
export function usualLine<Active extends Pick<Line, 'id' | 'isDefault'>>(
  times: readonly InboundTime[],
  active: readonly Active[],
): Active | null {
  const last = lastWindow(times, active)
  return active.find(({ id }) => id === last?.lineId) ?? active.find(line => line.isDefault) ?? active[0] ?? null
}

/**
 * @param of the recipient's address, and its contact where that is known already
 * @returns whether everything may be sent from the line to the recipient, as far as this service knows
 */
export async function hasOpenWindow(
  read: Pick<StoreReads, 'contactsAt' | 'inboundTimes'>,
  of: {
    readonly workspaceId: string
    readonly line: Pick<Line, 'id'>
    readonly contact: Pick<Contact, 'id'> | null
    readonly recipient: string
    readonly now: EpochMs
  },
): Promise<boolean> {
  const { workspaceId, line, recipient, now } = of
  const known = of.contact ?? (await read.contactsAt({ workspaceId, addresses: [recipient] })).get(recipient)
  if (!known) return false
  const times = await read.inboundTimes({ contactId: known.id, since: now - windowMs, limit: timesMax })
  return windowOf(times, [line], now).open
}

/**
 * @param at of the upstream's clock, as the times of what people write are
 * @returns until when everything could be sent from the line to the contact, as far as this service knew; null: its
 *   window was not open
 */
export async function windowEndAt(
  read: Pick<StoreReads, 'inboundTimes'>,
  { contactId, lineId, at }: { readonly contactId: string; readonly lineId: string; readonly at: EpochMs },
): Promise<EpochMs | null> {
  const times = await read.inboundTimes({ contactId, since: at - windowMs, until: at, limit: timesMax })
  const end = windowEnds(times).get(lineId) ?? 0
  return end > at ? end : null
}

/**
 * @param times when the contact wrote within `windowMs`
 * @param lines those that can send
 * @returns the window of each line, and the one that is open for longest
 */
export function windowOf(times: readonly InboundTime[], lines: readonly Pick<Line, 'id'>[], now: EpochMs) {
  const ends = windowEnds(times)
  const endOf = (lineId: string) => ends.get(lineId) ?? 0
  const until = (end: EpochMs): Window =>
    end > now ? { open: true, expiresAt: new Date(end).toISOString() } : { open: false, expiresAt: null }
  return {
    ...until(Math.max(0, ...lines.map(({ id }) => endOf(id)))),
    lines: lines.map(({ id }) => ({ lineId: id, ...until(endOf(id)) })),
  }
}
