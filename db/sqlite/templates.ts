import { and, eq, notInArray, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/clock.ts'
import { isSameLanguage } from '../../src/message/language.ts'
import type { Connection } from './open.ts'
import { isChannelThere } from './rows.ts'
import { channels, templates } from './schema.ts'
import type { Verbs } from './verbs.ts'

/** The verbs of templates: what the listing says, and what callbacks add between two listings. */
export function templateVerbs({ db }: Connection) {
  return {
    replaceTemplates({ channelId, templates: listed, at, isPartial = false, recordedAt }) {
      // An update that came while the listing was read is newer than it. What is dated later than now is of a clock that was
      // ahead, and gives way.
      const isOlder = sql`(${templates.updatedAt} <= ${at} OR ${templates.updatedAt} > ${recordedAt})`
      for (const template of listed) {
        const { upstreamId, category, status, parameterFormat, components, rejectedReason = null } = template
        db.insert(templates)
          .values(template)
          .onConflictDoUpdate({
            target: [templates.channelId, templates.name, templates.language],
            set: {
              upstreamId,
              category,
              status,
              parameterFormat,
              components,
              rejectedReason,
              updatedAt: at,
              lastUpdateAt: null,
            },
            // An unchanged record keeps its time: `updatedAt` tells when something changed, not when we last looked.
            setWhere: sql`${isOlder} AND (${templates.upstreamId}, ${templates.category}, ${templates.status}, ${templates.parameterFormat}, ${templates.components}, ${templates.rejectedReason})
              IS NOT (${upstreamId}, ${category}, ${status}, ${parameterFormat}, ${components}, ${rejectedReason})`,
          })
          .run()
      }
      if (isPartial) return
      const stillListed = listed.map(({ name, language }) => `${name}/${language}`)
      db.update(templates)
        .set({ status: 'DELETED', updatedAt: at, lastUpdateAt: null })
        .where(
          and(
            eq(templates.channelId, channelId),
            sql`${templates.status} <> 'DELETED'`,
            isOlder,
            notInArray(sql`${templates.name} || '/' || ${templates.language}`, stillListed),
          ),
        )
        .run()
    },

    recordTemplate({ template }) {
      const channel = and(eq(channels.id, template.channelId), isChannelThere)
      if (!db.select({ id: channels.id }).from(channels).where(channel).limit(1).get()) return null
      const { id: _, channelId: _channel, name: _name, language: _language, ...changed } = template
      return db
        .insert(templates)
        .values(template)
        .onConflictDoUpdate({
          target: [templates.channelId, templates.name, templates.language],
          set: { ...changed, rejectedReason: template.rejectedReason ?? null },
        })
        .returning()
        .get()
    },

    recordDeletion({ channelId, name, language, at }) {
      db.update(templates)
        .set({ status: 'DELETED', updatedAt: at, lastUpdateAt: null })
        .where(
          and(
            eq(templates.channelId, channelId),
            eq(templates.name, name),
            language === null ? undefined : eq(templates.language, language),
          ),
        )
        .run()
    },

    applyTemplateUpdate({ channelId, accountId, name, language, status, at, recordedAt }) {
      const proven = db.select().from(channels).where(eq(channels.id, channelId)).limit(1).get()
      if (!proven) return []
      const channel = db
        .select({ id: channels.id })
        .from(channels)
        .where(and(eq(channels.workspaceId, proven.workspaceId), eq(channels.accountId, accountId), isChannelThere))
        .limit(1)
        .get()
      if (!channel) return []
      if (status !== null) {
        // An update may spell the language with a hyphen where the listing has an underscore.
        const record = db
          .select()
          .from(templates)
          .where(and(eq(templates.channelId, channel.id), eq(templates.name, name)))
          .all()
          .find(template => isSameLanguage(template.language, language))
        // Callbacks come in any order: an update gives way to a younger one, and to a listing that was begun after it.
        const isListedSince = record && latestMoment(at) < record.updatedAt && record.updatedAt <= recordedAt
        const isStale = record && (at < (record.lastUpdateAt ?? at) || isListedSince)
        if (record && !isStale) {
          // Not later than now: the listing that follows the update knows more.
          const updatedAt = record.status === status ? record.updatedAt : Math.min(latestMoment(at), recordedAt)
          db.update(templates).set({ status, updatedAt, lastUpdateAt: at }).where(eq(templates.id, record.id)).run()
        }
      }
      return [channel.id]
    },
  } satisfies Partial<Verbs>
}

/** `entry.time` is in whole seconds: the latest moment that it may mean. */
const latestMoment = (at: EpochMs): EpochMs => at + 999
