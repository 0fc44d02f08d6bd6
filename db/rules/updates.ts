import { and, asc, desc, eq, like, sql } from 'drizzle-orm'
import type { EpochMs } from '../../src/base/clock.ts'
import type { Details } from '../../src/base/errors.ts'
import { type EventType, reportedType } from '../../src/base/eventTypes.ts'
import { field, text } from '../../src/base/json.ts'
import { ownMarketingKind } from '../../src/message/kinds.ts'
import { isSameLanguage } from '../../src/message/language.ts'
import { eventAbout, type NewEvent } from '../contract/events.ts'
import type { Contact } from '../contract/records.ts'
import type { StoreWrites } from '../contract/store.ts'
import type { ToldUpdate } from '../contract/updates.ts'
import { type Engine, first } from './engine.ts'
import { identities, toldContact } from './identities.ts'
import { shownTemplate } from './templates.ts'
import { webhookColumns } from './webhookReads.ts'

/** Kinds of updates that are kept of one subject. Some forty are known of an account. */
const kindsMax = 100

/** The verbs of the upstream's updates that concern no message: opt-outs, restrictions, quality. */
export function updateVerbs(engine: Engine) {
  const {
    db,
    tables: { channels, lines, templates, upstreamUpdates, webhookEndpoints },
    conditions: { isChannelThere, isLineThere },
  } = engine
  const people = identities(engine)
  const isIt = (subject: string, kind: string) =>
    and(eq(upstreamUpdates.subject, subject), eq(upstreamUpdates.kind, kind))

  /** @returns what an update is about, with what its event shows of it; null when it is unknown here */
  async function subjectOf(
    channelId: string,
    workspaceId: string,
    about: ToldUpdate['about'],
    news: News,
  ): Promise<Subject | null> {
    switch (about.of) {
      case 'account':
        return { of: 'account', id: channelId, shown: { channel: { id: channelId }, line: null } }
      case 'line': {
        const isLine = and(eq(lines.channelId, channelId), eq(lines.number, about.number), isLineThere)
        const columns = { id: lines.id, number: lines.number }
        const line = await first(db.select(columns).from(lines).where(isLine).orderBy(asc(lines.id)))
        return line && { of: 'line', id: line.id, shown: { channel: { id: channelId }, line } }
      }
      case 'namedLine': {
        const isLine = and(eq(lines.upstreamPhoneId, about.upstreamPhoneId), isLineThere)
        const { number } = (await first(db.select().from(lines).where(isLine))) ?? {}
        const line = number === undefined ? null : await subjectOf(channelId, workspaceId, { of: 'line', number }, news)
        return line ?? subjectOf(channelId, workspaceId, { of: 'account' }, news)
      }
      case 'template': {
        const named = and(eq(templates.channelId, channelId), eq(templates.name, about.name))
        const found = await db.select(shownTemplate(templates)).from(templates).where(named)
        const template = found.find(({ language }) => isSameLanguage(language, about.language))
        return template ? { of: 'template', id: template.id, shown: { template } } : null
      }
      case 'contact': {
        const contact = await contactOf(workspaceId, about, news)
        return contact && { of: 'contact', id: contact.id, shown: { contact: toldContact(contact) } }
      }
    }
  }

  /**
   * A number and a user id that are told together are of one person, as in a message: whom two contacts may have been
   * so far, whose number was another user's, or who was only ever written to and is no contact yet. So an opt-out is
   * neither lost nor a stranger's.
   */
  async function contactOf(
    workspaceId: string,
    { of: _, newContactId: id, ...person }: Extract<ToldUpdate['about'], { of: 'contact' }>,
    { at, recordedAt, told }: News,
  ): Promise<Contact | null> {
    if (person.phone === null && person.userId === null) return null
    const times = { createdAt: recordedAt, updatedAt: recordedAt }
    return people.save({ id, workspaceId, ...person, ...times }, at, told, 'word')
  }

  async function isAskedFor(workspaceId: string): Promise<boolean> {
    const { id, types } = webhookEndpoints
    const names = like(sql`${types}`, `%"${reportedType}"%`)
    const asking = and(eq(webhookEndpoints.workspaceId, workspaceId), webhookColumns(engine).isOn, names)
    return (await first(db.select({ id }).from(webhookEndpoints).where(asking))) !== null
  }

  /** The upstream, and who holds the secret of its app, may name any number of kinds. */
  async function forgetOldest(subject: string) {
    const { kind, at } = upstreamUpdates
    const isOf = eq(upstreamUpdates.subject, subject)
    const known = await db.select({ kind }).from(upstreamUpdates).where(isOf).orderBy(desc(at), asc(kind))
    // What was said here is not the upstream's to push out.
    const told = known.filter(one => one.kind !== ownMarketingKind)
    for (const old of told.slice(kindsMax)) await db.delete(upstreamUpdates).where(isIt(subject, old.kind))
  }

  return {
    async keepUpdates({ channelId, updates, recordedAt }) {
      const proven = await first(db.select().from(channels).where(eq(channels.id, channelId)))
      if (!proven) return 0
      const { workspaceId } = proven
      // Without the lock, a merge of the contact could lose its opt-out, and a callback that comes to two instances at
      // once would give two events, for every kind of update.
      await engine.lockContacts([workspaceId])
      let kept = 0
      const told: NewEvent[] = []
      for (const { accountId, about, kind, at, detail, callback } of engine.asKept(updates)) {
        const isNamed = accountId === null ? eq(channels.id, channelId) : eq(channels.accountId, accountId)
        const isAccount = and(eq(channels.workspaceId, workspaceId), isNamed)
        const ours = db.select({ id: channels.id }).from(channels).where(and(isAccount, isChannelThere))
        const channel = await first(ours)
        const subject = channel && (await subjectOf(channel.id, workspaceId, about, { at, recordedAt, told }))
        const tell = async (id: string | null, { type, data }: ReturnType<typeof shownOf>) => {
          if (type === reportedType && !(await isAskedFor(workspaceId))) return
          told.push(eventAbout(id, { workspaceId, type, at, recordedAt, data: { ...data, callback } }))
        }
        if (!subject) {
          // It may have been made a moment ago, and the listing is read once a minute.
          if (channel && about.of === 'template' && kind !== templateQualityKind)
            await tell(null, shownOf({ of: 'template', shown: {} }, kind, detail))
          continue
        }
        const row = { at, recordedAt, detail: JSON.stringify(detail) }
        const last = await first(db.select().from(upstreamUpdates).where(isIt(subject.id, kind)))
        await db
          .insert(upstreamUpdates)
          .values({ subject: subject.id, kind, ...row })
          .onConflictDoUpdate({
            target: [upstreamUpdates.subject, upstreamUpdates.kind],
            set: row,
            // Callbacks come in any order: the upstream's latest update stays.
            setWhere: sql`${upstreamUpdates.at} <= ${at}`,
          })
        kept += 1
        if (!last) await forgetOldest(subject.id)
        // A repeated callback, and one that a later word has replaced, tell nothing.
        const isNew = !last || last.at < at || (last.at === at && last.detail !== row.detail)
        if (isNew) await tell(subject.id, shownOf(subject, kind, detail))
      }
      await engine.tell(told)
      return kept
    },
  } satisfies Partial<StoreWrites>
}

