import type { Command } from 'commander'
import type { Contact } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import { eraseContact } from '../contactErasure.ts'
import { addVerb } from './command.ts'
import { CommandError, found, removedThing, UsageError } from './failure.ts'
import { idOf, optional, optionalArgument, phone, workspacesOption } from './inputs.ts'
import { report } from './output.ts'
import type { Workbench } from './session.ts'
import { meantWorkspaces } from './workspace.ts'

export function forgetContactCommand(contact: Command, { withStore }: Workbench): void {
  addVerb(contact, {
    name: 'forget',
    summary: 'erase the number, user id and name of a contact and what it wrote; counts and statuses stay',
    example: 'contact forget --phone +4930123456',
    inputs: {
      contact: optionalArgument(idOf('contact'), 'the contact, contact_…'),
      phone: optional(phone, 'the contact with this number, +1…'),
      workspace: workspacesOption,
    },
    oneOf: [['contact', 'phone']],
    run: ({ contact: contactId, phone, workspace }) =>
      withStore(async ({ store }) => {
        if (contactId !== undefined && phone !== undefined) throw new UsageError('Give either <contact> or --phone')
        const contact =
          phone === undefined
            ? found(await store.read.contactById(contactId ?? ''), 'contact', contactId ?? '')
            : await withPhone(store, phone, workspace)
        const erasure = await eraseContact(store, contact, store.clock)
        if (erasure.outcome !== 'erased') return removedThing(erasure, 'contact', contact.id)
        const { messages, inbound } = erasure
        return {
          data: { id: contact.id, messages, inbound },
          text: report('Contact forgotten', {
            id: contact.id,
            'messages to it': messages,
            'messages from it': inbound,
          }),
        }
      }),
  })
}

/**
 * A number is known to each workspace for itself: who asks one of them to forget it has not asked the others.
 * @throws CommandError when no contact has it, or those of several workspaces
 */
async function withPhone(store: Store, phone: string, workspaceId: string | undefined): Promise<Contact> {
  const workspaces = await meantWorkspaces(store, workspaceId)
  const searches = workspaces.map(({ id }) => store.read.searchContacts({ workspaceId: id, phone, limit: 1, scan: 1 }))
  const contacts = (await Promise.all(searches)).flatMap(({ contacts }) => contacts)
  const [contact, ...others] = contacts
  if (!contact) throw new CommandError(`No contact has the number ${phone}`, { code: 'NOT_FOUND' })
  if (others.length === 0) return contact
  const places = contacts.map(({ id, workspaceId }) => `${id} of ${workspaceId}`).join(', ')
  throw new CommandError(`Several workspaces have a contact with ${phone}: ${places}. Name one with --workspace`, {
    code: 'CONFLICT',
  })
}
