import type { EpochMs } from '../base/clock.ts'
import { hasOpenWindow } from '../inbound/window.ts'
import { quietUntil } from '../message/quietHours.ts'
import type { KeyReads } from '../reading/keyReads.ts'
import type { Route } from './route.ts'

/**
 * Where the workspace has no quiet hours, or the category is not of theirs, nothing is read.
 * @param category that of the template, as the platform lists it now; null: it is none
 * @returns until when a message waits because of them; null: it leaves. Whose window is open is answered
 */
export async function heldUntil(
  read: KeyReads,
  to: Pick<Route, 'line' | 'contact' | 'recipient' | 'quietHours'> & {
    readonly workspaceId: string
    readonly category: string | null
    readonly now: EpochMs
  },
): Promise<EpochMs | null> {
  const until = to.quietHours && quietUntil(to.quietHours, to.category, to.recipient, to.now)
  return until === null || (await hasOpenWindow(read, to)) ? null : until
}
