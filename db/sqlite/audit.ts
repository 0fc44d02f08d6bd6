import { asc, desc, inArray } from 'drizzle-orm'
import type { EpochMs } from '../../src/clock.ts'
import type { AuditOrigin } from '../queries.ts'
import { auditEntries } from '../schema/audit.ts'
import type { StoreWrites } from '../store.ts'
import type { Connection } from './open.ts'
import type { Verbs } from './verbs.ts'

/** Who makes a change, and when: it travels with the verb's argument. */
interface Origin extends AuditOrigin {
  readonly at: EpochMs
}

/**
 * @returns the action, its subject, and the workspace where the subject does not tell it; null where nothing was changed
 */
type Rule<Verb extends keyof Verbs> = (
  argument: Parameters<Verbs[Verb]>[0],
  result: ReturnType<Verbs[Verb]>,
) => readonly [action: string, subject: string, workspaceId?: string] | null

/** The rule of each verb; null for work of the gateway that no person asks for. A new verb needs its line here. */
const rules: { readonly [Verb in keyof Verbs]: Rule<Verb> | null } = {
  noteAction: ({ action, subject }) => [action, subject],
  createWorkspace: ({ id }) => ['workspace.create', id],
  setMonthlyLimit: ({ workspaceId }, changed) => changed && ['workspace.set-limit', workspaceId],
  connectChannel: (_, channel) => channel && ['channel.connect', channel.id],
  setAppId: ({ channelId }, channel) => channel && ['channel.set-app-id', channelId],
  replaceSecret: ({ channelId, secret }, channel) => channel && [`channel.replace-${secret}`, channelId],
  replaceSecrets: ({ channels }) => ['secrets.replace', `${channels.length} channels`],
  rotateSecrets: ({ channels }, isDone) => (isDone ? ['secrets.rotate', `${channels.length} channels`] : null),
  disconnectChannel: ({ channelId }, { outcome }) => (outcome === 'removed' ? ['channel.disconnect', channelId] : null),
  addLine: (_, added) => (added.outcome === 'added' ? ['line.add', added.line.id] : null),
  changeLine: ({ lineId, active }, changed) =>
    changed && [active === undefined ? 'line.set-rate' : active ? 'line.activate' : 'line.deactivate', lineId],
  setDefaultLine: ({ lineId, isDefault }, { outcome }) =>
    outcome === 'changed' ? [isDefault ? 'line.default' : 'line.no-default', lineId] : null,
  removeLine: ({ lineId }, { outcome }) => (outcome === 'removed' ? ['line.remove', lineId] : null),
  closeWorkspace: ({ workspaceId }, { outcome }) => (outcome === 'removed' ? ['workspace.remove', workspaceId] : null),
  forgetContact: ({ contactId }, { outcome }) => (outcome === 'removed' ? ['contact.forget', contactId] : null),
  createKey: (_, key) => key && ['key.create', key.id],
  rotateKey: ({ keyId }, { outcome }) => (outcome === 'rotated' ? ['key.rotate', keyId] : null),
  limitKey: (_, key) => key && ['key.limit', key.id],
  revokeKey: (_, key) => key && ['key.revoke', key.id],
  createUser: (_, created) => (created.outcome === 'created' ? ['user.create', created.user.id] : null),
  addMember: ({ workspaceId }, added) =>
    added.outcome === 'added' ? ['member.add', added.member.id, workspaceId] : null,
  resetPassword: (_, user) => user && ['user.reset-password', user.id],
  offerSetup: (_, isOffered) => (isOffered ? ['user.offer-setup', 'database'] : null),
  setUp: (_, done) => (done.outcome === 'done' ? ['user.set-up', done.user.id] : null),
  foundWorkspace: ({ id }, founded) => founded && ['workspace.create', id],
  invite: (_, invited) => (invited.outcome === 'invited' ? ['member.invite', invited.invitation.id] : null),
  withdrawInvitation: ({ invitationId }, isDone) => (isDone ? ['member.withdraw-invitation', invitationId] : null),
  acceptInvitation: (_, accepted) => (accepted.outcome === 'joined' ? ['member.join', accepted.member.id] : null),
  changeRole: ({ userId, role }, { outcome }) => (outcome === 'changed' ? [`member.make-${role}`, userId] : null),
  removeMember: ({ userId }, { outcome }) => (outcome === 'changed' ? ['member.remove', userId] : null),
  changePassword: ({ userId }, ended) => (ended === null ? null : ['user.change-password', userId]),
  renameUser: (_, user) => user && ['user.rename', user.id],
  startTotp: null,
  confirmTotp: (_, user) => user && ['user.add-second-factor', user.id],
  consumeTotp: null,
  consumeRecoveryCode: ({ userId }, left) => (left === null ? null : ['user.use-recovery-code', userId]),
  replaceRecoveryCodes: (_, user) => user && ['user.replace-recovery-codes', user.id],
  endTotp: (_, user) => user && ['user.remove-second-factor', user.id],
  openSession: (_, session) => session && ['session.start', session.userId],
  refreshSession: (_, refresh) => (refresh.outcome === 'reused' ? ['session.reused', refresh.userId] : null),
  endSession: (_, user) => user && ['session.end', user.id],
  endSessions: ({ userId, keep }) => [keep === null ? 'session.end-all' : 'session.end-others', userId],
  replaceTemplates: ({ channelId }) => ['template.sync', channelId],
  recordTemplate: ({ action }, template) => template && [`template.${action}`, template.id],
  recordDeletion: ({ templateId }) => ['template.delete', templateId],
  saveContact: (_, contact) => contact && ['contact.add', contact.id],
  recordEvent: ({ messageId, event }, message) =>
    message && event.kind === 'resolved' ? ['message.resolve', messageId] : null,

  claimProperty: null,
  putProperty: null,
  // The rest of workspace.remove and contact.forget.
  pruneSessions: null,
  eraseWorkspace: null,
  forgetMessages: null,
  forgetInbound: null,
  recordKeyUse: null,
  acceptMessage: null,
  clearMessages: null,
  deferMessages: null,
  applyReports: null,
  recordInbound: null,
  applyTemplateUpdate: null,
  noteCallback: null,
  rememberMedia: null,
  forgetMedia: null,
  markInterrupted: null,
  abandonUnknown: null,
  countRequests: null,
  pruneIdempotencyKeys: null,
  pruneRateWindows: null,
  pruneParkedReports: null,
  pruneDailyCounts: null,
  pruneMedia: null,
  pruneMessages: null,
  pruneContents: null,
  pruneInboundContents: null,
  pruneInbound: null,
  keepUpdates: null,
  pruneAudit: null,
}

