import type { Clock } from '../../../../base/clock.ts'
import { secondMs } from '../../../../base/durations.ts'

/** Who steps through the list, or only looks who wrote, is gone by then; who reads the words is not. */
export const readMs = 3 * secondMs

/** What stands on the screen in front of somebody: up to which message, and how many of them nobody has read. */
export interface Seen {
  readonly upTo: number
  readonly unread: number
}

/**
 * Decides what of a conversation was read: what stood there for a while. What comes meanwhile has its own while, and
 * what was told once is not told again, so that who marks it as unread is not overruled by a page that stands open.
 * @param tell notes that everything up to a message is read; false: it failed, and is told at the next look
 */
export function createReading(
  clock: Pick<Clock, 'steady' | 'setTimer'>,
  tell: (upTo: number) => Promise<boolean>,
): { look(seen: Seen | null): void; end(): void } {
  let looks: readonly { readonly upTo: number; readonly since: number }[] = []
  let toldUpTo = 0
  let cancel = () => {}

  async function tellLooked() {
    const upTo = looks.findLast(({ since }) => clock.steady() - since >= readMs)?.upTo ?? 0
    // A browser's timer may be early.
    if (upTo > 0 && !(await tell(upTo))) return
    toldUpTo = Math.max(toldUpTo, upTo)
    wait()
  }

  function wait() {
    cancel()
    looks = looks.filter(({ upTo }) => upTo > toldUpTo)
    const [next] = looks
    if (next) cancel = clock.setTimer(Math.max(0, next.since + readMs - clock.steady()), tellLooked)
  }

  return {
    /** @param seen null: nobody looks */
    look(seen) {
      if (seen === null) looks = []
      else if (seen.unread === 0) toldUpTo = Math.max(toldUpTo, seen.upTo)
      else if (looks.every(({ upTo }) => upTo < seen.upTo)) {
        looks = [...looks, { upTo: seen.upTo, since: clock.steady() }]
      }
      wait()
    },
    end: () => cancel(),
  }
}
