import type { Channel, NewTemplate } from '../../db/contract/records.ts'
import type { StoreWrites } from '../../db/contract/store.ts'
import type { Clock, EpochMs } from '../base/clock.ts'
import type { Credentials } from '../base/credentials.ts'
import { newId } from '../base/ids.ts'
import { text } from '../base/json.ts'
import type { ChannelClient } from '../graph/client.ts'
import type { TemplateRecord } from '../graph/wire.ts'

export type Sync =
  /** `skipped`: records that could not be read. Then stored templates that are not listed stay. */
  | { readonly kind: 'synced'; readonly synced: number; readonly approved: number; readonly skipped: number }
  /** The stored templates stay as they were. */
  | { readonly kind: 'failed'; readonly message: string }

/**
 * Makes a channel's stored templates equal to the upstream's complete listing. A listing that failed in the middle
 * changes nothing: the templates of its missing pages must stay sendable.
 * @returns how many templates the listing holds, and how many of them can be sent
 */
export async function syncTemplates(options: {
  readonly store: { readonly write: Pick<StoreWrites, 'replaceTemplates'> }
  readonly client: Pick<ChannelClient, 'listTemplates'>
  readonly credentials: Pick<Credentials, 'open'>
  readonly clock: Pick<Clock, 'now'>
  readonly channel: Channel
}): Promise<Sync> {
  const { store, client, credentials, clock, channel } = options
  const accessToken = credentials.open(channel, 'accessToken')
  // Read before the listing: an update that arrives meanwhile is newer than the listing.
  const at = clock.now()
  const listing = await client.listTemplates({ accountId: channel.accountId, accessToken })
  if (listing.kind === 'failed') return listing
  // A new id is used only where there is no record of that name and language yet.
  const templates = listing.templates.map(record => stored(record, channel.id, at))
  const { skipped } = listing
  await store.write.replaceTemplates({
    channelId: channel.id,
    templates,
    at,
    isPartial: skipped > 0,
    recordedAt: clock.now(),
  })
  const approved = templates.filter(({ status }) => status === 'APPROVED').length
  return { kind: 'synced', synced: templates.length, approved, skipped }
}

const stored = (record: TemplateRecord, channelId: string, at: EpochMs): NewTemplate => ({
  id: newId('tpl'),
  channelId,
  upstreamId: record.id,
  name: record.name,
  language: record.language,
  category: record.category,
  status: record.status,
  // docs/upstream.md#templates: records older than named parameters do not say it; then both kinds are looked for.
  parameterFormat: typeof record.parameter_format === 'string' ? record.parameter_format : '',
  components: JSON.stringify(record.components),
  // The upstream lists NONE where nothing was refused.
  rejectedReason: record.rejected_reason === 'NONE' ? null : (text(record.rejected_reason) ?? null),
  updatedAt: at,
  lastUpdateAt: null,
})
