import { and, asc, desc, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import { type AuditEntry, type AuditQuery, sendActions } from '../contract/queries.ts'
import type { StoreReads, StoreWrites } from '../contract/store.ts'
import type { AuditedChanges } from '../schema/audit.ts'
import { type Authorship, actOf, auditedVerbs } from './audited.ts'
import { changesBetween, valuesReader } from './auditedValues.ts'
import { type Engine, first } from './engine.ts'

type AnyVerb = (argument: unknown) => unknown

/** A call with the author for the audit: the authorship is passed with the verb's argument. */
type Given = object & { readonly authorship?: Authorship }

/** @returns the workspace that the id of a changed thing belongs to; null when it is none, or when it is not known */
async function workspaceOf({ db, tables }: Engine, subject: string): Promise<string | null> {
  const { apiKeys, batches, channels, contacts, lines, memberships, messages, webhookEndpoints } = tables
  const prefix = subject.slice(0, subject.indexOf('_'))
  if (prefix === 'ws') return subject
  if (prefix === 'user') {
    // Of a user who is a member of one workspace. A user of several belongs to none of them.
    const { userId, workspaceId } = memberships
    const [one, other] = await db.select({ workspaceId }).from(memberships).where(eq(userId, subject)).limit(2)
    return one && !other ? one.workspaceId : null
  }
  const owned = {
    pk: apiKeys,
    batch: batches,
    chan: channels,
    line: lines,
    contact: contacts,
    msg: messages,
    hook: webhookEndpoints,
  }
  const table = Object.hasOwn(owned, prefix) ? owned[prefix as keyof typeof owned] : undefined
  if (!table) return null
  return (await first(db.select({ of: table.workspaceId }).from(table).where(eq(table.id, subject))))?.of ?? null
}

/**
 * Writes audit entries for the changes of a verb's calls, in the same transaction. Calls without an author are not
 * recorded. For verbs that `withAudit` does not wrap: those that run in groups.
 * @param given the arguments of the calls
 * @param results of the calls, in the same order
 * @param changes old and new values, of a single call
 */
export async function keepAudit(
  engine: Engine,
  verb: keyof StoreWrites,
  given: readonly Given[],
  results: readonly unknown[],
  changes: AuditedChanges | null = null,
): Promise<void> {
  for (const [at, { authorship, ...argument }] of given.entries()) {
    const act = authorship && actOf(verb, argument, results[at])
    if (!act) continue
    const [action, subject, where, known = null] = act
    const workspaceId = authorship.workspaceId ?? where ?? (await workspaceOf(engine, subject))
    const values = { ...authorship, action, subject, workspaceId, changes: changes ?? known }
    await engine.db.insert(engine.tables.auditEntries).values(values)
  }
}

/** @returns the same verbs, which write the audit entry in the transaction of the change */
export function withAudit<Some extends { readonly [Verb in keyof StoreWrites]?: unknown }>(
  engine: Engine,
  verbs: Some,
): Some {
  const audited = auditedVerbs.flatMap(verb => {
    const run = verbs[verb] as AnyVerb | undefined
    if (!run) return []
    const valuesOf = valuesReader(engine, verb)
    const runAudited = async (given: Given) => {
      const { authorship, ...argument } = given
      const before = await valuesOf?.(argument)
      const result = await run(argument)
      const changes = before ? changesBetween(before, (await valuesOf?.(argument)) ?? null) : null
      await keepAudit(engine, verb, [given], [result], changes)
      return result
    }
    // Verbs without a rule stay as they are, so that a step of a send stays synchronous.
    return [[verb, (given: Given) => (given.authorship === undefined ? run(given) : runAudited(given))] as const]
  })
  // Each verb takes one more argument, which it does not see.
  return { ...verbs, ...(Object.fromEntries(audited) as Partial<Some>) }
}

/** The verbs of the audit itself. */
export function auditVerbs({ db, tables: { auditEntries }, isAnyOf }: Engine) {
  return {
    noteAction: async (_: Parameters<StoreWrites['noteAction']>[0]) => {},

    async pruneAudit({ recordedBefore, keep, limit }) {
      // The numbers may have gaps, so the first one beyond `keep` is looked up.
      const { id, at } = auditEntries
      const beyond = await first(db.select({ id }).from(auditEntries).orderBy(desc(id)).limit(1).offset(keep))
      // In the order of time, so that only rows to delete are read.
      const oldest = await db.select({ id, at }).from(auditEntries).orderBy(asc(id)).limit(limit)
      const old = oldest.filter(entry => entry.at < recordedBefore || (beyond !== null && entry.id <= beyond.id))
      if (old.length === 0) return 0
      const ids = old.map(entry => entry.id)
      await db.delete(auditEntries).where(isAnyOf(id, ids))
      return old.length
    },
  } satisfies Partial<StoreWrites>
}

/** The whole word, or its first part: `key` of `key.revoke`, `cli` of `cli:ada`. */
const isOrBeginsWith = (column: Parameters<typeof eq>[0], word: string, separator: string) =>
  or(eq(column, word), sql`substr(${column}, 1, ${word.length + 1}) = ${word + separator}`)

/** Of a user of the console, before the email address. */
const consoleActor = 'console:'

export function auditReads({
  db,
  tables: { auditEntries, memberships, users },
  isAnyOf,
}: Engine): Pick<StoreReads, 'auditEntries' | 'authors'> {
  const { id, at } = auditEntries

  /** The conditions, by the fields of the query. */
  const filters: FiltersOf<Omit<AuditQuery, 'workspaceId' | 'limit'>> = {
    actor: actor => isOrBeginsWith(auditEntries.actor, actor, ':'),
    action: action => isOrBeginsWith(auditEntries.action, action, '.'),
    subject: subject => eq(auditEntries.subject, subject),
    since: since => gte(at, since),
    until: until => lt(at, until),
    after: after => lt(id, after),
  }

  const entries = async (
    { limit, ...query }: AuditQuery,
    ...conditions: Parameters<typeof and>
  ): Promise<AuditEntry[]> =>
    await db
      .select()
      .from(auditEntries)
      .where(and(...conditions, ...filterConditions(filters, query)))
      .orderBy(desc(id))
      .limit(limit)

  return {
    async auditEntries({ workspaceId, ...query }) {
      if (workspaceId === undefined) return entries(query)
      // Each along its index. With one condition for both, SQLite would read the entries of all workspaces.
      const members = db
        .select({ userId: memberships.userId })
        .from(memberships)
        .where(eq(memberships.workspaceId, workspaceId))
      const own = await entries(query, eq(auditEntries.workspaceId, workspaceId))
      const isOfNone = sql`coalesce(${auditEntries.workspaceId}, '') = ''`
      const ofMembers = await entries(query, isOfNone, inArray(auditEntries.subject, members))
      return [...own, ...ofMembers].sort((one, other) => other.id - one.id).slice(0, query.limit)
    },

    async authors(ids) {
      if (ids.length === 0) return new Map()
      const { subject, action, actor } = auditEntries
      const email = sql<string>`substr(${actor}, ${sql.raw(String(consoleActor.length + 1))})`
      const rows = await db
        .select({ subject, actor, userId: users.id, name: users.name })
        .from(auditEntries)
        .leftJoin(users, and(eq(users.email, email), isOrBeginsWith(actor, consoleActor.slice(0, -1), ':')))
        .where(and(isAnyOf(subject, ids), inArray(action, [...sendActions, 'batch.create'])))
      const written = (actor: string) => actor.replace(/^\w+:/, '')
      return new Map(
        rows.map(({ subject, actor, userId, name }) => [subject, { userId, name: name ?? written(actor) }]),
      )
    },
  }
}

/** The condition of each field of a filter: a field without one is a type error. */
type FiltersOf<Filter> = {
  readonly [Field in keyof Filter]-?: (value: NonNullable<Filter[Field]>) => SQL | undefined
}

/** @returns the conditions of the fields that a filter has */
const filterConditions = <Filter extends object>(
  filters: FiltersOf<Filter>,
  filter: { readonly [Field in keyof Filter]?: Filter[Field] | undefined },
) =>
  Object.entries<(value: never) => SQL | undefined>(filters).map(([field, condition]) => {
    const value = filter[field as keyof Filter]
    return value === undefined ? undefined : condition(value as never)
  })
