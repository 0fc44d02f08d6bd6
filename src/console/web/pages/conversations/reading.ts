import type { Clock } from '../../../../base/clock.ts'
import { secondMs } from '../../../../base/durations.ts'

/** Who steps through the list, or only looks who wrote, is gone by then; who reads the words is not. */
export const readMs = 3 * secondMs

/** Something that is unread. Who has seen it, and all that is unread before it, has read up to its number. */
export interface Unread {
  readonly id: string
  readonly upTo: number
  /** It stands on the screen. */
  readonly isShown: boolean
}

/**
 * Decides what of a conversation was read: what stood on the screen for a while, and all that is unread before it. What
 * comes meanwhile has its own while, and what was told once is not told again, so that who marks it as unread is not
 * overruled by a page that stands open.
 * @param tell notes that everything up to a number is read; false: it failed, and is told at the next look
 */
export function createReading(
  clock: Pick<Clock, 'steady' | 'setTimer'>,
  tell: (upTo: number) => Promise<boolean>,
): { look(unread: readonly Unread[] | null): void; allRead(upTo: number): void; end(): void } {
  let unread: readonly Unread[] = []
  /** Since when each of them is shown. */
  let looks: ReadonlyMap<string, number> = new Map()
  const seen = new Set<string>()
  let toldUpTo = 0
  let cancel = () => {}

  const seenUpTo = () => {
    const firstUnseen = unread.findIndex(({ id }) => !seen.has(id))
    return (firstUnseen < 0 ? unread : unread.slice(0, firstUnseen)).at(-1)?.upTo ?? 0
  }

  async function tellLooked() {
    for (const [id, since] of looks) if (clock.steady() - since >= readMs) seen.add(id)
    const upTo = seenUpTo()
    if (upTo > toldUpTo && !(await tell(upTo))) return
    toldUpTo = Math.max(toldUpTo, upTo)
    wait()
  }

  function wait() {
    cancel()
    const waiting = [...looks].flatMap(([id, since]) => (seen.has(id) ? [] : since + readMs))
    // A browser's timer may be early.
    const dueAt = seenUpTo() > toldUpTo ? 0 : Math.min(...waiting)
    if (dueAt < Infinity) cancel = clock.setTimer(Math.max(0, dueAt - clock.steady()), tellLooked)
  }

  return {
    /** @param now what is unread, oldest first; null: nobody looks */
    look(now) {
      unread = now ?? []
      const shown = unread.filter(({ isShown, upTo }) => isShown && upTo > toldUpTo)
      looks = new Map(shown.map(({ id }) => [id, looks.get(id) ?? clock.steady()]))
      wait()
    },
    /** What somebody else has read, or answered, is not told. */
    allRead(upTo) {
      toldUpTo = Math.max(toldUpTo, upTo)
      wait()
    },
    end: () => cancel(),
  }
}
