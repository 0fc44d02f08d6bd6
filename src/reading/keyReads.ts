import type { WorkspaceEvent } from '../../db/contract/events.ts'
import type { Line } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'
import { field, text } from '../base/json.ts'
import { lineIsAllowed } from '../base/keyLines.ts'

/**
 * What has no line is the workspace's: its contacts, and how far its lists go. Templates are named of one account. What
 * an id names is asked with the line.
 */
const ofWorkspace = [
  'contact',
  'contactsAt',
  'formerUserIds',
  'lastEvent',
  'lastNumber',
  'namedMessages',
  'optedOut',
  'searchContacts',
  'spellings',
  'templatesNamed',
  'updates',
] as const satisfies readonly (keyof StoreReads)[]
type OfWorkspace = Pick<StoreReads, (typeof ofWorkspace)[number]>

type OfLines = Pick<
  StoreReads,
  | 'events'
  | 'file'
  | 'inboundMessage'
  | 'inboundMessages'
  | 'inboundTimes'
  | 'lines'
  | 'message'
  | 'searchMessages'
  | 'statusView'
  | 'templateGenerations'
  | 'templateListed'
  | 'templates'
  | 'templateStep'
>

/**
 * All that calls of API keys read of the store. What more a call needs is added here, with what a key that is limited
 * to lines sees of it (docs/partner-api.md#scopes).
 */
export type KeyReads = OfWorkspace & OfLines

/**
 * @param key whose reads they are; null: all lines of the workspace
 * @returns reads for which what belongs to other lines does not exist
 */
export function readsOf(read: StoreReads, key: { readonly lineIds: readonly string[] | null }): KeyReads {
  const { lineIds } = key
  if (lineIds === null) return read
  const ofLine = <Found extends { readonly lineId: string | null }>(found: Found | null): Found | null =>
    found && lineIsAllowed(key, found.lineId) ? found : null
  const linesOf = async (workspaceId: string): Promise<Line[]> =>
    (await read.lines(workspaceId)).filter(({ id }) => lineIsAllowed(key, id))
  const channelsOf = async (workspaceId: string): Promise<ReadonlySet<string>> =>
    new Set((await linesOf(workspaceId)).map(({ channelId }) => channelId))

  /** Templates and alerts are those of an account; what names neither a line nor an account is the workspace's. */
  async function shows({ type, message, inbound, data }: WorkspaceEvent, channelIds: ReadonlySet<string>) {
    if (message) return lineIsAllowed(key, message.lineId)
    if (inbound) return lineIsAllowed(key, inbound.lineId)
    // It is of whoever has made the batch: such a key asks for its own.
    if (type.startsWith('batch.')) return false
    const named = (what: string) => text(field(field(data, what), 'id'))
    const line = named('line')
    if (line !== null) return lineIsAllowed(key, line)
    const template = type === 'template.quality_changed' ? named('template') : null
    const channel = template === null ? named('channel') : ((await read.template(template))?.channelId ?? '')
    return channel === null || channelIds.has(channel)
  }

  const ofLines: OfLines = {
    lines: linesOf,
    message: async id => ofLine(await read.message(id)),
    statusView: async id => ofLine(await read.statusView(id)),
    inboundMessage: async query => ofLine(await read.inboundMessage(query)),
    inboundMessages: query => read.inboundMessages({ ...query, lineIds }),
    searchMessages: search => read.searchMessages({ ...search, lineIds }),
    file: query => read.file({ ...query, lineIds }),
    inboundTimes: async query => (await read.inboundTimes(query)).filter(time => ofLine(time) !== null),
    async templates(query) {
      const [templates, channelIds] = await Promise.all([read.templates(query), channelsOf(query.workspaceId)])
      return templates.filter(({ channelId }) => channelIds.has(channelId))
    },
    async templateListed(query) {
      const [template, channelIds] = await Promise.all([read.templateListed(query), channelsOf(query.workspaceId)])
      return template && channelIds.has(template.channelId) ? template : null
    },
    async templateGenerations(workspaceId) {
      const [found, channelIds] = await Promise.all([read.templateGenerations(workspaceId), channelsOf(workspaceId)])
      return found.filter(({ channelId }) => channelIds.has(channelId))
    },
    /** Its channel is one of those. */
    templateStep: query => read.templateStep(query),
    async events(query) {
      const [page, channelIds] = await Promise.all([read.events({ ...query, lineIds }), channelsOf(query.workspaceId)])
      const shown = await Promise.all(page.events.map(event => shows(event, channelIds)))
      return { ...page, events: page.events.filter((_event, at) => shown[at]) }
    },
  }
  // Only these: a call cannot reach another read, whatever its types say.
  const ofAll = Object.fromEntries(ofWorkspace.map(verb => [verb, read[verb]])) as OfWorkspace
  return { ...ofAll, ...ofLines }
}
