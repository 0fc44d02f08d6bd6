import { changedRowsMax } from '../../../reading/steps.ts'

/** Which messages have changed. Null: not all are named, or so many that to read each costs more than a page. */
export type MessageIds = readonly string[] | null

/** A busy gateway reports changes four times a second; nobody reads that fast. */
export const promptMs = 1_000

/**
 * @returns asks for readings: at most one each `pauseMs`, the first soon, and none while one runs, as each would begin
 *   it anew. Each gets the messages of all who asked since the one before
 */
export function paced(pauseMs: number, read: (changed: MessageIds) => Promise<unknown>) {
  let readAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  let reading: Promise<unknown> | undefined
  let changed: MessageIds = []
  return {
    ask(messageIds: MessageIds): void {
      changed = bothOf(changed, messageIds)
      const waitMs = Math.max(Math.min(promptMs, pauseMs), readAt + pauseMs - performance.now())
      timer ??= setTimeout(async () => {
        await reading
        timer = undefined
        const since = changed
        changed = []
        readAt = performance.now()
        reading = read(since)
      }, waitMs)
    },
    /** Something else is read from now on, or changes were not told: the next reading is not told all. */
    miss(): void {
      changed = null
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
