import { and, eq, isNull, lt, type SQL } from 'drizzle-orm'
import type { EpochMs } from '../../src/clock.ts'
import { digestOf } from '../../src/message/forgotten.ts'
import type { Inbound } from '../records.ts'
import { hasWorkspace } from './accounts.ts'
import { identities, lockContacts } from './identities.ts'
import { type Connection, first, jsonRows } from './open.ts'
import { isChannelMessage } from './rows.ts'
import { flowSessions, inboundMessages, lines, messages } from './schema/tables.ts'
import type { Verbs } from './verbs.ts'

/** A reply's time is in whole seconds: a reply in the second of the flow still answers it. */
const replyGranularityMs = 1_000

/** The verb of contacts that people name. It locks the contacts of its workspace, so that it has to be READ COMMITTED. */
export const contactVerbs = (connection: Connection) =>
  ({
    async saveContact(contact) {
      await lockContacts(connection, [contact.workspaceId])
      return (await hasWorkspace(connection.db, contact.workspaceId)) ? identities(connection).save(contact) : null
    },
  }) satisfies Partial<Verbs>

type Batch = Parameters<Verbs['recordInbound']>[0]

/** A line as a callback names it. */
interface NamedLine {
  readonly id: string
  readonly channelId: string
  readonly workspaceId: string
  readonly upstreamPhoneId: string
}

/**
 * Stores what users sent, in a transaction that is READ COMMITTED. The calls of a turn share it: with a transaction for
 * each of them, the lock of a busy workspace would be held for a sync of the disk each time.
 */
export async function recordInbound(connection: Connection, calls: readonly Batch[], keepsContents: boolean) {
  // As the database keeps the texts, because they are compared here with what it has.
  const batches: readonly Batch[] = JSON.parse(jsonRows(calls))
  const named = batches.map(({ channelId }) => channelId)
  await lockContacts(connection, [...(await workspacesOf(connection, named)).values()])
  // Once more: a workspace may have been erased while its lock was waited for.
  const workspaces = await workspacesOf(connection, named)
  const inbox = new Inbox(connection, keepsContents, await linesNamed(connection, batches))
  const stored = await storedOf(connection, batches)
  for (const { channelId, messages: received, recordedAt } of batches) {
    const workspaceId = workspaces.get(channelId)
    if (workspaceId === undefined) throw new Error('recordInbound: the channel does not exist')
    for (const message of received) {
      const key = keyOf({ channelId, channelMessageId: message.channelMessageId })
      // A repeated callback must not restore what is older or erased, or close a flow that was opened later.
      if (stored.has(key)) continue
      stored.add(key)
      await inbox.record({ channelId, workspaceId, recordedAt }, message)
    }
  }
}

/** @returns the workspaces of channels, by the channel's id */
async function workspacesOf({ query }: Connection, channelIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ id: string; workspaceId: string }>(
    'SELECT id, workspace_id AS "workspaceId" FROM channels WHERE id = ANY($1::text[])',
    [channelIds],
  )
  return new Map(rows.map(({ id, workspaceId }) => [id, workspaceId]))
}

const keyOf = ({ channelId, channelMessageId }: { channelId: string; channelMessageId: string }) =>
  `${channelId} ${channelMessageId}`

/** The keys of the messages that are stored already, also of those that are forgotten. */
async function storedOf({ query }: Connection, batches: readonly Batch[]): Promise<Set<string>> {
  const asked = batches.flatMap(({ channelId, messages: received }) =>
    received.flatMap(({ channelMessageId }) =>
      [channelMessageId, digestOf(channelMessageId)].map(storedId => ({ channelId, channelMessageId, storedId })),
    ),
  )
  const rows = await query<{ channelId: string; channelMessageId: string }>(
    `SELECT "channelId", "channelMessageId"
     FROM json_to_recordset($1::text::json) AS asked ("channelId" text, "channelMessageId" text, "storedId" text)
     JOIN inbound_messages ON channel_id = "channelId" AND channel_message_id = "storedId"`,
    [jsonRows(asked)],
  )
  return new Set(rows.map(keyOf))
}

/** The lines with the phone ids that the messages name, in any workspace. */
const linesNamed = ({ query }: Connection, batches: readonly Batch[]) =>
  query<NamedLine>(
    `SELECT id, channel_id AS "channelId", workspace_id AS "workspaceId", upstream_phone_id AS "upstreamPhoneId"
     FROM lines WHERE upstream_phone_id = ANY($1::text[]) AND removed_at IS NULL`,
    [[...new Set(batches.flatMap(({ messages }) => messages.flatMap(({ upstreamPhoneId }) => upstreamPhoneId ?? [])))]],
  )

