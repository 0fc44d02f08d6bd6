import type { Answer, Call } from '../../src/queue/protocol.ts'
import type { CommitMeter } from '../commitMeter.ts'
import { acceptanceVerbs } from './acceptance.ts'
import { accountVerbs } from './accounts.ts'
import { auditVerbs, withAudit } from './audit.ts'
import { callbackVerbs } from './callbacks.ts'
import { groupCommit } from './commit.ts'
import { contactVerbs } from './contacts.ts'
import { handOverVerbs } from './dispatch.ts'
import { erasureVerbs } from './erasure.ts'
import { eventVerbs } from './events.ts'
import { keyVerbs } from './keys.ts'
import { lineVerbs } from './lines.ts'
import { mediaVerbs } from './media.ts'
import { memberVerbs } from './members.ts'
import { WriterMemory } from './memory.ts'
import type { Connection } from './open.ts'
import { pruneVerbs } from './prune.ts'
import { removalVerbs } from './removal.ts'
import { secondFactorVerbs } from './secondFactor.ts'
import { sessionVerbs } from './sessions.ts'
import { setupVerbs } from './setup.ts'
import { templateVerbs } from './templates.ts'
import { updateVerbs } from './updates.ts'
import { userVerbs } from './users.ts'
import type { Verbs } from './verbs.ts'

/** The verbs that run all the time, and keep the memory up to date or change nothing that is in it. */
const rememberingVerbs = new Set<string>([
  'acceptMessage',
  'recordEvent',
  'applyReports',
  'handOverMessages',
  'deferMessages',
  'countRequests',
  'recordKeyUse',
  'recordInbound',
  'noteCallback',
] satisfies readonly (keyof Verbs)[])

/** All other verbs find the counts written, and leave nothing remembered that they may have changed. */
function forgetting(memory: WriterMemory, verbs: Verbs): Verbs {
  const others = Object.entries(verbs).filter(([verb]) => !rememberingVerbs.has(verb))
  const wrapped = others.map(([verb, run]) => [
    verb,
    (argument: never) => {
      memory.writeCounts()
      const value = run(argument)
      memory.forget()
      return value
    },
  ])
  return { ...verbs, ...(Object.fromEntries(wrapped) as Partial<Verbs>) }
}

/** What the writer thread runs: the verbs, and the group commit that runs them. */
export interface Writes {
  readonly verbs: readonly string[]
  readonly commit: (batch: readonly Call[]) => Promise<Answer[]>
}

/**
 * @param keepsContents whether contents stay until they are pruned; otherwise only as long as they are still to be sent
 * @param findLost as for the group commit
 */
export function storeWrites(
  connection: Connection,
  options: { keepsContents?: boolean; findLost?: () => string | null; meter?: CommitMeter } = {},
): Writes {
  const { keepsContents = true, findLost, meter } = options
  const memory = new WriterMemory(connection.client)
  const verbs = forgetting(memory, storeVerbs(connection, memory, keepsContents))
  return { verbs: Object.keys(verbs), commit: groupCommit(connection.client, verbs, { memory, findLost, meter }) }
}

/** None of the verbs opens a transaction or a savepoint for itself: the group commit does, and only it. */
function storeVerbs(connection: Connection, memory: WriterMemory, keepsContents: boolean): Verbs {
  const events = eventVerbs(connection, memory, keepsContents)
  return withAudit(connection, {
    ...auditVerbs(connection),
    ...accountVerbs(connection),
    ...lineVerbs(connection),
    ...keyVerbs(connection),
    ...userVerbs(connection),
    ...sessionVerbs(connection),
    ...setupVerbs(connection),
    ...memberVerbs(connection),
    ...secondFactorVerbs(connection),
    ...acceptanceVerbs(connection, memory),
    ...events,
    ...handOverVerbs(connection, events.recordEvent),
    ...callbackVerbs(connection),
    ...contactVerbs(connection, keepsContents),
    ...templateVerbs(connection),
    ...updateVerbs(connection),
    ...mediaVerbs(connection),
    ...pruneVerbs(connection),
    ...removalVerbs(connection),
    ...erasureVerbs(connection),
  })
}
