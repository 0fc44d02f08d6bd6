import type { EpochMs } from '../../src/base/clock.ts'
import { isCancelled } from '../../src/message/statuses.ts'
import type { Author } from '../contract/queries.ts'
import type { GatewayWrites, StoreWrites } from '../contract/store.ts'
import type { AuditedChanges } from '../schema/audit.ts'

/** The author and the time of a change, passed with the verb's argument. */
export interface Authorship extends Author {
  readonly at: EpochMs
}

/** The action and its subject, the workspace where the subject does not imply it, and values that the caller knows. */
type Act = readonly [
  action: `${string}.${string}`,
  subject: string,
  workspaceId?: string | undefined,
  changes?: AuditedChanges | undefined,
]

/** @returns null where nothing was changed */
type Rule<Verb extends keyof StoreWrites> = (
  argument: Parameters<StoreWrites[Verb]>[0],
  result: Awaited<ReturnType<StoreWrites[Verb]>>,
) => Act | null

/** The verbs that people ask for, and with them some of the gateway's own work. */
type AskedVerb = Exclude<keyof StoreWrites, keyof GatewayWrites>

/** The rule of each verb; null for work that no person asks for. A new verb of people needs its line here. */
const rules = {
  noteAction: ({ action, subject, changes }) => [action, subject, undefined, changes],
  createWorkspace: ({ id }) => ['workspace.create', id],
  renameWorkspace: ({ workspaceId }, changed) => changed && ['workspace.rename', workspaceId],
  setMonthlyLimit: ({ workspaceId }, { outcome }) =>
    outcome === 'changed' ? ['workspace.set-limit', workspaceId] : null,
  setMonthlyCeiling: ({ workspaceId }, changed) => changed && ['workspace.set-ceiling', workspaceId],
  setDeletedMessages: ({ workspaceId }, changed) => changed && ['workspace.set-deleted', workspaceId],
  setQuietHours: ({ workspaceId }, changed) => changed && ['workspace.set-quiet-hours', workspaceId],
  setOptOuts: ({ workspaceId }, changed) => changed && ['workspace.set-opt-outs', workspaceId],
  setWish: ({ value }, said) =>
    said?.isChanged ? [value === 'stop' ? 'contact.opt-out' : 'contact.opt-in', said.contact.id] : null,
  setPriceRates: ({ workspaceId, rates }, isThere) =>
    isThere ? [rates === null ? 'workspace.remove-rates' : 'workspace.set-rates', workspaceId] : null,
  putAwayFinding: ({ workspaceId }) => ['workspace.put-away', workspaceId],
  bringBackFinding: ({ workspaceId }) => ['workspace.bring-back', workspaceId],
  connectChannel: (_, channel) => channel && ['channel.connect', channel.id],
  setAppId: ({ channelId }, channel) => channel && ['channel.set-app-id', channelId],
  replaceSecret: ({ channelId, secret }, channel) => channel && [`channel.replace-${secret}`, channelId],
  replaceSecrets: ({ channels }) => ['secrets.replace', `${channels.length} channels`],
  rotateSecrets: ({ channels }, isDone) => (isDone ? ['secrets.rotate', `${channels.length} channels`] : null),
  disconnectChannel: ({ channelId }, { outcome }) => (outcome === 'removed' ? ['channel.disconnect', channelId] : null),
  addLine: (_, added) => (added.outcome === 'added' ? ['line.add', added.line.id] : null),
  changeLine: ({ lineId, active, directSend, label }, changed) => {
    if (!changed) return null
    // Of several changes at once, what decides whether anything is sent: a name and a pace are told by their values.
    if (active !== undefined) return [active ? 'line.activate' : 'line.deactivate', lineId]
    if (directSend !== undefined) return [directSend ? 'line.allow-direct-send' : 'line.forbid-direct-send', lineId]
    if (label !== undefined) return [label === null ? 'line.remove-label' : 'line.label', lineId]
    return ['line.set-rate', lineId]
  },
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
  resetPassword: (_, user) => user && ['user.reset-password', user.id],
  offerSetup: (_, isOffered) => (isOffered ? ['user.offer-setup', 'database'] : null),
  setUp: (_, done) => (done.outcome === 'done' ? ['user.set-up', done.user.id] : null),
  foundWorkspace: ({ id }, { outcome }) => (outcome === 'founded' ? ['workspace.create', id] : null),
  // An invitation has no row once it ends: the entry says whom it was for.
  invite: (_, invited) =>
    invited.outcome === 'invited'
      ? ['member.invite', invited.invitation.id, undefined, { email: [null, invited.invitation.email] }]
      : null,
  inviteUser: ({ workspaceId, isReset }, invited) => {
    if (invited.outcome !== 'invited') return null
    return isReset
      ? ['user.reset', invited.user.id, workspaceId]
      : ['member.invite', invited.invitation.id, workspaceId, { email: [null, invited.invitation.email] }]
  },
  withdrawInvitation: ({ invitationId }, ended) =>
    ended.outcome === 'withdrawn'
      ? ['member.withdraw-invitation', invitationId, undefined, { email: [ended.email, null] }]
      : null,
  acceptInvitation: (_, accepted) => (accepted.outcome === 'joined' ? ['member.join', accepted.member.id] : null),
  changeRole: ({ userId, role }, { outcome }) => (outcome === 'changed' ? [`member.make-${role}`, userId] : null),
  removeMember: ({ userId }, removed) =>
    removed.outcome === 'changed'
      ? ['member.remove', userId, undefined, { email: [removed.member.email, null] }]
      : null,
  changePassword: ({ userId }, ended) => (ended === null ? null : ['user.change-password', userId]),
  renameUser: (_, user) => user && ['user.rename', user.id],
  choosePreferences: null,
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
  addWebhook: (_, added) => (added.outcome === 'added' ? ['webhook.add', added.webhook.id] : null),
  changeWebhook: ({ endpointId, isOn }, { outcome }) =>
    outcome === 'changed'
      ? [isOn === undefined ? 'webhook.change' : isOn ? 'webhook.enable' : 'webhook.disable', endpointId]
      : null,
  replaceWebhookSecrets: ({ endpointId }, isReplaced) => (isReplaced ? ['webhook.rotate', endpointId] : null),
  removeWebhook: (_, removed) =>
    removed && ['webhook.remove', removed.id, undefined, { description: [removed.description ?? removed.url, null] }],
  // Its first step stands for all.
  replayWebhook: ({ endpointId, after }, { due }) =>
    after === null && due > 0 ? ['webhook.replay', endpointId] : null,
  createBatch: (_, created) => (created.outcome === 'created' ? ['batch.create', created.batch.id] : null),
  addBatchItems: null,
  moveBatch: ({ batchId, event }, { outcome }) =>
    outcome === 'moved' && event !== 'finish' ? [`batch.${event}`, batchId] : null,
  cancelBatchItem: ({ batchId }, outcome) => (outcome === 'cancelled' ? ['batch.leave-out', batchId] : null),
  retryBatchItems: ({ batchId, isFirst }, count) => (isFirst && count > 0 ? ['batch.retry', batchId] : null),
  finishConversation: ({ contactId }, isChanged) => (isChanged ? ['conversation.finish', contactId] : null),
  reopenConversation: ({ contactId }, isChanged) => (isChanged ? ['conversation.reopen', contactId] : null),
  takeConversation({ contactId, takenBy, byUserId }, outcome) {
    if (outcome !== 'changed') return null
    if (takenBy === null) return ['conversation.give-back', contactId]
    return [takenBy === byUserId ? 'conversation.take' : 'conversation.give', contactId]
  },
  keepBlocked: ({ contactId, isBlocked }, isChanged) =>
    isChanged ? [isBlocked ? 'contact.block' : 'contact.unblock', contactId] : null,
  saveContact: ({ id, ifNew }, contact) =>
    contact && (!ifNew || contact.id === id) ? ['contact.add', contact.id] : null,
  renameContact: (_, contact) => contact && ['contact.rename', contact.id],
  rescheduleMessage: ({ messageId, dueAt }, message) =>
    message?.dueAt === dueAt ? ['message.reschedule', messageId] : null,
  recordEvent({ messageId, event }, message) {
    if (!message) return null
    if (event.kind === 'cancelled') return isCancelled(message.status) ? ['message.cancel', messageId] : null
    return event.kind === 'resolved' ? ['message.resolve', messageId] : null
  },

  // The rest of workspace.remove and contact.forget.
  pruneSessions: null,
  eraseWorkspace: null,
  eraseContact: null,
  applyTemplateUpdate: null,
} satisfies { readonly [Verb in AskedVerb]: Rule<Verb> | null }

