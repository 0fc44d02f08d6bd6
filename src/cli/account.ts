import type { AccountNumber } from '../channels/numbers.ts'
import type { Config } from '../config/config.ts'
import type { PhoneNumberRecord } from '../graph/client.ts'
import { CommandError } from './failure.ts'
import { toggle } from './inputs.ts'
import { table } from './output.ts'
import { withChannelClient } from './session.ts'

export const noVerifyOption = toggle('skip the check of access token and account at the upstream platform')

/**
 * Reads an account's phone numbers from the upstream platform: one call, which works only with the right token.
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
    { code: 'UPSTREAM_ERROR' },
  )
}

export const numberTable = (numbers: readonly AccountNumber[]): string =>
  table(
    {
      'upstream phone id': 'id',
      number: 'displayNumber',
      name: 'name',
      quality: 'quality',
      status: 'status',
      line: ({ line, isNew }) => (line === null ? null : isNew ? `${line.id} (added)` : line.id),
    },
    numbers.map(({ record, ...rest }) => ({ ...record, ...rest })),
    'The account has no phone number yet.',
  )
