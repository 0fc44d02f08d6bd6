import type { ErasureStep, OpenErasure } from '../../db/contract/removals.ts'
import { changedAtOnce, restAfter } from '../base/rest.ts'
import { type Actor, Refused, removedOr } from './act.ts'
import { contactOf } from './contacts.ts'

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

type Writing = Pick<Actor, 'write' | 'clock'>
/** Told after each step. @returns false to leave the rest to the job */
type OnStep<Step> = (step: Step) => Promise<boolean> | boolean

/** The steps of a contact that is forgotten; `state` is `underWay` when the rest was left to the job. */
async function eraseHistory(
  { write, clock }: Writing,
  contactId: string,
  onStep: OnStep<ErasureStep>,
): Promise<ErasureStep> {
  let last: ErasureStep = { messages: 0, inbound: 0, lookedUntil: null, state: 'done' }
  for (;;) {
    const startedAt = clock.steady()
    const step = await write.eraseContact({ contactId, limit: changedAtOnce, at: clock.now() })
    // Another process has taken the last step meanwhile.
    if (step === null) return { ...last, state: 'done' }
    last = step
    if (step.state !== 'underWay' || !(await onStep(step))) return step
    await restAfter(clock, startedAt)
  }
}

/**
 * Erases the number, user id and name of a contact, what it wrote and what was sent to it. Counts and statuses stay.
 * Called again for one whose erasure was broken off, it goes on with that. Refused while messages wait for it.
 */
export async function forgetContact(
  actor: Actor,
  contactId: string,
  onStep: OnStep<ErasureStep> = () => true,
): Promise<(ErasureStep & { readonly id: string }) | Refused> {
  const contact = await contactOf(actor, contactId)
  if (contact instanceof Refused) return contact
  const { id } = contact
  const forgotten = removedOr(await actor.write.forgetContact({ contactId: id, at: actor.clock.now() }), 'contact', id)
  return forgotten instanceof Refused ? forgotten : { id, ...(await eraseHistory(actor, id, onStep)) }
}

/**
 * The steps of a closed workspace.
 * @param onStep told how many records are erased so far
 * @returns how many records were erased
 */
async function eraseWorkspace(
  { write, clock }: Writing,
  workspaceId: string,
  onStep: OnStep<number>,
): Promise<{ readonly erased: number; readonly isDone: boolean }> {
  let total = 0
  for (;;) {
    const startedAt = clock.steady()
    const { erased, isDone } = await write.eraseWorkspace({ workspaceId, limit: changedAtOnce, at: clock.now() })
    total += erased
    if (isDone || !(await onStep(total))) return { erased: total, isDone }
    await restAfter(clock, startedAt)
  }
}

/**
 * Closes a workspace and erases it. Refused while messages wait to be sent from it.
 * @param onStep told how many records are erased so far
 * @returns how many records were erased
 */
export async function removeWorkspace(
  actor: Writing,
  workspaceId: string,
  onStep: (erased: number) => Promise<void> | void,
): Promise<number | Refused> {
  const closing = await actor.write.closeWorkspace({ workspaceId, at: actor.clock.now() })
  const closed = removedOr(closing, 'workspace', workspaceId)
  if (closed instanceof Refused) return closed
  const tell = async (soFar: number) => {
    await onStep(soFar)
    return true
  }
  return (await eraseWorkspace(actor, workspaceId, tell)).erased
}

/** Takes up the erasures that nobody goes on with, each for one turn. @returns those that are done now */
export async function takeUpErasures(store: Pick<Actor, 'read' | 'write' | 'clock'>): Promise<readonly OpenErasure[]> {
  const { clock } = store
  const done: OpenErasure[] = []
  const steppedBefore = clock.now() - abandonedMs
  for (const erasure of await store.read.openErasures({ steppedBefore, limit: takenUpMax })) {
    const startedAt = clock.steady()
    const onStep = () => clock.steady() - startedAt < turnMs
    const isDone =
      erasure.part === 'workspace'
        ? (await eraseWorkspace(store, erasure.subject, onStep)).isDone
        : (await eraseHistory(store, erasure.subject, onStep)).state === 'done'
    if (isDone) done.push(erasure)
  }
  return done
}
