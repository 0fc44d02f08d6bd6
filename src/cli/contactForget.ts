import type { Command } from 'commander'
import type { Contact } from '../../db/records.ts'
import type { Store } from '../../db/store.ts'
import { systemClock } from '../clock.ts'
import { addVerb } from './command.ts'
import { found, removedThing } from './failure.ts'
import { argument, id } from './inputs.ts'
import { report } from './output.ts'
import type { Workbench } from './session.ts'

/** Each step shares its commit with sends, and a long one would delay them. */
const stepMax = 500

export function forgetContactCommand(contact: Command, { withStore }: Workbench): void {
  addVerb(contact, {
    name: 'forget',
    summary: 'erase the number, user id and name of a contact and what it wrote; counts and statuses stay',
    example: 'contact forget contact_…',
    inputs: { contact: argument(id, 'the contact, contact_…') },
    run: ({ contact: contactId }) =>
      withStore(async ({ store }) => {
        const contact = found(await store.read.contactById(contactId), 'contact', contactId)
        const { messages, inbound } = await forget(store, contact)
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

/**
 * The contact itself comes last: if the command is interrupted, it can be run again.
 * @throws CommandError when messages wait for it
 */
async function forget(store: Store, { id: contactId, workspaceId, phone, userId }: Contact) {
  // The upstream writes a number without its plus.
  const addresses = [phone, phone?.replace(/^\+/, ''), userId].filter(address => typeof address === 'string')
  // Before anything is erased, because waiting messages could not be sent any more.
  const waiting = await store.read.waitingFor({ workspaceId, contactId, addresses })
  if (waiting > 0) removedThing({ outcome: 'waiting', waiting }, 'contact', contactId)
  let after = ''
  async function forgetMessages(): Promise<number> {
    let messages = 0
    for (;;) {
      const step = await store.write.forgetMessages({ contactId, workspaceId, addresses, after, limit: stepMax })
      messages += step.forgotten
      if (step.after === null) return messages
      after = step.after
    }
  }
  let messages = await forgetMessages()
  let inbound = 0
  for (let step = stepMax; step === stepMax; inbound += step) {
    step = await store.write.forgetInbound({ contactId, limit: stepMax })
  }
  removedThing(await store.write.forgetContact({ contactId, addresses, at: systemClock.now() }), 'contact', contactId)
  // Messages that were sent meanwhile.
  messages += await forgetMessages()
  return { messages, inbound }
}
