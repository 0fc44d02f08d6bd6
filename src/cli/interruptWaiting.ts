import type { Store } from '../../db/store.ts'

/** Small enough for any machine. */
const pageSize = 500

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
  const search = { workspaceId, status: 'QUEUED', direction: 'newer', limit: pageSize, scan: pageSize } as const
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