/** Where and when a message came. */
interface Arrival {
  readonly channelId: string
  readonly workspaceId: string
  readonly recordedAt: EpochMs
}

/** Stores messages of users, and changes the contacts and flows that they tell of. */
class Inbox {
  readonly #connection: Connection
  readonly #keepsContents: boolean
  readonly #lines: readonly NamedLine[]
  readonly #people

  constructor(connection: Connection, keepsContents: boolean, named: readonly NamedLine[]) {
    this.#connection = connection
    this.#keepsContents = keepsContents
    this.#lines = named
    this.#people = identities(connection)
  }

  async record(arrival: Arrival, message: Inbound): Promise<void> {
    const { channelId, recordedAt } = arrival
    const { channelMessageId, kind, at, from, identityChange, upstreamPhoneId, flowReply, content } = message
    const line = this.#lines.find(named => named.channelId === channelId && named.upstreamPhoneId === upstreamPhoneId)
    const isForeign = line === undefined && this.#isLineElsewhere(arrival.workspaceId, upstreamPhoneId)
    const contact = isForeign ? null : await this.#contactOf(arrival, message)
    const formerPhone = identityChange?.formerPhone ?? null
    const isNumberChange = identityChange !== null && from.phone !== formerPhone
    await this.#connection.db.insert(inboundMessages).values({
      channelId,
      channelMessageId,
      contactId: contact?.id ?? null,
      lineId: line?.id ?? null,
      kind,
      at,
      recordedAt,
      phone: identityChange === null || isNumberChange ? from.phone : null,
      formerPhone: isNumberChange ? formerPhone : null,
      content: this.#keepsContents ? content : '{}',
    })
    if (contact) await this.#closeFlow(contact.id, channelId, flowReply, at)
  }

  /**
   * Whether the line belongs only to another workspace: its users are contacts of that workspace. Two workspaces may
   * have connected one account, whose callbacks go to one of them.
   */
  #isLineElsewhere(workspaceId: string, upstreamPhoneId: string | null): boolean {
    const owners = this.#lines.filter(named => named.upstreamPhoneId === upstreamPhoneId)
    return owners.length > 0 && owners.every(owner => owner.workspaceId !== workspaceId)
  }

  /** @returns null when the message names nobody */
  async #contactOf({ workspaceId, recordedAt }: Arrival, { from, identityChange, at }: Inbound) {
    const { newContactId: id, phone, userId, name } = from
    if (phone === null && userId === null) return null
    const person = { id, workspaceId, phone, userId, name, createdAt: recordedAt, updatedAt: recordedAt }
    return identityChange ? this.#people.follow(person, identityChange, at) : this.#people.save(person, at)
  }

  /**
   * Finds the flow by its token; a reply without a token names the message that it answers. The caller chooses the
   * token, and may use it many times, also for one contact. The upstream's message id is unique, so no time is compared
   * for it.
   */
  async #closeFlow(contactId: string, channelId: string, reply: Inbound['flowReply'], at: EpochMs): Promise<void> {
    if (!reply) return
    const { flowToken, openedBy } = reply
    const named = openedBy === null ? null : await this.#flowOpenedBy(channelId, openedBy)
    if (flowToken !== null && named?.flowToken !== flowToken) {
      const before = lt(flowSessions.openedAt, at + replyGranularityMs)
      const byToken = and(eq(flowSessions.contactId, contactId), eq(flowSessions.flowToken, flowToken), before)
      if (await this.#close(byToken, at)) return
    }
    if (named) await this.#close(eq(flowSessions.messageId, named.messageId), at)
  }

  /** @returns whether there was an open one */
  async #close(session: SQL | undefined, at: EpochMs): Promise<boolean> {
    const closed = await this.#connection.db
      .update(flowSessions)
      .set({ closedAt: at, closedBy: 'reply' })
      .where(and(session, isNull(flowSessions.closedAt)))
      .returning({ id: flowSessions.messageId })
    return closed.length > 0
  }

  /** The flow that the message with this upstream id opened. */
  #flowOpenedBy(channelId: string, channelMessageId: string) {
    return first(
      this.#connection.db
        .select({ messageId: flowSessions.messageId, flowToken: flowSessions.flowToken })
        .from(messages)
        .innerJoin(lines, eq(lines.seq, messages.lineSeq))
        .innerJoin(flowSessions, eq(flowSessions.messageId, messages.id))
        .where(and(isChannelMessage(channelMessageId), eq(lines.channelId, channelId)))
        .limit(1),
    )
  }
}
