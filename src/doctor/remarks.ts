import type { Shared } from '../../db/contract/shared.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import type { Backups } from '../backup/backups.ts'
import type { Clock, SteadyMs } from '../base/clock.ts'
import type { LineBacklog } from '../sending/openMessages.ts'
import type { Logger } from '../telemetry/log.ts'
import { type AttentionFinding, findingsOf, findingsOfBackups, severities } from './attention.ts'
import { lastClockJump } from './clockCheck.ts'
import { readWorkspaceState } from './workspaceState.ts'

/** A kind of finding that somebody should look after. It names no workspace: anybody may ask for it. */
export interface Remark {
  readonly kind: AttentionFinding['kind']
  readonly severity: 'bad' | 'warning'
  /** In how many workspaces it is found; null: of the gateway itself. */
  readonly workspaces: number | null
}

interface RemarkParts {
  readonly read: StoreReads
  /** Null: the database is a file. */
  readonly shared: Pick<Shared, 'locks'> | null
  /** Resolves when the next workspace may be read. */
  readonly turn: () => Promise<unknown>
  readonly outbox: { backlogs(): LineBacklog[] }
  readonly backups: Pick<Backups, 'status' | 'due'>
  readonly clock: Clock
  readonly log: Logger
  readonly isStopping: () => boolean
}

/** A look reads every workspace. What it finds lasts for hours. */
const everyMs = 60_000
/** What asks for health asks more often. After a longer silence, what was known is of another time. */
const oldMs = 600_000

/**
 * Looks after the findings of all workspaces for those who ask whether the gateway is ready.
 * @returns a function that says what was found last, the worst first; null: it is not known yet. It waits for nothing:
 *   a look goes on beside, one workspace in each turn, at most once a minute, and only when somebody asks
 */
export function createRemarks({ read, shared, turn, outbox, backups, clock, log, isStopping }: RemarkParts) {
  let known: { readonly at: SteadyMs; readonly remarks: readonly Remark[] | null } | null = null
  let isLooking = false

  async function look(): Promise<readonly Remark[] | null> {
    const found = new Map<AttentionFinding['kind'], number | null>()
    for (const { id } of await read.workspaces()) {
      await turn()
      if (isStopping()) return null
      const { state } = await readWorkspaceState(read, { workspaceId: id, now: clock.now() })
      const kinds = findingsOf({ ...state, backlogs: outbox.backlogs(), backups: null }).map(({ kind }) => kind)
      for (const kind of new Set(kinds)) found.set(kind, (found.get(kind) ?? 0) + 1)
    }
    for (const { kind } of findingsOfBackups(backups, clock.now())) found.set(kind, null)
    if (await lastClockJump(read, clock.now())) found.set('clockJumped', null)
    return inOrder(found)
  }

  /** Never throws. */
  async function refresh(): Promise<void> {
    isLooking = true
    const remarks = await look().catch((error: unknown) => {
      if (!isStopping()) log.warn({ err: error }, 'the remarks for /readyz could not be read')
      return null
    })
    known = { at: clock.steady(), remarks }
    isLooking = false
  }

  return (): readonly Remark[] | null => {
    const ageMs = known === null ? Number.POSITIVE_INFINITY : clock.steady() - known.at
    if (ageMs >= everyMs && !isLooking && !isStopping()) void refresh()
    const lately = ageMs < oldMs ? (known?.remarks ?? null) : null
    // While a table is locked, a look may read nothing.
    const isLocked = shared !== null && shared.locks().holders.length > 0
    return isLocked ? [...inOrder(new Map([['databaseLocked', null]])), ...(lately ?? [])] : lately
  }
}

/** In the order in which the kinds are declared: the worst first. Notes are no remarks. */
const inOrder = (found: ReadonlyMap<AttentionFinding['kind'], number | null>): Remark[] =>
  (Object.keys(severities) as AttentionFinding['kind'][]).flatMap(kind => {
    const [severity, workspaces] = [severities[kind], found.get(kind)]
    return severity === 'note' || workspaces === undefined ? [] : [{ kind, severity, workspaces }]
  })
