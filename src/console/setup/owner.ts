import { readFileSync } from 'node:fs'
import type { Store } from '../../../db/contract/store.ts'
import type { Clock } from '../../base/clock.ts'
import { messageOf } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { hashPassword, passwordFileRule, passwordIn } from '../../operations/passwords.ts'
import type { Logger } from '../../telemetry/log.ts'

/** Of a deployment without any; its owner may rename it. */
export const firstWorkspaceName = 'My workspace'

/**
 * Makes the owner that the settings name, when there is no user yet. Later starts read neither the settings nor the
 * file.
 * @throws Error with a sentence for the operator; it never repeats the password
 */
export async function ensureOwner(
  owner: { readonly email: string; readonly passwordFile: string } | null,
  { store, clock, log }: { store: Store; clock: Clock; log: Logger },
): Promise<void> {
  if (owner === null || (await store.read.hasUsers())) return
  const passwordHash = await hashPassword(readPassword(owner.passwordFile))
  const at = clock.now()
  const done = await store.writeAs({ actor: 'settings' }).setUp({
    tokenHash: null,
    user: { id: newId('user'), email: owner.email, name: null, passwordHash, createdAt: at },
    newWorkspace: { id: newId('ws'), name: firstWorkspaceName },
    at,
  })
  if (done.outcome === 'done') log.info({ email: done.user.email }, 'the user of WAYPOST_OWNER_EMAIL was made')
}

function readPassword(path: string): string {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new Error(`WAYPOST_OWNER_PASSWORD_FILE cannot be read: ${messageOf(cause)}`, { cause })
  }
  const password = passwordIn(content)
  if (password === null) throw new Error(`WAYPOST_OWNER_PASSWORD_FILE ${passwordFileRule}.`)
  return password
}
