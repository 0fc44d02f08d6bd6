import type { Command } from 'commander'
import { systemClock } from '../clock.ts'
import { eraseContact } from '../contactErasure.ts'
import { addVerb } from './command.ts'
import { found, removedThing } from './failure.ts'
import { argument, id } from './inputs.ts'
import { report } from './output.ts'
import type { Workbench } from './session.ts'

export function forgetContactCommand(contact: Command, { withStore }: Workbench): void {
  addVerb(contact, {
    name: 'forget',
    summary: 'erase the number, user id and name of a contact and what it wrote; counts and statuses stay',
    example: 'contact forget contact_…',
    inputs: { contact: argument(id, 'the contact, contact_…') },
    run: ({ contact: contactId }) =>
      withStore(async ({ store }) => {
        const contact = found(await store.read.contactById(contactId), 'contact', contactId)
        const erasure = await eraseContact(store, contact, systemClock)
        if (erasure.outcome !== 'erased') return removedThing(erasure, 'contact', contactId)
        const { messages, inbound } = erasure
        return {
          data: { id: contactId, messages, inbound },
          text: report('Contact forgotten', {
            id: contactId,
            'messages to it': messages,
            'messages from it': inbound,
          }),
        }
      }),
  })
}
