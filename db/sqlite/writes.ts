import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { VerbAnswer, VerbCall } from '../../src/threads/protocol.ts'
import { withAudit } from '../rules/audit.ts'
import type { CommitMeter } from '../rules/commitMeter.ts'
import { inbox } from '../rules/contacts.ts'
import { releasing } from '../rules/scheduled.ts'
import { webhookDeliveryVerbs } from '../rules/webhookDelivery.ts'
import { lockingRules, rareRules } from '../rules/writes.ts'
import { acceptanceVerbs, counting } from './acceptance.ts'
import { apiRequestVerbs } from './apiRequests.ts'
import { type AllVerbs, groupCommit, type Verbs } from './commit.ts'
import { engineOf } from './engine.ts'
import { eventVerbs } from './events.ts'
import { handOverVerbs } from './handOver.ts'
import { WriterMemory } from './memory.ts'
import type { Connection } from './open.ts'
import { pruneVerbs } from './prune.ts'
import { ownTables } from './schema.ts'
import { telling } from './tell.ts'

/**
 * The frequent verbs, which keep the cache up to date or change nothing in it. None of them writes what decides on a
 * send, whose generation is in the cache too.
 */
export const rememberingVerbs: ReadonlySet<string> = new Set<string>([
  'acceptMessage',
  'scheduleMessage',
  'releaseMessage',
  'recordEvent',
  'applyReports',
  'handOverMessages',
  'deferMessages',
  'countRequests',
  'recordKeyUse',
  'recordApiRequests',
  'recordInbound',
  'followIdentities',
  'keepSpelling',
  'noteSpoken',
  'readConversation',
  'unreadConversation',
  'finishConversation',
  'reopenConversation',
  'takeConversation',
  'renameContact',
  'keepBlocked',
  'noteCallback',
  'recordAttempts',
  'shortenDeliveryWaits',
  'shortenFileWaits',
  'countUsage',
  'rememberMedia',
  'forgetMedia',
  'announceFile',
  'keepFile',
  'postponeFile',
  'giveUpFile',
  'expireFile',
  'dropFile',
  'claimBatchItems',
  'settleBatchItems',
] satisfies readonly (keyof AllVerbs)[])

/** For all other verbs everything is counted and written before, and the cache is cleared afterwards. */
function forgetting(memory: WriterMemory, verbs: AllVerbs): AllVerbs {
  const others = Object.entries(verbs).filter(([verb]) => !rememberingVerbs.has(verb))
  const wrapped = others.map(([verb, run]) => [
    verb,
    async (argument: never) => {
      memory.countAll()
      memory.writeCounts()
      const value = await run(argument)
      memory.forget()
      return value
    },
  ])
  return { ...verbs, ...(Object.fromEntries(wrapped) as Partial<AllVerbs>) }
}

/** What the writer thread runs: the verbs, and the group commit that runs them. */
export interface Writes {
  readonly verbs: readonly string[]
  readonly commit: (batch: readonly VerbCall[]) => Promise<VerbAnswer[]>
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
function storeVerbs(connection: Connection, memory: WriterMemory, keepsContents: boolean): AllVerbs {
  const tell = telling(connection.client, memory)
  const events = eventVerbs(connection, memory, keepsContents)
  const engine = engineOf(connection, { tell, record: events.recordEvent, ...counting(connection, memory) })
  const received = inbox(engine, keepsContents)
  return withAudit(engine, {
    ...rareRules(engine),
    ...lockingRules(engine),
    ...webhookDeliveryVerbs(engine, undefined),
    ...acceptanceVerbs(connection, memory, tell),
    ...events,
    ...handOverVerbs(connection, events.recordEvent),
    ...keyUseVerbs(connection),
    ...apiRequestVerbs(connection),
    releaseMessage: releasing(engine),
    recordInbound: batch => received([batch]),
    ...pruneVerbs(connection),
  })
}

const { apiKeys } = ownTables

/** The verb of when keys were last used. */
function keyUseVerbs({ db }: Connection) {
  return {
    recordKeyUse({ uses }) {
      for (const { keyId, at } of uses) {
        const isLater = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, at))
        db.update(apiKeys)
          .set({ lastUsedAt: at })
          .where(and(eq(apiKeys.id, keyId), isLater))
          .run()
      }
    },
  } satisfies Partial<Verbs>
}
