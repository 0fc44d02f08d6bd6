import type { Store, StoreReads, StoreWrites } from '../../../db/store.ts'
import type { ChangeFeed, Subject } from './feed.ts'

type Told<Verb extends keyof StoreWrites> = (
  feed: ChangeFeed,
  argument: Parameters<StoreWrites[Verb]>[0],
  result: Awaited<ReturnType<StoreWrites[Verb]>>,
  read: Pick<StoreReads, 'channel'>,
) => void | Promise<void>

/** The verbs whose changes any page may show. Those of the others appear only on the page that makes them. */
const told: { readonly [Verb in keyof StoreWrites]?: Told<Verb> } = {
  acceptMessage: (feed, { id, workspaceId }, { outcome }) => {
    if (outcome === 'accepted') feed.changed(workspaceId, 'messages', id)
  },
  recordEvent: (feed, _, view) => {
    if (view) feed.changed(view.workspaceId, 'messages', view.id)
  },
  async applyReports(feed, { channelId, reports }, _, read) {
    const workspaceId = (await read.channel(channelId))?.workspaceId
    if (workspaceId === undefined) return
    feed.changed(workspaceId, 'messages')
    for (const { messageId } of reports) if (messageId !== null) feed.changed(workspaceId, 'messages', messageId)
  },
  abandonUnknown: (feed, _, count) => somewhere(feed, count),
  markInterrupted: (feed, _, count) => somewhere(feed, count),
  recordInbound: (feed, { channelId }, _, read) => ofChannel(feed, read, channelId, 'contacts'),
  saveContact: (feed, { workspaceId }) => feed.changed(workspaceId, 'contacts'),
  replaceTemplates: (feed, { channelId }, _, read) => ofChannel(feed, read, channelId, 'templates'),
  recordTemplate: (feed, { template }, _, read) => ofChannel(feed, read, template.channelId, 'templates'),
  recordDeletion: (feed, { channelId }, _, read) => ofChannel(feed, read, channelId, 'templates'),
  applyTemplateUpdate: (feed, { channelId }, _, read) => ofChannel(feed, read, channelId, 'templates'),
  keepUpdates: (feed, { channelId }, _, read) => ofChannel(feed, read, channelId, 'health'),
  noteCallback: (feed, { channelId }, _, read) => ofChannel(feed, read, channelId, 'health'),
}

/** The workspaces are unknown: all that are watched here are reloaded. */
function somewhere(feed: ChangeFeed, count: number) {
  if (count > 0) for (const workspaceId of feed.workspaceIds) feed.changed(workspaceId, 'messages')
}

async function ofChannel(feed: ChangeFeed, read: Pick<StoreReads, 'channel'>, channelId: string, subject: Subject) {
  const channel = await read.channel(channelId)
  if (channel) feed.changed(channel.workspaceId, subject)
}

type AnyVerb = (argument: unknown) => Promise<unknown>
type AnyTold = (feed: ChangeFeed, argument: unknown, result: unknown, read: StoreReads) => void | Promise<void>

function observedWrites(writes: StoreWrites, read: StoreReads, feed: ChangeFeed): StoreWrites {
  const observed = Object.entries(told).map(([verb, tell]) => {
    const run = writes[verb as keyof StoreWrites] as AnyVerb
    const runObserved = (argument: unknown) => {
      const done = run(argument)
      // A failure is the caller's; without a listener nothing more is done.
      if (feed.isWatched) done.then(result => (tell as AnyTold)(feed, argument, result, read)).catch(() => {})
      return done
    }
    return [verb, runObserved] as const
  })
  return { ...writes, ...(Object.fromEntries(observed) as Partial<StoreWrites>) }
}

/** @returns the same store, whose writes also notify the feed */
export const observed = (store: Store, feed: ChangeFeed): Store => ({
  ...store,
  write: observedWrites(store.write, store.read, feed),
  writeAs: origin => observedWrites(store.writeAs(origin), store.read, feed),
})
