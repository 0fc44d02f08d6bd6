import type { EpochMs } from '../../src/base/clock.ts'

/*
 * State that several instances of the gateway on one database share. A process that has the database to itself keeps it
 * in memory instead.
 *
 * All times are those of the database's clock: the clocks of instances differ.
 */

/** A request that counts for each of these subjects. */
export interface RateRequest {
  /** On a tie, the first subject is the one reported. */
  readonly subjects: readonly { readonly subject: string; readonly limit: number }[]
}

export interface RateAdmission {
  readonly admitted: boolean
  /** The subject with the least left, and its limit. */
  readonly subject: string
  readonly limit: number
  /** After this request; 0 when it was refused. */
  readonly remaining: number
  readonly resetsInMs: number
}

/** What one member tells the others of a conversation. Nobody keeps it. */
export interface Sign {
  /** `given` is told to the member who has it now, and `takenOver` to the one who had it. */
  readonly kind: 'writing' | 'given' | 'takenOver'
  readonly contactId: string
  readonly by: { readonly userId: string; readonly name: string }
  /** Null: all who look. */
  readonly to: string | null
}

/** What changed in a workspace. */
export interface Change {
  readonly workspaceId: string
  readonly subject: 'messages' | 'contacts' | 'templates' | 'health' | 'requests' | 'signs' | 'batches'
  /** Null: no single message, or an unknown one. */
  readonly messageId: string | null
  /** Of `signs`. */
  readonly sign?: Sign | undefined
}

export interface ClaimedWebhooks {
  /** All that this instance has. */
  readonly ids: readonly string[]
  /** So many are more than its share: others are to have them. */
  readonly surplus: number
}

/** A session of the database's server that holds what others wait for. */
export interface LockHolder {
  readonly pid: number
  /** What it calls itself, as `psql`; empty: nothing. */
  readonly application: string
  /** When its transaction began; null: this role may not see that. */
  readonly since: EpochMs | null
  /** The tables that it has locked against writes, `AccessExclusiveLock on messages`; null: it holds rows. */
  readonly locks: string | null
  /** How many statements wait for it. */
  readonly waiting: number
}

export interface Shared {
  /**
   * Counts requests in windows of `windowMs` that are aligned to the clock. A request counts for all its subjects if
   * each has one left, else for none: a refused request does not count. However many instances ask at once, a window
   * never admits more than its limit. Calls of one turn are one step.
   * @returns an admission for each request, in their order
   */
  admit(count: { requests: readonly RateRequest[]; windowMs: number }): Promise<readonly RateAdmission[]>
  /**
   * The upstream said that the line is too fast: all instances together send at half the pace, with the recovery of
   * src/sending/pacing.ts. Calls within one second count once.
   */
  slowDown(throttle: { lineId: string }): Promise<void>
  /**
   * Nothing of the line, or of all lines of the channel, is handed over on any instance for `ms`. Never shortens a
   * pause.
   */
  pause(pause: { scope: 'line' | 'channel'; id: string; ms: number }): Promise<void>
  /**
   * Whether this instance does the jobs that one instance does for all. It stays so for some seconds after the answer,
   * while no other instance gets a yes. @returns false also when the database cannot be asked
   */
  leads(): Promise<boolean>
  /**
   * Takes endpoints of webhooks that are on and that no living instance has, up to this instance's share. Those that
   * are ready share all of them; where none is, all that live do.
   * @param claim `isReady`: whether this instance is
   */
  claimWebhooks(claim: { isReady: boolean }): Promise<ClaimedWebhooks>
  /**
   * @returns who holds locks that calls of this instance have waited for in vain, and how many calls have since the
   *   start
   */
  locks(): { readonly holders: readonly LockHolder[]; readonly timeouts: number }
  /** Leaves endpoints to others. Nothing of them may be under way, or recorded later. */
  releaseWebhooks(release: { endpointIds: readonly string[] }): Promise<void>
  /**
   * Announces changes to other watching instances. Costs nothing while there are none. Announcements may get lost with
   * the database: pages also reload from time to time.
   */
  announce(changes: readonly Change[]): void
  /**
   * @param onChanges gets the announcements of other instances, within a second
   * @returns a function that ends it
   */
  watch(onChanges: (changes: readonly Change[]) => void): () => void
}
