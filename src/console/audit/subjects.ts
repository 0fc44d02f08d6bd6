import type { AuditEntry } from '../../../db/contract/queries.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import type { EpochMs } from '../../base/clock.ts'
import { lineName } from '../../base/direction.ts'
import { keyLabelsOf } from '../../operations/apiKeys.ts'
import { contactName } from '../../operations/contacts.ts'

/** The fields of a change that name its subject. */
const naming = ['email', 'description'] as const

/** @returns the name that the entry itself keeps of a subject that may be gone: whom it invited, what it removed */
export function nameKept({ changes }: Pick<AuditEntry, 'changes'>): string | null {
  for (const field of naming) {
    const [from, to] = changes?.[field] ?? [null, null]
    const name = to ?? from
    if (typeof name === 'string') return name
  }
  return null
}

type Named = readonly [id: string, name: string]

/**
 * Finds what people call the subjects of audit entries: a label, a number, a name, an address. One read a subject, by
 * its key, and a list of the workspace's people where one is among them.
 * @returns names by id, of what is there and belongs to the workspace: nothing of what was removed or forgotten
 */
export async function namesOf(
  read: StoreReads,
  { workspaceId, at }: { workspaceId: string; at: EpochMs },
  subjects: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(subjects)]
  const hasAny = (prefix: string) => ids.some(id => id.startsWith(`${prefix}_`))
  const people = hasAny('user') ? await read.members(workspaceId) : []
  const keyLabels = keyLabelsOf(hasAny('pk') ? await read.keys(workspaceId) : [])
  const invitations = hasAny('inv') ? await read.invitations({ workspaceId, at }) : []
  const own = <Thing extends { workspaceId: string; removedAt?: EpochMs | null }>(thing: Thing | null) =>
    thing?.workspaceId === workspaceId && !thing.removedAt ? thing : null
  /** By the prefix of an id. */
  const finders: Readonly<Record<string, (id: string) => Promise<string | null | undefined>>> = {
    async pk(id) {
      return own(await read.key(id)) && (keyLabels.get(id) ?? id)
    },
    chan: async id => own(await read.channel(id))?.accountId,
    async line(id) {
      const line = own(await read.line(id))
      return line && lineName(line)
    },
    async hook(id) {
      const webhook = own(await read.webhook(id))
      return webhook?.description ?? webhook?.url
    },
    msg: async id => own(await read.message(id))?.recipient,
    async contact(contactId) {
      const contact = await read.contact({ workspaceId, contactId })
      return contact && contactName(contact)
    },
    async batch(id) {
      const batch = own(await read.batch(id))
      return batch && (batch.name ?? batch.id)
    },
    async tpl(id) {
      const template = await read.template(id)
      return template && own(await read.channel(template.channelId)) && template.name
    },
  }
  const found = ids.map(async (id): Promise<readonly Named[]> => {
    const name = await finders[id.split('_')[0] ?? '']?.(id)
    return name ? [[id, name]] : []
  })
  return new Map([
    ...(await Promise.all(found)).flat(),
    ...people.map(({ id, name, email }): Named => [id, name ?? email]),
    ...invitations.map(({ id, email }): Named => [id, email]),
  ])
}