const verbsWithRule = (Object.keys(rules) as (keyof Verbs)[]).filter(verb => rules[verb] !== null)

type AnyVerb = (argument: unknown) => unknown

/** @returns the same verbs with the name of the person who asks, which the audit keeps with each change */
export function auditedWrites(writes: StoreWrites, origin: () => Origin): StoreWrites {
  const audited = verbsWithRule.map(verb => {
    const run = writes[verb] as AnyVerb
    return [verb, (argument: object) => run({ ...argument, origin: origin() })] as const
  })
  // Each verb gets one more argument, which withAudit removes again.
  return { ...writes, ...(Object.fromEntries(audited) as Partial<StoreWrites>) }
}

/** @returns the writer's verbs, which write the audit entry in the transaction of the change */
export function withAudit({ client, db }: Connection, verbs: Verbs): Verbs {
  const workspaceOf = findWorkspaceOf(client)
  const audited = verbsWithRule.map(verb => {
    const run = verbs[verb] as AnyVerb
    const rule = rules[verb] as (argument: unknown, result: unknown) => ReturnType<Rule<keyof Verbs>>
    const runAudited = (given: { readonly origin?: Origin }) => {
      if (given.origin === undefined) return run(given)
      const { origin, ...argument } = given
      const result = run(argument)
      const entry = rule(argument, result)
      if (entry) {
        const [action, subject, where] = entry
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

/** Where the workspace of a changed thing stands, by the prefix of the thing's id. */
const ownersByPrefix: Readonly<Record<string, string>> = {
  ws: '$id',
  pk: '(SELECT workspace_id FROM api_keys WHERE id = $id)',
  chan: '(SELECT workspace_id FROM channels WHERE id = $id)',
  line: '(SELECT workspace_id FROM lines WHERE id = $id)',
  contact: '(SELECT workspace_id FROM contacts WHERE id = $id)',
  msg: '(SELECT workspace_id FROM messages WHERE id = $id)',
  // Of a user who is a member of one workspace. A user of several belongs to none of them.
  user: '(SELECT min(workspace_id) FROM memberships WHERE user_id = $id HAVING count(*) = 1)',
}

/** @returns the workspace that the id of a changed thing belongs to; null when it is none, or when it is not known */
function findWorkspaceOf(client: Connection['client']): (subject: string) => string | null {
  const statements = new Map(
    Object.entries(ownersByPrefix).map(([prefix, owner]) => [
      prefix,
      client.query<{ owner: string | null }, [{ id: string }]>(`SELECT ${owner} AS owner`),
    ]),
  )
  return subject => statements.get(subject.slice(0, subject.indexOf('_')))?.get({ id: subject })?.owner ?? null
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
