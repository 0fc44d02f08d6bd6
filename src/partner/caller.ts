import type { Store } from '../../db/contract/store.ts'
import { GatewayError } from '../base/errors.ts'
import { noValidKey, type Passage } from '../http/guard.ts'
import { isKept, type KeyCaller } from '../http/keys.ts'
import type { Body, Room } from '../http/requestHead.ts'
import { type Actor, renewedBefore } from '../operations/act.ts'
import type { CallReads } from '../reading/callReads.ts'

/**
 * What was read with the key of a send is read again when it is older than this once the body is whole: a body may take
 * 30 seconds, in which a key is revoked or a line deactivated. A body that comes with its headers costs no second read.
 */
export const sendingKeyMsMax = 250

/**
 * Who calls, with what it reads and changes: of a key that is limited to lines, what belongs to others is not there.
 * A key that was revoked changes nothing: whoever reads the body, or changes what is stored, asks anew for the key. So
 * an endpoint is handed neither the body nor the store.
 */
export interface PartnerCaller extends KeyCaller {
  readonly read: CallReads
  /** Changes in the name of the key. Each is refused once the key does not hold any more (`renewedBefore`). */
  readonly actor: Actor
  /** Reads the body, and refuses it when the key does not hold any more. @throws GatewayError UNAUTHORIZED */
  readonly body: Body
  /**
   * The caller by what is stored now; it counts nothing. To be asked before an answer that was waited for, and before
   * what follows on the answer of a stranger.
   * @throws GatewayError UNAUTHORIZED
   */
  readonly renew: () => Promise<KeyCaller>
}

export interface CallerParts {
  readonly store: Pick<Store, 'read' | 'writeAs' | 'clock'>
  readonly request: Request
  readonly passage: Extract<Passage, { ok: true }>
  readonly reads: CallReads
  readonly room: Room
}

/** @returns the caller of a request that has passed the guard */
export function partnerCaller({ store, request, passage, reads, room }: CallerParts): PartnerCaller {
  const { read, writeAs, clock } = store
  const { workspaceId, keyId } = passage.caller
  let last = passage.caller
  let lookedAt = clock.steady()

  async function renew(): Promise<KeyCaller> {
    const renewed = await passage.renew()
    if (!renewed) throw new GatewayError(noValidKey)
    last = renewed
    lookedAt = clock.steady()
    return renewed
  }
  const isOld = () => last.settings === null || clock.steady() - lookedAt > sendingKeyMsMax

  return {
    ...last,
    /** Those of the last look. */
    get settings() {
      return last.settings
    },
    read: reads,
    get actor() {
      const write = writeAs({ actor: `key:${keyId}`, workspaceId })
      return { read: reads.holding(read), clock, workspaceId, write: renewedBefore(write, renew) }
    },
    async body(readBody) {
      const body = await readBody(request, room).catch(async (error: unknown) => {
        // What is wrong with it is told only to a caller whose key holds.
        if (isKept(last) || isOld()) await renew()
        throw error
      })
      if (isOld()) await renew()
      return body
    },
    renew,
  }
}
