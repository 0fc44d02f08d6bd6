import { idCharsMax } from '../../db/contract/updates.ts'
import { field, isObject, isText, text } from '../base/json.ts'
import { userIdPattern } from '../base/upstreamLimits.ts'

/** A name has 25 to 256 characters. */
export const nameCharsMax = 256
/** The upstream's are far shorter. The beginning of a longer one might be the username of somebody else. */
const usernameCharsMax = 100

const digits = /^\d{5,17}$/

/** A user, as a callback names one. */
export interface Person extends Profile {
  /** `+` and digits. */
  readonly phone: string | null
  readonly userId: string | null
}

/** What users call themselves. */
export interface Profile {
  readonly name: string | null
  /** Without its `@`. Null: the user has none. Left out: nothing is said of it. */
  readonly username?: string | null
}

/**
 * Reads a user of whom a callback has a number, a user id, or both (docs/upstream.md#user-identifiers). A field that is
 * named for the number may have the user id of who hides the number.
 */
export function identityOf(number: unknown, userId: unknown): Pick<Person, 'phone' | 'userId'> {
  const named = text(number)
  const isUserId = named !== null && userIdPattern.test(named)
  return {
    phone: named !== null && digits.test(named) ? `+${named}` : null,
    userId: bounded(text(userId)) ?? (isUserId ? named : null),
  }
}

/** @returns the upstream's id of the line that a change came to */
export const upstreamPhoneIdOf = (value: unknown) => text(field(field(value, 'metadata'), 'phone_number_id'))

/** What is longer is not valid. */
export const bounded = (id: string | null) => (id !== null && id.length <= idCharsMax ? id : null)

/**
 * @param contacts of the change, beside the part that names the user
 * @param isAlone whether that part has no others beside it: then a single contact is its own, though they share no id
 * @returns the user with what the contact adds
 */
export function personOf(
  named: Pick<Person, 'phone' | 'userId'>,
  contacts: readonly unknown[],
  isAlone: boolean,
): Person {
  const told = contacts.map(contact => ({
    ...identityOf(field(contact, 'wa_id'), field(contact, 'user_id')),
    ...profileOf(field(contact, 'profile')),
  }))
  const isSame = (one: string | null, other: string | null) => one !== null && one === other
  const contact =
    told.find(({ phone, userId }) => isSame(phone, named.phone) || isSame(userId, named.userId)) ??
    (isAlone && told.length === 1 ? told[0] : undefined)
  const { phone = null, userId = null, ...profile } = contact ?? { name: null }
  return { phone: named.phone ?? phone, userId: named.userId ?? userId, ...profile }
}

/** With a profile that has no username, the user has none. Without a profile, nothing is said of it. */
function profileOf(profile: unknown): Profile {
  const name = text(field(profile, 'name'))?.slice(0, nameCharsMax) ?? null
  const said = field(profile, 'username') ?? ''
  const isSaid = isObject(profile) && isText(said) && said.length <= usernameCharsMax
  return isSaid ? { name, username: text(said.replace(/^@/, '')) } : { name }
}