/** When the upstream told an update, and the events that follow from it. */
interface News {
  readonly at: EpochMs
  readonly recordedAt: EpochMs
  readonly told: NewEvent[]
}

interface Subject {
  readonly of: Exclude<ToldUpdate['about']['of'], 'namedLine'>
  readonly id: string
  /** What its event shows of it. */
  readonly shown: Details
}

/** @returns the event that an update is */
function shownOf(
  { of, shown }: Omit<Subject, 'id'>,
  kind: string,
  detail: Details,
): { type: EventType; data: Details } {
  switch (of) {
    case 'account':
    case 'line':
      return { type: 'channel.alert', data: { ...shown, alert: { kind, detail } } }
    case 'contact': {
      const [category, value, words] = ['category', 'value', 'detail'].map(name => text(field(detail, name)))
      const preference = { category, value, detail: words }
      return { type: 'contact.preference_changed', data: { ...shown, preference } }
    }
    case 'template': {
      if (kind !== templateQualityKind) return { type: reportedType, data: { ...shown, report: { kind, detail } } }
      const [previous, current] = ['previous_quality_score', 'new_quality_score'].map(name => text(field(detail, name)))
      return { type: 'template.quality_changed', data: { ...shown, quality: { previous, current } } }
    }
  }
}

/** The upstream's name of the callback. */
const templateQualityKind = 'message_template_quality_update'
