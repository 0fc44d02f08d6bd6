import { and, eq } from 'drizzle-orm'
import type { StoreWrites } from '../contract/store.ts'
import type { AuditedChanges, AuditedValue } from '../schema/audit.ts'
import { type Engine, first } from './engine.ts'

type Values = Readonly<Record<string, unknown>>
type Reader<Verb extends keyof StoreWrites> = (argument: Parameters<StoreWrites[Verb]>[0]) => Promise<Values | null>

/** What the audit keeps of a change with its old and new value, by verb: nothing that may be a secret. */
const readersOf = ({
  db,
  tables: { apiKeys, channels, contacts, lines, memberships, users, webhookEndpoints, workspaces },
}: Engine) =>
  ({
    renameWorkspace: ({ workspaceId }) =>
      first(db.select({ name: workspaces.name }).from(workspaces).where(eq(workspaces.id, workspaceId))),
    setDeletedMessages({ workspaceId }) {
      const fields = { deletedMessages: workspaces.deletedMessages }
      return first(db.select(fields).from(workspaces).where(eq(workspaces.id, workspaceId)))
    },
    async setQuietHours({ workspaceId }) {
      const { quietHours } = workspaces
      const set = await first(db.select({ quietHours }).from(workspaces).where(eq(workspaces.id, workspaceId)))
      return set && { quietHours: set.quietHours && JSON.stringify(set.quietHours) }
    },
    setOptOuts({ workspaceId }) {
      const { onOptOut, stopWords, startWords, optOutAnswer } = workspaces
      const fields = { onOptOut, stopWords, startWords, optOutAnswer }
      return first(db.select(fields).from(workspaces).where(eq(workspaces.id, workspaceId)))
    },
    setMonthlyLimit({ workspaceId }) {
      const fields = { monthlyMessageLimit: workspaces.monthlyMessageLimit }
      return first(db.select(fields).from(workspaces).where(eq(workspaces.id, workspaceId)))
    },
    setMonthlyCeiling({ workspaceId }) {
      const fields = { monthlyCeiling: workspaces.monthlyCeiling }
      return first(db.select(fields).from(workspaces).where(eq(workspaces.id, workspaceId)))
    },
    setAppId: ({ channelId }) =>
      first(db.select({ appId: channels.appId }).from(channels).where(eq(channels.id, channelId))),
    changeLine({ lineId }) {
      const { perSecond, pairSeconds, label } = lines
      return first(db.select({ perSecond, pairSeconds, label }).from(lines).where(eq(lines.id, lineId)))
    },
    takeConversation: ({ contactId }) =>
      first(
        db
          .select({ takenBy: users.email })
          .from(contacts)
          .leftJoin(users, eq(users.id, contacts.takenBy))
          .where(eq(contacts.id, contactId)),
      ),
    limitKey({ keyId }) {
      const { expiresAt, allowedNetworks, onOptOut } = apiKeys
      return first(db.select({ expiresAt, allowedNetworks, onOptOut }).from(apiKeys).where(eq(apiKeys.id, keyId)))
    },
    changeRole({ workspaceId, userId }) {
      const isMember = and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, userId))
      return first(db.select({ role: memberships.role }).from(memberships).where(isMember))
    },
    changeWebhook({ endpointId }) {
      const { url, description, types, lineIds } = webhookEndpoints
      const fields = { url, description, types, lineIds }
      return first(db.select(fields).from(webhookEndpoints).where(eq(webhookEndpoints.id, endpointId)))
    },
  }) satisfies { readonly [Verb in keyof StoreWrites]?: Reader<Verb> }

/** A list of a change may have some hundred values; an entry is read by people. */
const textMax = 500

/** @returns reads the values of what a verb is about to change; null when it keeps none of this verb */
export function valuesReader(
  engine: Engine,
  verb: keyof StoreWrites,
): ((argument: unknown) => Promise<Values | null>) | null {
  const readers = readersOf(engine)
  return verb in readers
    ? (readers[verb as keyof typeof readers] as (argument: unknown) => Promise<Values | null>)
    : null
}

/** @returns the fields that have another value now; null when there are none */
export function changesBetween(before: Values | null, after: Values | null): AuditedChanges | null {
  if (!before || !after) return null
  const changed = Object.keys(after).flatMap(field => {
    const [from, to] = [shown(before[field]), shown(after[field])]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [[field, [from, to]] as const]
  })
  return changed.length === 0 ? null : Object.fromEntries(changed)
}

function shown(value: unknown): AuditedValue {
  if (value === null || typeof value === 'number') return value
  return (Array.isArray(value) ? value.join(', ') : String(value)).slice(0, textMax)
}
