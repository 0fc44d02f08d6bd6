/*
 * The upstream's id of a message depends on who looks at it: it holds the other person (a number, another spelling of
 * it, a user id) and a token, and the token alone is the message's (docs/upstream.md#message-identifiers). This is the
 * one place that knows the layout. An id of any other form is its text.
 */

const prefix = 'wamid.'
/** Before the peer, and before the token; each is followed by a length. */
const peerMark = [0x1c, 0x18]
const directionMark = [0x15, 0x02, 0x00]
const tokenMark = 0x18
const directions: Readonly<Record<number, 'business' | 'user'>> = { 17: 'business', 18: 'user' }
/** Those that are known have 18 and more. With these, the ends below are the same for every peer. */
const tokenPattern = /^[\x21-\x7e]{8,127}$/

/** How many characters of an id the indexes of messages have, from its end. */
export const endChars = 16
/** A group of base64 has three bytes, or what is left of them: so the last characters are this many bytes. */
const endBytes = [12, 11, 10]

interface Parts {
  readonly token: string
  /** All but the peer. */
  readonly rest: Buffer
}

function partsOf(id: string): Parts | null {
  if (!id.startsWith(prefix)) return null
  const base64 = id.slice(prefix.length)
  const bytes = Buffer.from(base64, 'base64')
  const has = (at: number, mark: readonly number[]) => mark.every((byte, index) => bytes[at + index] === byte)
  const directionAt = peerMark.length + 1 + (bytes[peerMark.length] ?? 0)
  const tokenAt = directionAt + directionMark.length + 1
  const direction = directions[bytes[tokenAt - 1] ?? 0]
  const token = bytes.toString('latin1', tokenAt + 2, bytes.length - 1)
  const isWhole =
    has(0, peerMark) &&
    has(directionAt, directionMark) &&
    has(tokenAt, [tokenMark, token.length]) &&
    bytes.at(-1) === 0 &&
    tokenPattern.test(token) &&
    bytes.toString('base64') === base64
  return isWhole && direction ? { token: `${direction} ${token}`, rest: bytes.subarray(directionAt) } : null
}

/** @returns who sent the message, and its token: the same in each of its ids; null for an id of another form */
export const tokenOf = (id: string): string | null => partsOf(id)?.token ?? null

/** @returns the last characters that the ids of this message may have; of an id of another form, its own */
export function endsOf(id: string): readonly string[] {
  const parts = partsOf(id)
  return parts ? endBytes.map(bytes => parts.rest.subarray(-bytes).toString('base64')) : [id.slice(-endChars)]
}

/** Whether both ids name one message. The same token may be of two messages, on other lines or of other people. */
export function isSameMessage(one: string, other: string): boolean {
  if (one === other) return true
  const token = tokenOf(one)
  return token !== null && token === tokenOf(other)
}

/**
 * @param candidates of the line and the contact that the id is about
 * @returns the one with exactly this id, else the only one with its token; undefined where there are two
 */
export function namedBy<Candidate extends { readonly channelMessageId: string | null }>(
  id: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const exact = candidates.find(({ channelMessageId }) => channelMessageId === id)
  if (exact) return exact
  const [only, ...others] = candidates.filter(
    ({ channelMessageId }) => channelMessageId !== null && isSameMessage(id, channelMessageId),
  )
  return others.length === 0 ? only : undefined
}
