import { accountLetters } from './letters/account.ts'
import type { About, Change } from './letters/change.ts'
import { statusLetters } from './letters/statuses.ts'
import { userLetters } from './letters/users.ts'
import { tenants } from './tenants.ts'

/*
 * Callbacks as the platform and programs beside us were seen to make them, written anew with values of our own: what
 * our own generators would not think of. A history mixes, repeats, reorders and cuts them.
 */

const letters = { ...statusLetters, ...userLetters, ...accountLetters }
export const letterNames = Object.keys(letters)

/** @returns one callback of several letters, as the platform gathers them, and what it says of messages that are there */
export function recordedBody(names: readonly string[], about: About) {
  const changes = names.flatMap((name, at) => letters[name]?.({ ...about, nth: about.nth * 10 + at }) ?? [])
  const entry = [{ id: tenants[about.tenant].accountId, time: about.timestamp, changes: changes.map(bare) }]
  const { own } = about
  const statuses = own ? changes.flatMap(({ status }) => status ?? []) : []
  return { body: JSON.stringify({ object: 'whatsapp_business_account', entry }), statuses }
}

const bare = ({ field, value }: Change) => ({ field, value })
