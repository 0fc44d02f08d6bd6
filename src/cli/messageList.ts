import type { Command } from 'commander'
import type { Message, MessageFilter, MessageQuery } from '../../db/contract/records.ts'
import type { Store, StoreReads } from '../../db/contract/store.ts'
import { byFieldFilter, fieldsOf } from '../../db/messageFields.ts'
import { moment, systemClock, wait } from '../base/clock.ts'
import { byteOrderMark, csvLine, spreadsheetLine } from '../base/csv.ts'
import { printable } from '../base/terminal.ts'
import { causeCharsMax } from '../message/counts.ts'
import { pricingCells } from '../message/pricing.ts'
import { failureReasonOf } from '../message/state.ts'
import { messageStatuses } from '../message/statuses.ts'
import { messageTypes } from '../message/words.ts'
import { referenceField } from '../operations/fields.ts'
import { messageView } from '../sending/view.ts'
import { addVerb, flagOf, type Voice, wordsOf } from './command.ts'
import { found, UsageError } from './failure.ts'
import {
  idOf,
  limitOption,
  listDefault,
  oneOf,
  optional,
  phone,
  reference,
  templateName,
  toggle,
  workspacesOption,
} from './inputs.ts'
import { type Answer, commandLine, table } from './output.ts'
import type { Workbench } from './session.ts'
import { stopSignal } from './signal.ts'
import { output } from './streams.ts'
import { instant } from './times.ts'
import { meantWorkspaces } from './workspace.ts'

/** A month of a busy workspace, held in memory at once. Use `--after` for more. */
export const listMax = 100_000
/** Rows per read, so that no read delays others for long. */
const pageSize = 1_000

/** Often enough to look live, and cheap for the database. */
const followEveryMs = 1_000
/** A message is stored a moment after its time, and a later one may be stored before it. */
const followOverlapMs = 5_000

const status = oneOf('status', messageStatuses)
const type = oneOf('type', messageTypes)

type Reads = Pick<StoreReads, 'messages'>
type Follow = Pick<Store, 'read' | 'clock'>
type Filter = Omit<MessageQuery, 'limit' | 'workspaceId'>
/** Of which workspaces, and which of their messages. */
interface Sought {
  readonly workspaceIds: readonly string[]
  readonly filter: Filter
}

/** A filter by the value of a field is a text, unless it says more below. */
const fieldOptions = byFieldFilter(({ name }) =>
  optional(reference(referenceField, flagOf(name).slice(2)), `only those with this ${wordsOf(name)}`),
)

/** Each filter is an option of its name. */
const filterOptions = {
  status: optional(status, 'only those of this status'),
  recipient: optional(phone, 'only those to this number'),
  line: optional(idOf('line'), 'only those of this line, line_…'),
  key: optional(idOf('key'), 'only those sent with this API key, pk_…'),
  ...fieldOptions,
  type: optional(type, 'only those of this type'),
  template: optional(templateName, 'only those of the template with this name'),
  cause: optional(
    reference({ maxLength: causeCharsMax }, 'cause'),
    'only those that failed for this: a code such as 131026, or our sentence',
  ),
} satisfies Readonly<Record<keyof MessageFilter, unknown>>

export function listMessages(message: Command, withStore: Workbench['withStore']): void {
  addVerb(message, {
    name: 'list',
    summary: 'list the messages, newest first',
    example: 'message list --status FAILED --since 24h',
    inputs: {
      workspace: workspacesOption,
      ...filterOptions,
      since: optional(instant, 'only those since then: 2026-01-31, 2026-01-31T10:00Z, or 30m, 24h, 7d, 2w ago'),
      until: optional(instant, 'only those before then'),
      after: optional(idOf('message'), 'the next page: give the last message of the previous one'),
      limit: limitOption(listDefault, 'at most this many', listMax),
      csv: toggle('as a table for spreadsheets (RFC 4180)'),
      bom: toggle('with --csv, for spreadsheets: a byte-order mark says that it is UTF-8, and numbers stay text'),
      follow: toggle('continue with new messages, oldest first, until Ctrl-C; with --json one document a line'),
    },
    run: ({ workspace, limit, csv, bom, follow, status, ...given }, voice) =>
      withStore(async ({ store }) => {
        const { until, after } = given
        if (follow && (csv || until !== undefined || after !== undefined)) {
          throw new UsageError('--follow has no end: leave out --csv, --until and --after')
        }
        if (bom && !csv) throw new UsageError('--bom begins a table: give --csv too')
        const workspaceIds = (await meantWorkspaces(store, workspace)).map(({ id }) => id)
        // Messages of the same moment have an order only within one workspace.
        if (after !== undefined && workspaceIds.length > 1) {
          throw new UsageError('--after is a page of one workspace: name it with --workspace')
        }
        if (after !== undefined) found(await store.read.message(after), 'message', after)
        const filter: Filter = { ...given, status: status && [status] }
        const sought = { workspaceIds, filter }
        if (follow) return followMessages(store, sought, limit, voice)
        const messages = await readNewest(store.read, sought, limit)
        return {
          data: messages.map(fullMessageView),
          text: csv ? csvText(messages, bom) : listText(messages, limit, status),
          isFile: csv,
        }
      }),
  })
}

