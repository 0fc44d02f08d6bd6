import type { Command } from 'commander'
import type { Store } from '../../db/contract/store.ts'
import { addVerb } from './command.ts'
import { CommandError } from './failure.ts'
import { toggle } from './inputs.ts'
import { report } from './output.ts'
import type { Workbench } from './session.ts'

/**
 * `waypost message settle-waiting`: after a restore with the tools of PostgreSQL. `waypost restore` does it
 * automatically.
 */
export function settleWaiting(message: Command, withStore: Workbench['withStore']): void {
  addVerb(message, {
    name: 'settle-waiting',
    summary:
      'settle waiting messages as UNKNOWN after a restore by other tools, so that none is sent twice; ' +
      'stop all gateways first',
    example: 'message settle-waiting --force',
    inputs: { force: toggle('really do it; without --force nothing is changed') },
    run: ({ force }) =>
      withStore(
        async ({ store }) => {
          if (!force) {
            throw new CommandError(
              '--force settles all messages that wait to be sent as UNKNOWN: they are never sent',
              { code: 'NOT_CONFIRMED' },
            )
          }
          const messages = await interruptWaiting(store)
          return { data: { messages }, text: report('Waiting messages settled', { 'messages now UNKNOWN': messages }) }
        },
        { withoutGateways: true },
      ),
  })
}

/** Small enough for the memory and speed of any machine. */
const settledAtOnce = 500

/**
 * Messages that waited at the time of the backup, or were handed over, may have been sent since, and must never be sent
 * twice: they become UNKNOWN. No gateway may run. @returns how many
 */
export async function interruptWaiting(store: Store): Promise<number> {
  let count = 0
  for (const { id } of await store.read.workspaces()) count += await interruptWorkspace(store, id)
  return count
}

async function interruptWorkspace({ clock, read, write }: Store, workspaceId: string): Promise<number> {
  const at = clock.now()
  const search = {
    workspaceId,
    status: ['QUEUED'],
    direction: 'newer',
    limit: settledAtOnce,
    scan: settledAtOnce,
  } as const
  let count = 0
  for (let cursor: string | undefined; ; ) {
    const { messages, next } = await read.searchMessages({ ...search, cursor })
    await Promise.all(
      messages.map(({ id: messageId }) =>
        write.recordEvent({
          messageId,
          event: { kind: 'lost', at },
          detail: { why: 'restored from a backup' },
          recordedAt: at,
        }),
      ),
    )
    count += messages.length
    if (next === null) return count
    cursor = next
  }
}
