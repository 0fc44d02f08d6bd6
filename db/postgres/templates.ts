import { and, eq } from 'drizzle-orm'
import type { EpochMs } from '../../src/clock.ts'
import { isSameLanguage } from '../../src/message/language.ts'
import { type Connection, first, jsonRows } from './open.ts'
import { isChannelThere } from './rows.ts'
import { channels, templates } from './schema/tables.ts'
import type { Verbs } from './verbs.ts'

/** The columns that a listing gives, by its fields. A listing has thousands of templates: they are one statement. */
const listed = `json_to_recordset($1::text::json) AS listed (id text, "channelId" text, "upstreamId" text, name text,
  language text, category text, status text, "parameterFormat" text, components text, "rejectedReason" text,
  "updatedAt" bigint, "lastUpdateAt" bigint)`

/** The verbs of templates: what the listing says, and what callbacks add between two listings. */
export function templateVerbs({ query, db }: Connection) {
  return {
    async replaceTemplates({ channelId, templates: listing, at, isPartial = false, recordedAt }) {
      // One statement changes a row once: of a record that is listed twice, the last counts.
      const byName = new Map(listing.map(template => [`${template.name}/${template.language}`, template]))
      const rows = jsonRows([...byName.values()])
      // An update that came while the listing was read is newer than it. What is dated later than now is of a clock that was
      // ahead, and gives way.
      const isOlder = '(templates.updated_at <= $2 OR templates.updated_at > $3)'
      // An unchanged record keeps its time: `updatedAt` tells when something changed, not when we last looked.
      await query(
        `INSERT INTO templates (id, channel_id, upstream_id, name, language, category, status, parameter_format,
           components, rejected_reason, updated_at, last_update_at)
         SELECT * FROM ${listed}
         ON CONFLICT (channel_id, name, language) DO UPDATE SET upstream_id = excluded.upstream_id,
           category = excluded.category, status = excluded.status, parameter_format = excluded.parameter_format,
           components = excluded.components, rejected_reason = excluded.rejected_reason,
           updated_at = $2, last_update_at = NULL
         WHERE ${isOlder} AND (templates.upstream_id, templates.category, templates.status,
           templates.parameter_format, templates.components, templates.rejected_reason)
           IS DISTINCT FROM (excluded.upstream_id, excluded.category, excluded.status,
           excluded.parameter_format, excluded.components, excluded.rejected_reason)`,
        [rows, at, recordedAt],
      )
      if (isPartial) return
      await query(
        `UPDATE templates SET status = 'DELETED', updated_at = $2, last_update_at = NULL
         WHERE channel_id = $4 AND status <> 'DELETED' AND ${isOlder} AND NOT EXISTS (
           SELECT FROM ${listed} WHERE listed.name = templates.name AND listed.language = templates.language)`,
        [rows, at, recordedAt, channelId],
      )
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
        // Callbacks come in any order: an update gives way to a younger one, and to a listing that was begun after it.
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
  } satisfies Partial<Verbs>
}

/** `entry.time` is in whole seconds: the latest moment that it may mean. */
const latestMoment = (at: EpochMs): EpochMs => at + 999