/** @returns the newest of all the workspaces together */
export async function readNewest(read: Reads, { workspaceIds, filter }: Sought, limit: number): Promise<Message[]> {
  let newest: Message[] = []
  for (const workspaceId of workspaceIds) {
    const found = await readPages(read, { ...filter, workspaceId }, limit)
    // One workspace is left in the order of its pages: what is open has that of the ids.
    if (workspaceIds.length === 1) return found
    newest.push(...found)
    newest = newest.sort((one, other) => other.createdAt - one.createdAt).slice(0, limit)
  }
  return newest
}

async function readPages(read: Reads, filter: Omit<MessageQuery, 'limit'>, limit: number): Promise<Message[]> {
  const messages: Message[] = []
  let { after } = filter
  while (messages.length < limit) {
    const size = Math.min(pageSize, limit - messages.length)
    const page = await read.messages({ ...filter, after, limit: size })
    messages.push(...page)
    after = page.at(-1)?.id
    if (page.length < size) break
  }
  return messages
}

/** Prints the last messages and then each new one, until a signal to stop or until the reader closes the output. */
async function followMessages(store: Follow, sought: Sought, limit: number, voice: Voice): Promise<undefined> {
  const { read, clock } = store
  let isOver = false
  const end = Promise.race([stopSignal(), output.closed]).then(() => {
    isOver = true
  })
  /** The times of the latest messages that were already shown, or are older. */
  const known = new Map<string, number>()
  let latest = clock.now()
  const { filter } = sought
  const readLatest = () => {
    const since = Math.max(filter.since ?? 0, latest - followOverlapMs)
    return readNewest(read, { ...sought, filter: { ...filter, since } }, listMax)
  }

  const last = await readNewest(read, sought, limit)
  for (const message of [...(await readLatest()), ...last]) known.set(message.id, message.createdAt)
  for (const message of last.toReversed()) await voice.announce(followed(message))
  while (!isOver) {
    await Promise.race([wait(systemClock, followEveryMs), end])
    for (const message of (await readLatest()).toReversed()) {
      if (known.has(message.id)) continue
      known.set(message.id, message.createdAt)
      latest = Math.max(latest, message.createdAt)
      await voice.announce(followed(message))
    }
    for (const [id, createdAt] of known) if (createdAt < latest - followOverlapMs) known.delete(id)
  }
  return undefined
}

const followed = (message: Message): Answer => ({
  data: fullMessageView(message),
  text: [moment(message.createdAt), message.id, message.type, message.status, message.recipient]
    .map(printable)
    .join('  '),
})

function listText(messages: readonly Message[], limit: number, status: string | undefined): string {
  const last = messages.at(-1)
  const list = table(
    {
      id: 'id',
      type: 'type',
      status: 'status',
      to: 'recipient',
      'created (UTC)': 'createdAt',
      workspace: 'workspaceId',
      failure: failureReasonOf,
    },
    messages,
    status === undefined ? 'No message.' : `No message is ${status}.`,
  )
  if (messages.length < limit || !last) return list
  const next = commandLine(`message list --workspace ${last.workspaceId} … --after ${last.id}`)
  return `${list}\n\nThere may be more: the same with ${next}`
}

/** @param bom whether a spreadsheet reads it; else a program, for which each number stays as it is */
function csvText(messages: readonly Message[], bom: boolean): string {
  const [first] = messages
  if (!first) return ''
  const lineOf = bom ? spreadsheetLine : csvLine
  const records = messages.map(message => lineOf(Object.values(cellsOf(message))))
  return [(bom ? byteOrderMark : '') + csvLine(Object.keys(cellsOf(first))), ...records].join('\r\n')
}

function cellsOf(message: Message) {
  const { pricing, ...cells } = fullMessageView(message)
  return { ...cells, ...pricingCells(pricing) }
}

/** A message as `--json` and the lists show it: what callers see in parts is one value here. */
export function fullMessageView(message: Message) {
  const { to: _to, error: _error, lineId, ...shown } = messageView(message)
  return {
    ...shown,
    ...fieldsOf(message),
    workspaceId: message.workspaceId,
    channelId: message.channelId,
    lineId,
    keyId: message.apiKeyId,
  }
}
