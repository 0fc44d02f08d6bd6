import { changedRowsMax } from '../../../reading/steps.ts'

/** Which messages have changed. Null: not all are named, or so many that to read each costs more than a page. */
export type MessageIds = readonly string[] | null

/**
 * @returns asks for readings: at most one each `pauseMs`, and none while one runs, as each would begin it anew. Each
 *   gets the messages of all who asked since the one before
 */
export function paced(pauseMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let reading: Promise<unknown> | undefined
  let changed: MessageIds = []
  let latest: (changed: MessageIds) => Promise<unknown>
  return {
    ask(messageIds: MessageIds, read: (changed: MessageIds) => Promise<unknown>): void {
      changed = bothOf(changed, messageIds)
      latest = read
      timer ??= setTimeout(async () => {
        await reading
        timer = undefined
        const since = changed
        changed = []
        reading = latest(since)
      }, pauseMs)
    },
    end(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

function bothOf(some: MessageIds, others: MessageIds): MessageIds {
  if (some === null || others === null) return null
  const ids = new Set([...some, ...others])
  return ids.size > changedRowsMax ? null : [...ids]
}
