import { vaultCheckName } from '../administration/secretKey.ts'
import type { Credentials } from '../crypto/credentials.ts'
import { CommandError } from './failure.ts'
import type { Session } from './session.ts'

/**
 * Seals and stores secrets. If the key is rotated at the same moment, the new secrets do not open: then the error says
 * to run the command again.
 * @throws CommandError
 */
export async function sealing<Result>(
  { store, credentials }: Session,
  work: (credentials: Credentials) => Promise<Result>,
): Promise<Result> {
  const opened = await credentials()
  const check = await store.read.property(vaultCheckName)
  const result = await work(opened)
  if ((await store.read.property(vaultCheckName)) !== check) {
    throw new CommandError('The key of the stored secrets changed just now: run this command again', {
      code: 'CONFLICT',
    })
  }
  return result
}
