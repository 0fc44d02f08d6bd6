import { and, eq, ne, sql } from 'drizzle-orm'
import { isSameLanguage } from '../../src/message/language.ts'
import type { EpochMs } from '../../src/time/clock.ts'
import type { StoreWrites } from '../store.ts'
import { type Engine, first, portionsOf } from './engine.ts'

/** The verbs of templates: the listing, and updates from callbacks between two listings. */
export function templateVerbs({ db, tables, conditions: { isChannelThere }, isAnyOf, asKept }: Engine) {
  const { channels, templates } = tables
  const told = ['upstreamId', 'category', 'status', 'parameterFormat', 'components', 'rejectedReason'] as const
  const excluded = (field: (typeof told)[number]) => sql`excluded.${sql.identifier(templates[field].name)}`
  const stored = sql.join(
    told.map(field => templates[field]),
    sql`, `,
  )
  const listed = sql.join(told.map(excluded), sql`, `)

  return {
    async replaceTemplates({ channelId, templates: listing, at, isPartial = false, recordedAt }) {
      // One statement changes a row once: of a record that is listed twice, the last counts. As kept, because the names
      // are compared below with those that the database has.
      const byName = new Map(asKept(listing).map(template => [`${template.name}/${template.language}`, template]))
      // An update that came while the listing was read is newer than it. A row dated in the future came from a clock
      // that was ahead, and is overwritten.
      const isOlder = sql`(${templates.updatedAt} <= ${at} OR ${templates.updatedAt} > ${recordedAt})`
      for (const rows of portionsOf([...byName.values()])) {
        await db
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
      }
      if (isPartial) return
      const isThere = and(eq(templates.channelId, channelId), ne(templates.status, 'DELETED'), isOlder)
      const { id, name, language } = templates
      const known = await db.select({ id, name, language }).from(templates).where(isThere)
      const gone = known.filter(record => !byName.has(`${record.name}/${record.language}`)).map(record => record.id)
      const set = { status: 'DELETED', updatedAt: at, lastUpdateAt: null }
      await db.update(templates).set(set).where(isAnyOf(id, gone))
    },

    async recordTemplate({ template }) {
      const channel = and(eq(channels.id, template.channelId), isChannelThere)
      if (!(await first(db.select({ id: channels.id }).from(channels).where(channel)))) return null
      const { id: _, channelId: _channel, name: _name, language: _language, ...changed } = template
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
    },

    async recordDeletion({ channelId, name, language, at }) {
      await db
        .update(templates)
        .set({ status: 'DELETED', updatedAt: at, lastUpdateAt: null })
        .where(
          and(
            eq(templates.channelId, channelId),
            eq(templates.name, name),
            language === null ? undefined : eq(templates.language, language),
          ),
        )
    },

    async applyTemplateUpdate({ channelId, accountId, name, language, status, at, recordedAt }) {
      const proven = await first(db.select().from(channels).where(eq(channels.id, channelId)))
      if (!proven) return []
      const isItsAccount = and(eq(channels.workspaceId, proven.workspaceId), eq(channels.accountId, accountId))
      const channel = await first(
        db.select({ id: channels.id }).from(channels).where(and(isItsAccount, isChannelThere)),
      )
      if (!channel) return []
      if (status !== null) {
        const named = and(eq(templates.channelId, channel.id), eq(templates.name, name))
        // An update may spell the language with a hyphen where the listing has an underscore.
        const record = (await db.select().from(templates).where(named)).find(template =>
          isSameLanguage(template.language, language),
        )
        // Callbacks come in any order: a newer update replaces an older one, and so does a listing that began after it.
        const isListedSince = record && latestMoment(at) < record.updatedAt && record.updatedAt <= recordedAt
        const isStale = record && (at < (record.lastUpdateAt ?? at) || isListedSince)
        if (record && !isStale) {
          // Not later than now: the listing that follows the update knows more.
          const updatedAt = record.status === status ? record.updatedAt : Math.min(latestMoment(at), recordedAt)
          await db.update(templates).set({ status, updatedAt, lastUpdateAt: at }).where(eq(templates.id, record.id))
        }
      }
      return [channel.id]
    },
  } satisfies Partial<StoreWrites>
}

/** `entry.time` is in whole seconds: the latest moment that it may mean. */
const latestMoment = (at: EpochMs): EpochMs => at + 999
