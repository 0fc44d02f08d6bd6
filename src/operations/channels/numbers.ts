import type { Channel, Line } from '../../../db/contract/records.ts'
import type { Store } from '../../../db/contract/store.ts'
import type { Clock } from '../../base/clock.ts'
import type { PhoneNumberRecord } from '../../graph/client.ts'
import { lineNumberOf } from '../fields.ts'
import { newLine } from './lines.ts'

/** A phone number of the account, and its line in this workspace. */
export interface AccountNumber {
  readonly record: PhoneNumberRecord
  readonly line: Line | null
  readonly isNew: boolean
}

/** Keeps with the lines of a channel what the upstream says of their numbers, where it is another word than before. */
export async function keepNumbers(
  { read, write }: Pick<Store, 'read' | 'write'>,
  channel: Channel,
  records: readonly PhoneNumberRecord[],
): Promise<void> {
  const changed = (await linesOf(read, channel)).flatMap(({ id, upstreamPhoneId, ...line }) => {
    const record = records.find(({ id }) => id === upstreamPhoneId)
    if (!record || (record.quality === line.quality && record.messagingLimit === line.messagingLimit)) return []
    return [{ id, quality: record.quality, messagingLimit: record.messagingLimit }]
  })
  if (changed.length > 0) await write.keepLines({ lines: changed })
}

const linesOf = async (read: Store['read'], { id, workspaceId }: Channel) =>
  (await read.lines(workspaceId)).filter(({ channelId }) => channelId === id)

/**
 * Matches the account's numbers with the channel's lines, and keeps what is said of them.
 * @param add adds lines for numbers that have none
 */
export async function matchLines(
  { read, write }: Pick<Store, 'read' | 'write'>,
  clock: Pick<Clock, 'now'>,
  channel: Channel,
  records: readonly PhoneNumberRecord[],
  add: boolean,
): Promise<AccountNumber[]> {
  await keepNumbers({ read, write }, channel, records)
  const known = await linesOf(read, channel)
  const numbers: AccountNumber[] = []
  for (const record of records) {
    const line = known.find(({ upstreamPhoneId }) => upstreamPhoneId === record.id) ?? null
    const added = add && line === null ? await addLine(write, clock, channel, record) : null
    numbers.push({ record, line: added ?? line, isNew: added !== null })
  }
  return numbers
}

/** @returns null when the upstream does not show the number, or when somebody else just added the line. */
async function addLine(
  write: Store['write'],
  clock: Pick<Clock, 'now'>,
  channel: Channel,
  record: PhoneNumberRecord,
): Promise<Line | null> {
  const number = record.displayNumber === null ? null : lineNumberOf(record.displayNumber)
  if (number === null) return null
  const addition = await write.addLine(newLine(channel, { ...record, upstreamPhoneId: record.id, number }, clock.now()))
  return addition.outcome === 'added' ? addition.line : null
}

/** An account's number as it is shown. */
export const numberView = ({ record, line, isNew }: AccountNumber) => ({
  upstreamPhoneId: record.id,
  number: record.displayNumber,
  name: record.name,
  quality: record.quality,
  status: record.status,
  messagingLimit: record.messagingLimit,
  lineId: line?.id ?? null,
  added: isNew,
})
