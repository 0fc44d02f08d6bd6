import type { Command } from 'commander'
import type { Contact } from '../../db/contract/records.ts'
import type { ErasureStep } from '../../db/contract/removals.ts'
import type { Store } from '../../db/contract/store.ts'
import { saveContact } from '../operations/contacts.ts'
import { forgetContact } from '../operations/erasure.ts'
import { addVerb } from './command.ts'
import { CommandError, done, UsageError } from './failure.ts'
import { idOf, optional, optionalArgument, phone, workspacesOption } from './inputs.ts'
import { report } from './output.ts'
import type { Workbench } from './session.ts'
import { progress } from './streams.ts'
import { meantWorkspaces } from './workspace.ts'

export function forgetContactCommand(contact: Command, { withStore }: Workbench): void {
  addVerb(contact, {
    name: 'forget',
    summary: 'erase the number, user id and name of a contact and what it wrote; counts and statuses stay',
    example: 'contact forget --phone +4930123456',
    inputs: {
      contact: optionalArgument(idOf('contact'), 'the contact, contact_…'),
      phone: optional(phone, 'the person with this number, +1…, even without a contact'),
      workspace: workspacesOption,
    },
    oneOf: [['contact', 'phone']],
    run: ({ contact: contactId, phone, workspace }) =>
      withStore(async ({ store, operator }) => {
        if (contactId !== undefined && phone !== undefined) throw new UsageError('Give either <contact> or --phone')
        const known = phone === undefined ? contactId : (await withPhone(store, phone, workspace)).id
        const tell = progress()
        const onStep = async (step: ErasureStep) => {
          await tell(soFar(step))
          return true
        }
        const { id, messages, inbound, state } = done(await forgetContact(operator, known ?? '', onStep))
        return {
          data: { id, messages, inbound, isDone: state === 'done' },
          text: report('Contact forgotten', {
            id,
            'messages to it': messages,
            'messages from it': inbound,
            ...(state === 'waiting' && {
              'still to come': 'a message that is being sent now; the gateway erases it then',
            }),
          }),
        }
      }),
  })
}

function soFar({ messages, inbound, lookedUntil }: ErasureStep): string {
  const erased = `Erased so far: ${messages} messages to it, ${inbound} from it`
  if (lookedUntil === null) return erased
  // It begins before the first message.
  const until = lookedUntil === 0 ? '' : `, up to those of ${new Date(lookedUntil).toISOString().slice(0, 10)}`
  return `${erased}; looking through the messages of the workspace${until}`
}

/** What a workspace has of a number: a contact, or only messages that were sent to the number directly. */
interface Known {
  readonly workspaceId: string
  readonly contact: Contact | null
}

/**
 * Each workspace has its own record of a number: an erasure in one of them does not concern the others.
 * @throws CommandError when nothing is known of it, or in several workspaces
 */
async function withPhone(store: Store, phone: string, workspaceId: string | undefined): Promise<Contact> {
  const workspaces = await meantWorkspaces(store, workspaceId)
  const places = (await Promise.all(workspaces.map(({ id }) => knownOf(store, phone, id)))).flat()
  const [place, ...others] = places
  if (!place) {
    throw new CommandError(`No contact has the number ${phone}, and no message went to it`, { code: 'NOT_FOUND' })
  }
  // A send to a number makes no contact. One is made now, so that the erasure runs in one way, with its entry in the
  // audit.
  if (others.length === 0)
    return place.contact ?? done(await saveContact(store, place.workspaceId, { phone, name: null }))
  const named = places.map(({ contact, workspaceId }) => `${contact?.id ?? 'messages'} of ${workspaceId}`).join(', ')
  throw new CommandError(`Several workspaces know ${phone}: ${named}. Name one with --workspace`, { code: 'CONFLICT' })
}

/** @returns empty when the workspace knows nothing of the number */
async function knownOf({ read }: Store, phone: string, workspaceId: string): Promise<readonly Known[]> {
  const { contacts } = await read.searchContacts({ workspaceId, phone, limit: 1, scan: 1 })
  if (contacts[0]) return [{ workspaceId, contact: contacts[0] }]
  for (const recipient of await read.spellings({ workspaceId, number: phone })) {
    const messages = await read.messages({ workspaceId, recipient, limit: 1 })
    if (messages.length > 0) return [{ workspaceId, contact: null }]
  }
  return []
}
