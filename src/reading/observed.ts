import type { Store, StoreReads, StoreWrites } from '../../db/contract/store.ts'
import type { Announcements, Subject } from './announcements.ts'

type Told<Verb extends keyof StoreWrites> = (
  announcements: Announcements,
  argument: Parameters<StoreWrites[Verb]>[0],
  result: Awaited<ReturnType<StoreWrites[Verb]>>,
  read: Pick<StoreReads, 'channel'>,
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
  async applyReports(announcements, { channelId, reports }, _, read) {
    const workspaceId = (await read.channel(channelId))?.workspaceId
    if (workspaceId === undefined) return
    const messageIds = new Set(reports.map(({ messageId }) => messageId ?? undefined))
    for (const messageId of messageIds) announcements.changed(workspaceId, 'messages', messageId)
  },
  abandonUnknown: (announcements, _, count) => count > 0 && announcements.changedSomewhere('messages'),
  markInterrupted: (announcements, _, count) => count > 0 && announcements.changedSomewhere('messages'),
  recordInbound: (announcements, { channelId }, _, read) => ofChannel(announcements, read, channelId, 'contacts'),
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
  replaceTemplates: (announcements, { channelId }, _, read) => ofChannel(announcements, read, channelId, 'templates'),
  recordTemplate: (announcements, { template }, _, read) =>
    ofChannel(announcements, read, template.channelId, 'templates'),
  recordDeletion: (announcements, { channelId }, _, read) => ofChannel(announcements, read, channelId, 'templates'),
  applyTemplateUpdate: (announcements, { channelId }, _, read) =>
    ofChannel(announcements, read, channelId, 'templates'),
  recordApiRequests(announcements, { blocks }) {
    for (const workspaceId of new Set(blocks.map(block => block.workspaceId)))
      announcements.changed(workspaceId, 'requests')
  },
  keepSpelling: (announcements, { workspaceId }) => announcements.changed(workspaceId, 'contacts'),
  followIdentities: (announcements, { channelId }, _, read) => ofChannel(announcements, read, channelId, 'contacts'),
  async keepUpdates(announcements, { channelId, updates }, _, read) {
    await ofChannel(announcements, read, channelId, 'health')
    // An opt-out may show whose a number is.
    if (updates.some(({ about }) => about.of === 'contact')) await ofChannel(announcements, read, channelId, 'contacts')
  },
  keepLines: announcements => announcements.changedSomewhere('health'),
  createBatch: (announcements, { batch }) => announcements.changed(batch.workspaceId, 'batches'),
  moveBatch: (announcements, _, moved) =>
    moved.outcome === 'moved' && announcements.changed(moved.batch.workspaceId, 'batches'),
  retryBatchItems: (announcements, _, count) => count > 0 && announcements.changedSomewhere('batches'),
  cancelBatchItem: (announcements, _, outcome) => outcome === 'cancelled' && announcements.changedSomewhere('batches'),
  startDueBatches: (announcements, _, count) => count > 0 && announcements.changedSomewhere('batches'),
  noteCallback: (announcements, { channelId }, _, read) => ofChannel(announcements, read, channelId, 'health'),
}

async function ofChannel(
  announcements: Announcements,
  read: Pick<StoreReads, 'channel'>,
  channelId: string,
  subject: Subject,
) {
  const channel = await read.channel(channelId)
  if (channel) announcements.changed(channel.workspaceId, subject)
}

type AnyVerb = (argument: unknown) => Promise<unknown>
type AnyTold = (announcements: Announcements, argument: unknown, result: unknown, read: StoreReads) => unknown

function observedWrites(writes: StoreWrites, read: StoreReads, announcements: Announcements): StoreWrites {
  const tellOf = async (tell: AnyTold, argument: unknown, result: unknown) =>
    tell(announcements, argument, result, read)
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
export const observed = (store: Store, announcements: Announcements): Store => ({
  ...store,
  write: observedWrites(store.write, store.read, announcements),
  writeAs: author => observedWrites(store.writeAs(author), store.read, announcements),
})
