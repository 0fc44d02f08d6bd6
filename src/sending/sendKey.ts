import type { Acceptance, MessageDraft } from '../../db/contract/records.ts'
import type { Store } from '../../db/contract/store.ts'
import { type Clock, type EpochMs, expiredBy } from '../base/clock.ts'
import { clockDifferenceMsMax } from '../base/runningTime.ts'
import type { SendCaller, SendRequest } from './request.ts'

/** What repeats a send that was accepted before, or has its key and another body: as the acceptance says it. */
export type Repeat = Extract<Acceptance, { outcome: 'replayed' | 'conflict' }>

/** Why a send goes no further, and the upstream is asked for nothing: it is a repeat, or its settings hold no more. */
export type Stopped = Repeat | { readonly outcome: 'outdated' }

export const notStopped = async () => null

/**
 * The idempotency key of a send. The acceptance looks for it, before all that it decides. Here it is looked for only
 * before something is refused, or asked of the upstream: so most sends are spared a read.
 */
export interface SendKey {
  /** As the acceptance stores it; null: the send has none. */
  readonly kept: MessageDraft['idempotency']
  /** The time has jumped ahead: by it, the acceptance would take keys for expired that are in force. */
  readonly outlivesTime: boolean
  /** Looks, once, whether it was used before. */
  repeat(): Promise<Repeat | null>
}

export function sendKey(
  { store, clock, idempotencyTtlMs }: { store: Pick<Store, 'read'>; clock: Clock; idempotencyTtlMs: number },
  { workspaceId, scope }: Pick<SendCaller, 'workspaceId' | 'scope'>,
  { idempotencyKey: key, fingerprint }: Pick<SendRequest, 'idempotencyKey' | 'fingerprint'>,
  now: EpochMs,
): SendKey {
  const at = expiredBy(clock, idempotencyTtlMs)
  const kept = key === null ? null : { scope, key, fingerprint: fingerprint(), expiresAt: now + idempotencyTtlMs }
  async function look(): Promise<Repeat | null> {
    const used = kept && (await store.read.idempotencyKey({ workspaceId, scope, key: kept.key, at }))
    if (!used) return null
    const isSame = used.fingerprint === kept.fingerprint
    return isSame ? { outcome: 'replayed', messageId: used.messageId } : { outcome: 'conflict' }
  }
  let looking: Promise<Repeat | null> | null = null
  return { kept, outlivesTime: now - at > clockDifferenceMsMax, repeat: () => (looking ??= look()) }
}
