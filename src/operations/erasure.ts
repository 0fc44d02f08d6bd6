import type { Workspace } from '../../db/contract/accounts.ts'
import type { Removal } from '../../db/contract/records.ts'
import type { ErasureStep, OpenErasure } from '../../db/contract/removals.ts'
import type { Store } from '../../db/contract/store.ts'
import type { Clock } from '../base/clock.ts'
import { restAfter, stepRows } from '../base/rest.ts'

/*
 * Erasing a contact or a workspace. The first commit takes away what people look at; then steps erase the rest, each a
 * bounded commit with rests in between, so that sends are not held up. An erasure that was broken off is taken up by
 * the job `erase` of a running gateway, or of the next one.
 */

/** Who takes steps takes the next one within this time. After it, somebody else may: the first has gone. */
const abandonedMs = 5_000
/** Taken up in one run of the job. The next run takes the others: those first that have waited longest for a step. */
const takenUpMax = 100
/** Steps of one in a run of the job: a workspace of millions must not keep a contact waiting for hours. */
const turnMs = 60_000

export interface ErasureOptions {
  /** Told after each step. @returns false to leave the rest to the job */
  readonly onStep?: (step: ErasureStep) => Promise<boolean> | boolean
}

/** The steps of a contact that is forgotten; `state` is `underWay` when the rest was left to the job. */
export async function eraseHistory(
  store: Store,
  clock: Clock,
  contactId: string,
  { onStep = () => true }: ErasureOptions = {},
): Promise<ErasureStep> {
  let last: ErasureStep = { messages: 0, inbound: 0, lookedUntil: null, state: 'done' }
  for (;;) {
    const startedAt = clock.steady()
    const step = await store.write.eraseContact({ contactId, limit: stepRows, at: store.clock.now() })
    // Another process has taken the last step meanwhile.
    if (step === null) return { ...last, state: 'done' }
    last = step
    if (step.state !== 'underWay' || !(await onStep(step))) return step
    await restAfter(clock, startedAt)
  }
}

/**
 * Erases the number, user id and name of a contact, what it wrote and what was sent to it. Counts and statuses stay.
 * Called again for one whose erasure was broken off, it goes on with that.
 */
export async function eraseContact(
  store: Store,
  clock: Clock,
  contactId: string,
  options: ErasureOptions = {},
): Promise<Removal<ErasureStep>> {
  const removal = await store.write.forgetContact({ contactId, at: store.clock.now() })
  if (removal.outcome !== 'removed') return removal
  return { outcome: 'removed', removed: await eraseHistory(store, clock, contactId, options) }
}

/**
 * The steps of a closed workspace.
 * @param onStep told how many records are erased so far. @returns false to leave the rest to the job
 * @returns how many records were erased
 */
async function eraseWorkspace(
  store: Store,
  clock: Clock,
  workspaceId: string,
  onStep: (erased: number) => Promise<boolean> | boolean,
): Promise<{ readonly erased: number; readonly isDone: boolean }> {
  let total = 0
  for (;;) {
    const startedAt = clock.steady()
    const at = store.clock.now()
    const { erased, isDone } = await store.write.eraseWorkspace({ workspaceId, limit: stepRows, at })
    total += erased
    if (isDone || !(await onStep(total))) return { erased: total, isDone }
    await restAfter(clock, startedAt)
  }
}

/** Closes a workspace and erases it. @returns how many records were erased */
export async function removeWorkspace(
  store: Store,
  clock: Clock,
  { id: workspaceId }: Pick<Workspace, 'id'>,
  onStep?: (erased: number) => Promise<void> | void,
): Promise<Removal<number>> {
  const closing = await store.write.closeWorkspace({ workspaceId, at: store.clock.now() })
  if (closing.outcome !== 'removed') return closing
  const tell = async (soFar: number) => {
    await onStep?.(soFar)
    return true
  }
  const { erased } = await eraseWorkspace(store, clock, workspaceId, tell)
  return { outcome: 'removed', removed: erased }
}

/** Takes up the erasures that nobody goes on with, each for one turn. @returns those that are done now */
export async function takeUpErasures(store: Store, clock: Clock): Promise<readonly OpenErasure[]> {
  const done: OpenErasure[] = []
  const steppedBefore = store.clock.now() - abandonedMs
  for (const erasure of await store.read.openErasures({ steppedBefore, limit: takenUpMax })) {
    const startedAt = clock.steady()
    const onStep = () => clock.steady() - startedAt < turnMs
    const isDone =
      erasure.part === 'workspace'
        ? (await eraseWorkspace(store, clock, erasure.subject, onStep)).isDone
        : (await eraseHistory(store, clock, erasure.subject, { onStep })).state === 'done'
    if (isDone) done.push(erasure)
  }
  return done
}
