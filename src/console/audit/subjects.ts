import type { StoreReads } from '../../../db/store.ts'
import type { EpochMs } from '../../time/clock.ts'

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
  const of = (prefix: string) => ids.filter(id => id.startsWith(`${prefix}_`))
  const each = async <Thing>(
    prefix: string,
    find: (id: string) => Promise<Thing | null>,
    nameOf: (thing: Thing, id: string) => string | null | Promise<string | null>,
  ): Promise<readonly Named[]> => {
    const found = of(prefix).map(async (id): Promise<readonly Named[]> => {
      const thing = await find(id)
      const name = thing === null ? null : await nameOf(thing, id)
      return name === null ? [] : [[id, name]]
    })
    return (await Promise.all(found)).flat()
  }
  /** Of the workspace, and not removed. */
  const own = (thing: { workspaceId: string; removedAt?: EpochMs | null }, name: string) =>
    thing.workspaceId === workspaceId && !thing.removedAt ? name : null
  const people = of('user').length > 0 ? await read.members(workspaceId) : []
  const invitations = of('inv').length > 0 ? await read.invitations({ workspaceId, at }) : []
  const named = await Promise.all([
    each('pk', read.key, (key, id) => own(key, key.label ?? id)),
    each('chan', read.channel, channel => own(channel, channel.accountId)),
    each('line', read.line, line => own(line, line.number)),
    each('hook', read.webhook, hook => own(hook, hook.description ?? hook.url)),
    each('msg', read.message, message => own(message, message.recipient)),
    each(
      'contact',
      contactId => read.contact({ workspaceId, contactId }),
      ({ name, phone, userId }, id) => name ?? phone ?? userId ?? id,
    ),
    each('tpl', read.template, async ({ name, channelId }) => {
      const channel = await read.channel(channelId)
      return channel && own(channel, name)
    }),
  ])
  return new Map([
    ...named.flat(),
    ...people.map(({ id, name, email }): Named => [id, name ?? email]),
    ...invitations.map(({ id, email }): Named => [id, email]),
  ])
}
