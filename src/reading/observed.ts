import type { Store, StoreReads, StoreWrites } from '../../db/contract/store.ts'
import type { Announcements, Subject } from './announcements.ts'

/** @returns the workspace of a channel; undefined when there is no such channel */
type WorkspaceOf = (channelId: string) => Promise<string | undefined>

type Told<Verb extends keyof StoreWrites> = (
  announcements: Announcements,
  argument: Parameters<StoreWrites[Verb]>[0],
  result: Awaited<ReturnType<StoreWrites[Verb]>>,
  workspaceOf: WorkspaceOf,
) => unknown

/**
 * Which verbs change what a page may show, or a caller may wait for. The others change what only their own page shows.
 */
const told: { readonly [Verb in keyof StoreWrites]?: Told<Verb> } = {
  acceptMessage: (announcements, { id, workspaceId }, { outcome }) => {
    if (outcome === 'accepted') announcements.changed(workspaceId, 'messages', id)
  },
  scheduleMessage: (announcements, { id, workspaceId }, { outcome }) => {
    if (outcome === 'scheduled') announcements.changed(workspaceId, 'messages', id)
  },
  rescheduleMessage: (announcements, _, message) => {
    if (message) announcements.changed(message.workspaceId, 'messages', message.id)
  },
  releaseMessage(announcements, { messageId }, released) {
    if (released.outcome !== 'released') return
    announcements.changed(released.message.message.workspaceId, 'messages', messageId)
  },
  recordEvent: (announcements, _, message) => {
    if (message) announcements.changed(message.workspaceId, 'messages', message.id)
  },
  async applyReports(announcements, { channelId, reports }, _, workspaceOf) {
    const workspaceId = await workspaceOf(channelId)
    if (workspaceId === undefined) return
    const messageIds = new Set(reports.map(({ messageId }) => messageId ?? undefined))
    for (const messageId of messageIds) announcements.changed(workspaceId, 'messages', messageId)
  },
  abandonUnknown: (announcements, _, count) => count > 0 && announcements.changedSomewhere('messages'),
  markInterrupted: (announcements, _, count) => count > 0 && announcements.changedSomewhere('messages'),
  recordInbound: (announcements, { channelId }, _, workspaceOf) =>
    ofChannel(announcements, workspaceOf, channelId, 'contacts'),
  noteSpoken: (announcements, { workspaceId }, isThere) => isThere && announcements.changed(workspaceId, 'contacts'),
  readConversation: (announcements, { workspaceId }, wasUnread) =>
    wasUnread && announcements.changed(workspaceId, 'contacts'),
  unreadConversation: (announcements, { workspaceId }, isMarked) =>
    isMarked && announcements.changed(workspaceId, 'contacts'),
  finishConversation: (announcements, { workspaceId }, isChanged) =>
    isChanged && announcements.changed(workspaceId, 'contacts'),
  reopenConversation: (announcements, { workspaceId }, isChanged) =>
    isChanged && announcements.changed(workspaceId, 'contacts'),
  takeConversation: (announcements, { workspaceId }, outcome) =>
    outcome === 'changed' && announcements.changed(workspaceId, 'contacts'),
  // Conversations show what it hides, and their lines by name.
  setDeletedMessages: (announcements, { workspaceId }) => announcements.changed(workspaceId, 'contacts'),
  changeLine: (announcements, { active, label }, changed) =>
    changed &&
    (active !== undefined || label !== undefined) &&
    announcements.changed(changed.line.workspaceId, 'contacts'),
  keepBlocked: (announcements, { workspaceId }, isChanged) =>
    isChanged && announcements.changed(workspaceId, 'contacts'),
  setWish: (announcements, { workspaceId }, said) => said?.isChanged && announcements.changed(workspaceId, 'contacts'),
  setOptOuts: (announcements, { workspaceId }) => announcements.changed(workspaceId, 'contacts'),
  renameContact: (announcements, { workspaceId }) => announcements.changed(workspaceId, 'contacts'),
  saveContact: (announcements, { workspaceId }) => announcements.changed(workspaceId, 'contacts'),
  replaceTemplates: (announcements, { channelId }, _, workspaceOf) =>
    ofChannel(announcements, workspaceOf, channelId, 'templates'),
  recordTemplate: (announcements, { template }, _, workspaceOf) =>
    ofChannel(announcements, workspaceOf, template.channelId, 'templates'),
  recordDeletion: (announcements, { channelId }, _, workspaceOf) =>
    ofChannel(announcements, workspaceOf, channelId, 'templates'),
  applyTemplateUpdate: (announcements, { channelId }, _, workspaceOf) =>
    ofChannel(announcements, workspaceOf, channelId, 'templates'),
  recordApiRequests(announcements, { blocks }) {
    for (const workspaceId of new Set(blocks.map(block => block.workspaceId)))
      announcements.changed(workspaceId, 'requests')
  },
  keepSpelling: (announcements, { workspaceId }) => announcements.changed(workspaceId, 'contacts'),
  followIdentities: (announcements, { channelId }, _, workspaceOf) =>
    ofChannel(announcements, workspaceOf, channelId, 'contacts'),
  async keepUpdates(announcements, { channelId, updates }, _, workspaceOf) {
    await ofChannel(announcements, workspaceOf, channelId, 'health')
    // An opt-out may show whose a number is.
    if (updates.some(({ about }) => about.of === 'contact'))
      await ofChannel(announcements, workspaceOf, channelId, 'contacts')
  },
  keepLines: announcements => announcements.changedSomewhere('health'),
  createBatch: (announcements, { batch }) => announcements.changed(batch.workspaceId, 'batches'),
  moveBatch: (announcements, _, moved) =>
    moved.outcome === 'moved' && announcements.changed(moved.batch.workspaceId, 'batches'),
  retryBatchItems: (announcements, _, count) => count > 0 && announcements.changedSomewhere('batches'),
  cancelBatchItem: (announcements, _, outcome) => outcome === 'cancelled' && announcements.changedSomewhere('batches'),
  startDueBatches: (announcements, _, count) => count > 0 && announcements.changedSomewhere('batches'),
  noteCallback: (announcements, { channelId }, _, workspaceOf) =>
    ofChannel(announcements, workspaceOf, channelId, 'health'),
}

