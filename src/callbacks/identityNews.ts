import type { IdentityNews } from '../../db/contract/records.ts'
import type { StoreReads } from '../../db/contract/store.ts'

/**
 * Each status names its recipient, and nearly none says anything new of a contact: most recipients are none, and the
 * others are known. So what is stored already is looked at before anything is written.
 * @returns what may change a contact
 */
export async function newsAmong(
  read: Pick<StoreReads, 'contactsAt'>,
  workspaceId: string,
  told: readonly IdentityNews[],
): Promise<readonly IdentityNews[]> {
  const addresses = told.flatMap(({ identityChange, from }) => (identityChange ? [] : [from.phone, from.userId]))
  const named = [...new Set(addresses.filter(address => address !== null))]
  if (named.length === 0) return told
  const contacts = await read.contactsAt({ workspaceId, addresses: named })
  return told.filter(({ identityChange, from: { phone, userId, name, username } }) => {
    if (identityChange) return true
    const [ofPhone, ofUser] = [contacts.get(phone ?? ''), contacts.get(userId ?? '')]
    const known = ofPhone ?? ofUser
    if (!known) return false
    const isOne = (phone === null || ofPhone?.id === known.id) && (userId === null || ofUser?.id === known.id)
    const isNamed = (name === null || known.name !== null) && (!username || known.username !== null)
    return !(isOne && isNamed)
  })
}
