import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import { isSameLanguage } from '../../src/message/language.ts'
import { eventAbout } from '../contract/events.ts'
import type { StoreWrites } from '../contract/store.ts'
import type { TemplateWrites } from '../contract/templates.ts'
import type { Tables } from '../schema/tables.ts'
import { type Engine, first, portionsOf } from './engine.ts'

type Templates = Tables['templates']

/** What an event shows of a template. */
export const shownTemplate = ({ id, name, language, category, status }: Templates) => ({
  ...{ id, name, language, category, status },
})

/**
 * The verbs of templates: what the listing says, and what callbacks add between two listings. Each locks the channel,
 * so that they come one after the other, and has to be READ COMMITTED.
 */
export function templateVerbs({ db, tables, conditions: { isChannelThere }, isAnyOf, asKept, locking, tell }: Engine) {
  const { channels, templates } = tables
  const told = ['upstreamId', 'category', 'status', 'parameterFormat', 'components', 'rejectedReason'] as const
  const excluded = (field: (typeof told)[number]) => sql`excluded.${sql.identifier(templates[field].name)}`
  const stored = sql.join(
    told.map(field => templates[field]),
    sql`, `,
  )
  const listed = sql.join(told.map(excluded), sql`, `)

  /**
   * Runs a change of a channel's templates, and tells which of them have another status or category than before.
   * @param isChanged whether its templates have another generation: by default they do
   * @param of `name`: of all that may change; absent: any may. `why`: what a callback says; absent: what is listed
   */
  async function telling<Result>(
    of: { channelId: string; name?: string; at: EpochMs; recordedAt: EpochMs; why?: Why },
    change: () => Promise<Result>,
    isChanged: (result: Result) => boolean = () => true,
  ): Promise<Result> {
    const { channelId, name, at, recordedAt } = of
    const columns = { workspaceId: channels.workspaceId }
    const channel = await first(locking(db.select(columns).from(channels).where(eq(channels.id, channelId))))
    if (!channel) return change()
    const isOfChannel = eq(templates.channelId, channelId)
    const isConcerned = name === undefined ? isOfChannel : and(isOfChannel, eq(templates.name, name))
    const concerned = () =>
      db
        .select({ ...shownTemplate(templates), rejectedReason: templates.rejectedReason })
        .from(templates)
        .where(isConcerned)
        .orderBy(asc(templates.id))
    const before = new Map((await concerned()).map(template => [template.id, template]))
    const result = await change()
    const { templateGeneration: last } = channels
    // A restored database would count to a number again that callers know of other templates.
    const next = { templateGeneration: sql`CASE WHEN ${last} < ${recordedAt} THEN ${recordedAt} ELSE ${last} + 1 END` }
    if (isChanged(result)) await db.update(channels).set(next).where(eq(channels.id, channelId))
    const events = (await concerned()).flatMap(({ rejectedReason, ...template }) => {
      const former = before.get(template.id)
      // One that is new here has not changed.
      if (!former || (former.status === template.status && former.category === template.category)) return []
      const previous = { status: former.status, category: former.category }
      const { reason, recommendation } = of.why ?? { reason: rejectedReason, recommendation: null }
      const data = { channel: { id: channelId }, template, previous, reason, recommendation }
      return [eventAbout(template.id, { ...channel, type: 'template.updated', at, recordedAt, data })]
    })
    await tell(events)
    return result
  }

  /** @returns how many have changed */
  async function replace({
    channelId,
    templates: listing,
    at,
    isPartial = false,
    recordedAt,
  }: Parameters<TemplateWrites['replaceTemplates']>[0]): Promise<number> {
    // One statement changes a row once: of a record that is listed twice, the last counts. As kept, because the names
    // are compared below with those that the database has.
    const byName = new Map(asKept(listing).map(template => [`${template.name}/${template.language}`, template]))
    // An update that came while the listing was read is newer than it. A row dated in the future came from a clock
    // that was ahead, and is overwritten.
    const isOlder = sql`(${templates.updatedAt} <= ${at} OR ${templates.updatedAt} > ${recordedAt})`
    let changed = 0
    for (const rows of portionsOf([...byName.values()])) {
      const written = await db
        .insert(templates)
        .values(rows)
        .onConflictDoUpdate({
          target: [templates.channelId, templates.name, templates.language],
          set: {
            ...Object.fromEntries(told.map(field => [field, excluded(field)])),
            updatedAt: at,
            lastUpdateAt: null,
          },
          // An unchanged record keeps its time: `updatedAt` tells when something changed, not when we last looked.
          setWhere: sql`${isOlder} AND (${stored}) IS DISTINCT FROM (${listed})`,
        })
        .returning({ id: templates.id })
      changed += written.length
    }
    if (isPartial) return changed
    const isThere = and(eq(templates.channelId, channelId), ne(templates.status, 'DELETED'), isOlder)
    const { id, name, language } = templates
    const known = await db.select({ id, name, language }).from(templates).where(isThere)
    const gone = known.filter(record => !byName.has(`${record.name}/${record.language}`)).map(record => record.id)
    const set = { status: 'DELETED', updatedAt: at, lastUpdateAt: null }
    await db.update(templates).set(set).where(isAnyOf(id, gone))
    return changed + gone.length
  }

  return {
    async replaceTemplates(listing) {
      await telling(
        listing,
        () => replace(listing),
        changed => changed > 0,
      )
    },

    async recordTemplate({ template }) {
      const { id: _, channelId, name, language: _language, ...changed } = template
      const { updatedAt: at } = template
      return telling({ channelId, name, at, recordedAt: at }, async () => {
        const isThere = and(eq(channels.id, channelId), isChannelThere)
        if (!(await first(db.select({ id: channels.id }).from(channels).where(isThere)))) return null
        return first(
          db
            .insert(templates)
            .values(template)
            .onConflictDoUpdate({
              target: [templates.channelId, templates.name, templates.language],
              set: { ...changed, rejectedReason: template.rejectedReason ?? null },
            })
            .returning(),
        )
      })
    },

    async recordDeletion({ channelId, name, language, at }) {
      const isIt = and(
        eq(templates.channelId, channelId),
        eq(templates.name, name),
        language === null ? undefined : eq(templates.language, language),
      )
      await telling({ channelId, name, at, recordedAt: at }, async () => {
        await db.update(templates).set({ status: 'DELETED', updatedAt: at, lastUpdateAt: null }).where(isIt)
      })
    },

    async applyTemplateUpdate({ channelId, accountId, name, language, status, at, recordedAt, ...why }) {
      const proven = await first(db.select().from(channels).where(eq(channels.id, channelId)))
      if (!proven) return []
      const isItsAccount = and(eq(channels.workspaceId, proven.workspaceId), eq(channels.accountId, accountId))
      const channel = await first(
        db.select({ id: channels.id }).from(channels).where(and(isItsAccount, isChannelThere)),
      )
      if (!channel) return []
      if (status !== null)
        await telling({ channelId: channel.id, name, at, recordedAt, why }, async () => {
          const named = and(eq(templates.channelId, channel.id), eq(templates.name, name))
          // An update may spell the language with a hyphen where the listing has an underscore.
          const record = (await db.select().from(templates).where(named)).find(template =>
            isSameLanguage(template.language, language),
          )
          // Callbacks come in any order: a newer update replaces an older one, and so does a listing that began after
          // it.
          const isListedSince = record && latestMoment(at) < record.updatedAt && record.updatedAt <= recordedAt
          const isStale = record && (at < (record.lastUpdateAt ?? at) || isListedSince)
          if (record && !isStale) {
            // Not later than now: the listing that follows the update knows more.
            const updatedAt = record.status === status ? record.updatedAt : Math.min(latestMoment(at), recordedAt)
            await db.update(templates).set({ status, updatedAt, lastUpdateAt: at }).where(eq(templates.id, record.id))
          }
        })
      return [channel.id]
    },
  } satisfies Partial<StoreWrites>
}

/** Why a template has changed, in the upstream's word and sentence. */
interface Why {
  readonly reason: string | null
  readonly recommendation: string | null
}

/** `entry.time` is in whole seconds: the latest moment that it may mean. */
const latestMoment = (at: EpochMs): EpochMs => at + 999
