import { fixedNumber, keyed, mark, sendBody, sendPath } from '../traffic.ts'
import type { Opened } from './peer.ts'

/** Longer than a gateway lets a send wait. */
const answerMsMax = 15_000

/** @returns the number that a send of the bench goes to, without the `+` */
export const numberOf = (send: number) => `4915${fixedNumber(send)}`

/** Makes a send with its own key. @returns its status; null when there was no answer that says one */
export async function sendOnce({ url, key }: Opened, send: number): Promise<string | null> {
  try {
    const answer = await fetch(url + sendPath, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: sendBody(keyed).replaceAll(mark, fixedNumber(send)),
      signal: AbortSignal.timeout(answerMsMax),
    })
    const { data } = (await answer.json()) as { data?: { status?: string } }
    return data?.status ?? null
  } catch {
    return null
  }
}
