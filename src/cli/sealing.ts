import { vaultCheckName } from '../operations/secretKey.ts'
import { CommandError } from './failure.ts'
import type { Session } from './session.ts'

/**
 * Seals and stores secrets. If the key is rotated at the same moment, the new secrets do not open: then the error says
 * to run the command again.
 * @param open opens what seals: the session's vault, or its credentials
 * @throws CommandError
 */
export async function sealing<Opened, Result>(
  { store }: Pick<Session, 'store'>,
  open: () => Promise<Opened>,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const opened = await open()
  const check = await store.read.property(vaultCheckName)
  const result = await work(opened)
  if ((await store.read.property(vaultCheckName)) !== check) {
    throw new CommandError('The key of the stored secrets changed just now: run this command again', {
      code: 'CONFLICT',
    })
  }
  return result
}
