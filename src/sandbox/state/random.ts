/** @returns `length` random bytes. Injected, so that a test can repeat a run. */
export type Random = (length: number) => Uint8Array

export const systemRandom: Random = length => crypto.getRandomValues(new Uint8Array(length))

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase()

/**
 * A message id as the upstream makes them: base64 of a small binary record that holds the user's number and a random
 * part. Clients must treat it as opaque text, so it is built to look like the real one, length and padding included.
 */
export function newWamid(random: Random, waId: string, direction: 'out' | 'in' = 'out'): string {
  const [mark, randomBytes] = direction === 'out' ? [0x11, 9] : [0x12, 16]
  const suffix = hex(random(randomBytes))
  const head = Buffer.from([0x15, 0x02, 0x00, mark, 0x18, suffix.length])
  return wamidOf(waId, Buffer.concat([head, Buffer.from(suffix, 'latin1'), Buffer.from([0x00])]))
}

/** What an id begins with, before the length of the user. */
const idHead = [0x1c, 0x18] as const

function wamidOf(user: string, rest: Uint8Array): string {
  const bytes = Buffer.concat([Buffer.from([...idHead, user.length]), Buffer.from(user, 'latin1'), rest])
  return `wamid.${bytes.toString('base64')}`
}

/**
 * @returns the id by which the user's side names a message, since about July 2026: it holds the user id where the
 *   other has the number, and the number where that has the user id. A made-up id is as it is
 */
export function asUserSees(wamid: string, waId: string): string {
  const bytes = Buffer.from(wamid.replace(/^wamid\./, ''), 'base64')
  const end = idHead.length + 1 + (bytes[idHead.length] ?? 0)
  if (!idHead.every((byte, at) => bytes[at] === byte) || bytes.length <= end) return wamid
  const user = bytes.toString('latin1', idHead.length + 1, end)
  return wamidOf(user === waId ? userIdOf(waId) : waId, bytes.subarray(end))
}

/** The trace id that the upstream's support asks for: new for each error. */
export function newTraceId(random: Random): string {
  return `A${Buffer.from(random(16)).toString('base64url')}`
}

/** @returns decimal digits of the usual length of an upstream id, beyond a safe integer on purpose. */
export function newNumericId(random: Random): string {
  const value = Buffer.from(random(8)).readBigUInt64BE() % 9_000_000_000_000_000n
  return (value + 91_000_000_000_000_000n).toString()
}

/** A business-scoped user id, always the same for one number. */
export function userIdOf(waId: string): string {
  return `US.${BigInt(`9${waId}`) * 7_919n}`
}

/** @returns the number that goes with a user id; any other text as it is */
export function numberOf(user: string): string {
  const product = BigInt(/^US\.(\d{1,30})$/.exec(user)?.[1] ?? 1)
  const number = (product / 7_919n).toString()
  return product % 7_919n === 0n && number.startsWith('9') ? number.slice(1) : user
}

/**
 * One key for a line and a user, whether the user is known by a number (digits) or by the user id that goes with it.
 */
export const pairOf = (lineId: string, waId: string): string => `${lineId} ${/^\d/.test(waId) ? userIdOf(waId) : waId}`
