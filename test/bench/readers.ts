import { announce } from './processes.ts'
import type { Key } from './traffic.ts'

/*
 * Readers of a gateway's events, each of which asks again as soon as it is answered.
 * bun test/bench/readers.ts <address of the list> <what they do: Reading as JSON>
 * A GET of the announced address tells what they have come to.
 */

export interface Reading {
  /** Each reads by itself, several times at once. */
  readonly keys: readonly Key[]
  readonly readersOfKey: number
  /** What is asked for beside the place. */
  readonly query: Readonly<Record<string, string>>
  /** Where each begins, and begins anew when nothing is left: `latest`, or null for the oldest event. */
  readonly from: string | null
}

export interface ReadingSoFar {
  readonly open: number
  readonly answers: number
  readonly refusals: number
}

/** A reader that was refused, or cut off at the end of the gateway. */
const pauseMs = 500

if (import.meta.main) {
  const [, , url = '', reading = ''] = process.argv
  const { keys, readersOfKey, query, from } = JSON.parse(reading) as Reading
  let open = 0
  let answers = 0
  let refusals = 0
  const read = async (key: Key) => {
    for (let after = from; ; ) {
      open += 1
      const asked = new URLSearchParams({ ...query, ...(after !== null && { after }) })
      const answer = await fetch(`${url}?${asked}`, { headers: { ...key } }).catch(() => null)
      const page = answer?.ok ? ((await answer.json()) as { next: string | null }) : null
      open -= 1
      if (page === null) {
        refusals += 1
        await Bun.sleep(pauseMs)
        continue
      }
      answers += 1
      after = page.next === after ? from : page.next
    }
  }
  for (const key of keys) for (let count = 0; count < readersOfKey; count += 1) void read(key)
  const control = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => Response.json({ open, answers, refusals } satisfies ReadingSoFar),
  })
  announce({ url: control.url.href })
}
