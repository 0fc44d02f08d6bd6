import { desc, inArray } from 'drizzle-orm'
import { actOf, auditedVerbs, type Origin, ownersByPrefix, prefixOf } from '../auditRules.ts'
import { type Connection, first } from './open.ts'
import { auditEntries } from './schema/tables.ts'
import type { Verbs } from './verbs.ts'

type AnyVerb = (argument: unknown) => Promise<unknown>

/** A call as it comes from whom the audit is to name: the origin travels with the verb's argument. */
type Given = object & { readonly origin?: Origin }

const owners = ownersByPrefix('$1::text')

/** @returns the workspace that the id of a changed thing belongs to; null when it is none, or when it is not known */
async function workspaceOf({ query }: Connection, subject: string): Promise<string | null> {
  const owner = owners[prefixOf(subject)]
  if (owner === undefined) return null
  return (await first(query<{ owner: string | null }>(`SELECT ${owner} AS owner`, [subject])))?.owner ?? null
}

/**
 * Keeps in the audit what calls of a verb have changed, in the transaction of the change. Calls that no person has asked
 * for are not kept. For verbs that `withAudit` does not wrap: those that run in groups.
 * @param given the arguments of the calls
 * @param results of the calls, in the same order
 */
export async function keepAudit(
  connection: Connection,
  verb: keyof Verbs,
  given: readonly Given[],
  results: readonly unknown[],
): Promise<void> {
  for (const [at, { origin, ...argument }] of given.entries()) {
    const act = origin && actOf(verb, argument, results[at])
    if (!act) continue
    const [action, subject, where] = act
    const workspaceId = origin.workspaceId ?? where ?? (await workspaceOf(connection, subject))
    await connection.db.insert(auditEntries).values({ ...origin, action, subject, workspaceId })
  }
}

/** @returns the same verbs, which write the audit entry in the transaction of the change */
export function withAudit<Some extends Partial<Verbs>>(connection: Connection, verbs: Some): Some {
  const audited = auditedVerbs.flatMap(verb => {
    const run = verbs[verb] as AnyVerb | undefined
    if (!run) return []
    const runAudited = async (given: Given) => {
      const { origin, ...argument } = given
      const result = await run(argument)
      await keepAudit(connection, verb, [given], [result])
      return result
    }
    return [[verb, runAudited] as const]
  })
  // Each verb takes one more argument, which it does not see.
  return { ...verbs, ...(Object.fromEntries(audited) as Partial<Some>) }
}

/** The verbs of the audit itself. */
export function auditVerbs({ db }: Connection) {
  return {
    noteAction: async (_: Parameters<Verbs['noteAction']>[0]) => {},

    async pruneAudit({ recordedBefore, keep, limit }) {
      // The numbers have gaps, so that the first one beyond `keep` is looked up.
      const { id, at } = auditEntries
      const beyond = await first(db.select({ id }).from(auditEntries).orderBy(desc(id)).limit(1).offset(keep))
      // In the order of time, so that only rows to delete are read.
      const oldest = await db.select({ id, at }).from(auditEntries).orderBy(id).limit(limit)
      const old = oldest.filter(entry => entry.at < recordedBefore || (beyond !== null && entry.id <= beyond.id))
      if (old.length === 0) return 0
      const ids = old.map(entry => entry.id)
      await db.delete(auditEntries).where(inArray(id, ids))
      return old.length
    },
  } satisfies Partial<Verbs>
}
