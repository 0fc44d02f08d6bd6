import { asc, desc, inArray } from 'drizzle-orm'
import { actOf, auditedVerbs, type Origin, ownersByPrefix, prefixOf } from '../auditRules.ts'
import type { Connection } from './open.ts'
import { auditEntries } from './schema.ts'
import type { Verbs } from './verbs.ts'

type AnyVerb = (argument: unknown) => unknown

/** @returns the writer's verbs, which write the audit entry in the transaction of the change */
export function withAudit({ client, db }: Connection, verbs: Verbs): Verbs {
  const workspaceOf = findWorkspaceOf(client)
  const audited = auditedVerbs.map(verb => {
    const run = verbs[verb] as AnyVerb
    const runAudited = (given: { readonly origin?: Origin }) => {
      if (given.origin === undefined) return run(given)
      const { origin, ...argument } = given
      const result = run(argument)
      const act = actOf(verb, argument, result)
      if (act) {
        const [action, subject, where] = act
        const workspaceId = origin.workspaceId ?? where ?? workspaceOf(subject)
        db.insert(auditEntries)
          .values({ ...origin, action, subject, workspaceId })
          .run()
      }
      return result
    }
    return [verb, runAudited] as const
  })
  return { ...verbs, ...(Object.fromEntries(audited) as Partial<Verbs>) }
}

/** @returns the workspace that the id of a changed thing belongs to; null when it is none, or when it is not known */
function findWorkspaceOf(client: Connection['client']): (subject: string) => string | null {
  const statements = new Map(
    Object.entries(ownersByPrefix('$id')).map(([prefix, owner]) => [
      prefix,
      client.query<{ owner: string | null }, [{ id: string }]>(`SELECT ${owner} AS owner`),
    ]),
  )
  return subject => statements.get(prefixOf(subject))?.get({ id: subject })?.owner ?? null
}

/** The verbs of the audit itself. */
export function auditVerbs({ db }: Connection) {
  return {
    noteAction: () => {},

    pruneAudit({ recordedBefore, keep, limit }) {
      const newest = db.select({ id: auditEntries.id }).from(auditEntries).orderBy(desc(auditEntries.id)).limit(1).get()
      if (!newest) return 0
      // In the order of time, so that only rows to delete are read.
      const old = db
        .select({ id: auditEntries.id, at: auditEntries.at })
        .from(auditEntries)
        .orderBy(asc(auditEntries.id))
        .limit(limit)
        .all()
        .filter(({ id, at }) => at < recordedBefore || id <= newest.id - keep)
        .map(({ id }) => id)
      if (old.length > 0) db.delete(auditEntries).where(inArray(auditEntries.id, old)).run()
      return old.length
    },
  } satisfies Partial<Verbs>
}
