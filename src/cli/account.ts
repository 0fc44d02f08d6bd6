import { messagingLimitWords } from '../base/messagingLimit.ts'
import type { Config } from '../config/config.ts'
import type { PhoneNumberRecord } from '../graph/client.ts'
import * as channels from '../operations/channels/channels.ts'
import type { AccountNumber } from '../operations/channels/numbers.ts'
import { done } from './failure.ts'
import { toggle } from './inputs.ts'
import { table } from './output.ts'
import { withChannelClient } from './session.ts'

export const noVerifyOption = toggle('skip the check of access token and account at the upstream platform')

/** What may be typed when the upstream refuses the check. */
export const unverified = { CHANNEL_GRAPH_ERROR: 'To skip this check: --no-verify' }

/**
 * Reads an account's phone numbers from the upstream platform: one call, which works only with the right token.
 * @throws CommandError when it is refused or cannot be asked
 */
export async function readNumbers(
  config: Config,
  account: { accountId: string; accessToken: string },
): Promise<readonly PhoneNumberRecord[]> {
  const listing = await withChannelClient(config, client => channels.readNumbers(client, account))
  return done(listing, unverified)
}

export const numberTable = (numbers: readonly AccountNumber[]): string =>
  table(
    {
      'upstream phone id': 'id',
      number: 'displayNumber',
      name: 'name',
      quality: 'quality',
      status: 'status',
      limit: ({ messagingLimit }) => messagingLimit && messagingLimitWords(messagingLimit),
      line: ({ line, isNew }) => (line === null ? null : isNew ? `${line.id} (added)` : line.id),
    },
    numbers.map(({ record, ...rest }) => ({ ...record, ...rest })),
    'The account has no phone number yet.',
  )
