import { randomInt } from 'node:crypto'
import { randomBase62 } from '../base/ids.ts'
import type { Attempts, Challenge } from './attempt.ts'

/** Some receivers answer `Number(challenge)`: digits without a zero before them, well below 2^53, come back as sent. */
const challengeRange = [10 ** 9, 10 ** 14] as const
/** Nobody knows it: for receivers that look at no token. */
const madeTokenChars = 32

/**
 * Asks a receiver of the platform's format once whether it is one (docs/upstream.md#webhook-verification).
 * @param receiver.verifyToken absent: one is made
 * @returns why it is not, in words for people; null: it is. @throws Error when the thread died: it may have been asked
 */
export async function verificationProblem(
  attempts: Pick<Attempts, 'verify'>,
  { url, headers, verifyToken }: Pick<Challenge, 'url' | 'headers'> & { readonly verifyToken?: string | undefined },
): Promise<string | null> {
  const challenge = String(randomInt(...challengeRange))
  const sent = { url, headers, challenge, verifyToken: verifyToken ?? randomBase62(madeTokenChars) }
  const { status, error, answer } = await attempts.verify(sent)
  if (error !== null) return `the receiver was asked for hub.challenge and did not answer: ${error}`
  if (status !== 200) {
    return `the receiver answered ${status} to hub.challenge, and must answer 200. Does it know the verify token?`
  }
  // As text: what is no number to one side could be one to the other.
  if (answer?.trim() === challenge) return null
  return 'the receiver did not answer the digits of hub.challenge, and nothing else. Does it know the verify token?'
}
