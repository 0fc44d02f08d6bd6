import type { Channel, Line } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { PhoneNumberRecord } from '../graph/client.ts'
import { newId } from '../ids.ts'
import { pairSecondsDefault, perSecondDefault } from '../messages/pacing.ts'
import { CommandError } from './failure.ts'
import { lineNumberOf, toggle } from './inputs.ts'
import { table } from './output.ts'
import { withChannelClient } from './session.ts'

export const noVerifyOption = toggle('do not ask the upstream platform whether the access token and the account fit')

/**
 * Asks the upstream platform for an account's phone numbers: one call, which needs the right token for this account.
 * @throws CommandError when it is refused or cannot be asked
 */
export async function readNumbers(
  config: Config,
  { accountId, accessToken }: { accountId: string; accessToken: string },
): Promise<readonly PhoneNumberRecord[]> {
  const listing = await withChannelClient(config, client => client.listNumbers({ accountId, accessToken }))
  if (listing.kind === 'listed') return listing.numbers
  throw new CommandError(
    `Nothing was changed: the account ${accountId} cannot be read with this access token: ${listing.message}. ` +
      'Check both, or skip this check with --no-verify',
  )
}

/** A phone number of the account, and its line in this workspace. */
export interface AccountNumber {
  readonly record: PhoneNumberRecord
  readonly line: Line | null
  readonly isNew: boolean
}

/** Matches the account's numbers with the channel's lines. @param add adds lines for numbers that have none */
export async function matchLines(
  store: Store,
  channel: Channel,
  records: readonly PhoneNumberRecord[],
  add: boolean,
): Promise<AccountNumber[]> {
  const known = (await store.read.lines(channel.workspaceId)).filter(({ channelId }) => channelId === channel.id)
  const numbers: AccountNumber[] = []
  for (const record of records) {
    const line = known.find(({ upstreamPhoneId }) => upstreamPhoneId === record.id) ?? null
    const added = add && line === null ? await addLine(store, channel, record) : null
    numbers.push({ record, line: added ?? line, isNew: added !== null })
  }
  return numbers
}

/** @returns null when the upstream does not show the number, or when another process just added the line. */
async function addLine(store: Store, { id, workspaceId }: Channel, record: PhoneNumberRecord): Promise<Line | null> {
  const number = record.displayNumber === null ? null : lineNumberOf(record.displayNumber)
  if (number === null) return null
  const addition = await store.write.addLine({
    id: newId('line'),
    workspaceId,
    channelId: id,
    upstreamPhoneId: record.id,
    number,
    active: true,
    perSecond: perSecondDefault,
    pairSeconds: pairSecondsDefault,
    createdAt: systemClock.now(),
  })
  return addition.outcome === 'added' ? addition.line : null
}

/** An account's number as the JSON document has it. */
export const numberView = ({ record, line, isNew }: AccountNumber) => ({
  upstreamPhoneId: record.id,
  number: record.displayNumber,
  name: record.name,
  quality: record.quality,
  status: record.status,
  lineId: line?.id ?? null,
  added: isNew,
})

export const numberTable = (numbers: readonly AccountNumber[]): string =>
  table(
    ['upstream phone id', 'number', 'name', 'quality', 'status', 'line'],
    numbers.map(({ record, line, isNew }) => [
      record.id,
      record.displayNumber,
      record.name,
      record.quality,
      record.status,
      line === null ? null : isNew ? `${line.id} (added)` : line.id,
    ]),
    'The account has no phone number yet.',
  )