async function ofChannel(announcements: Announcements, workspaceOf: WorkspaceOf, channelId: string, subject: Subject) {
  const workspaceId = await workspaceOf(channelId)
  if (workspaceId !== undefined) announcements.changed(workspaceId, subject)
}

/** So many take a megabyte. */
const channelsMax = 10_000

/** A channel stays in its workspace for good, so it is read once. */
function rememberedWorkspaces(read: Pick<StoreReads, 'channel'>): WorkspaceOf {
  const known = new Map<string, string>()
  return async channelId => {
    const found = known.get(channelId) ?? (await read.channel(channelId))?.workspaceId
    if (found === undefined) return undefined
    if (known.size >= channelsMax) known.clear()
    known.set(channelId, found)
    return found
  }
}

type AnyVerb = (argument: unknown) => Promise<unknown>
type AnyTold = (announcements: Announcements, argument: unknown, result: unknown, of: WorkspaceOf) => unknown

function observedWrites(writes: StoreWrites, workspaceOf: WorkspaceOf, announcements: Announcements): StoreWrites {
  const tellOf = async (tell: AnyTold, argument: unknown, result: unknown) =>
    tell(announcements, argument, result, workspaceOf)
  const observed = Object.entries(told).map(([verb, tell]) => {
    const run = writes[verb as keyof StoreWrites] as AnyVerb
    const runObserved = (argument: unknown) => {
      const done = run(argument)
      // A failure is the caller's. Whether anybody watches is asked when it is done: who began to watch meanwhile has
      // not seen it yet.
      done.then(
        result => {
          if (announcements.isWatched) tellOf(tell as AnyTold, argument, result).catch(() => {})
        },
        () => {},
      )
      return done
    }
    return [verb, runObserved] as const
  })
  return { ...writes, ...(Object.fromEntries(observed) as Partial<StoreWrites>) }
}

/** @returns the same store, which announces what its writes change */
export function observed(store: Store, announcements: Announcements): Store {
  const workspaceOf = rememberedWorkspaces(store.read)
  return {
    ...store,
    write: observedWrites(store.write, workspaceOf, announcements),
    writeAs: author => observedWrites(store.writeAs(author), workspaceOf, announcements),
  }
}