/** Every action that an entry may have: what the rules above give. The console has a sentence for each. */
export type AuditAction = NonNullable<ReturnType<Exclude<(typeof rules)[AskedVerb], null>>>[0]

/** The verbs that the audit has rules for. */
export const auditedVerbs = (Object.keys(rules) as AskedVerb[]).filter(verb => rules[verb] !== null)

/** @returns the same verbs with the name of the author, which the audit keeps with each change */
export function auditedWrites(writes: StoreWrites, authorship: () => Authorship): StoreWrites {
  const audited = auditedVerbs.map(verb => {
    const run = writes[verb] as (argument: object) => unknown
    return [verb, (argument: object) => run({ ...argument, authorship: authorship() })] as const
  })
  // Each verb gets one more argument, which withAudit removes again.
  return { ...writes, ...(Object.fromEntries(audited) as Partial<StoreWrites>) }
}

/** What people ask for, as part of a sign-in or for themselves alone, and the audit has no entry for. */
const unaudited: ReadonlySet<string> = new Set<string>([
  'startTotp',
  'consumeTotp',
  'choosePreferences',
] satisfies AskedVerb[])

/** @returns whether a person asks for it, and not a caller of the API or the gateway itself */
export const isAsked = ({ verb, argument }: { readonly verb: string; readonly argument: unknown }): boolean =>
  unaudited.has(verb) || (typeof argument === 'object' && argument !== null && 'authorship' in argument)

/** @returns the audit entry of a successful call; null when there is none */
export function actOf(verb: keyof StoreWrites, argument: unknown, result: unknown): Act | null {
  const rule = rules[verb as AskedVerb] as ((argument: unknown, result: unknown) => Act | null) | null | undefined
  return rule?.(argument, result) ?? null
}
