import type { Message } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { byteOrderMark, spreadsheetLine } from '../../base/csv.ts'
import { failureOfReason } from '../../graph/failures.ts'
import { pricingCells } from '../../message/pricing.ts'
import { failureReasonOf } from '../../message/state.ts'
import { keyLabelsOf } from '../../operations/apiKeys.ts'
import type { Searcher } from '../../reading/messages.ts'
import type { ReadPermits } from '../../reading/permits.ts'
import type { MemberCaller } from '../guard.ts'
import { messageSchema } from './schemas.ts'
import { type Sender, sendersNamed } from './senders.ts'
import { shownMessage } from './view.ts'

/** The columns, in the order of the fields. */
const { channelId: _, pricing: _pricing, ...fields } = messageSchema.properties
const fieldNames = Object.keys(fields) as (keyof typeof fields)[]
/** What people read in place of ids and codes; the heading is written even without messages. */
const named = ['contactName', 'lineNumber', 'lineLabel', 'keyLabel', 'memberName', 'errorCode', 'error'] as const
const headings = [...fieldNames, ...named, ...Object.keys(pricingCells(null))]

/** All messages as lines of a table (RFC 4180), with what the list shows of each, a step at a time. */
export async function* csvLines(
  {
    read,
    turn,
  }: {
    readonly read: Pick<StoreReads, 'authors' | 'batch' | 'contactsAt' | 'keys' | 'lines'>
    readonly turn: Searcher['turn']
  },
  workspaceId: string,
  found: AsyncGenerator<readonly Message[]>,
): AsyncGenerator<readonly string[]> {
  yield [byteOrderMark + spreadsheetLine(headings)]
  const [lines, keys] = await Promise.all([read.lines(workspaceId), read.keys(workspaceId)])
  const lineOf = new Map(lines.map(line => [line.id, line]))
  const keyLabels = keyLabelsOf(keys)
  for await (const messages of found) {
    if (messages.length === 0) continue
    await turn()
    const addresses = [...new Set(messages.map(({ recipient }) => recipient))]
    const [contacts, senderOf] = await Promise.all([
      read.contactsAt({ workspaceId, addresses }),
      sendersNamed(read, workspaceId, messages),
    ])
    yield messages.map(message => {
      const row = shownMessage(message)
      const reason = failureReasonOf(message)
      const failure = reason === null ? null : failureOfReason(reason)
      return spreadsheetLine([
        ...fieldNames.map(name => row[name]),
        contacts.get(message.recipient)?.name ?? null,
        lineOf.get(message.lineId)?.number ?? null,
        lineOf.get(message.lineId)?.label ?? null,
        ...senderCells(senderOf(message, keyLabels)),
        failure?.code ?? null,
        failure && (failure.explanation?.short ?? failure.reason),
        ...Object.values(pricingCells(row.pricing)),
      ])
    })
  }
}

/** The label of the key, and the name of the member. */
const senderCells = ({ kind, name }: Sender) => [kind === 'key' ? name : null, kind === 'member' ? name : null]

/**
 * The lines as bytes. The next ones are read when the caller has taken those before, and none after it has hung up.
 * @param onEnd called when all was taken, when the caller has hung up, and when reading failed
 */
export function csvStream(lines: AsyncGenerator<readonly string[]>, onEnd: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next().catch(error => {
        onEnd()
        throw error
      })
      if (!done) return controller.enqueue(encoder.encode(value.map(line => `${line}\r\n`).join('')))
      onEnd()
      return controller.close()
    },
    async cancel() {
      onEnd()
      await lines.return(undefined)
    },
  })
}

/** @returns a function that ends the export; the end of the connection does so too */
export function exportUntilAborted(exports: ReadPermits, member: MemberCaller, { signal }: Request): () => void {
  const end = exports.export(member)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  return end
}
