import type { Command } from 'commander'
import type { Contact, FlowSession, InboundEntry } from '../../db/contract/records.ts'
import type { ErasureStep } from '../../db/contract/removals.ts'
import type { Store } from '../../db/contract/store.ts'
import { atUsername } from '../base/names.ts'
import { inboundText } from '../inbound/contents.ts'
import { isDropped } from '../inbound/view.ts'
import type { WishSource } from '../message/optOut.ts'
import { setBlocked } from '../operations/blocking.ts'
import { contactName, contactOf, saveContact } from '../operations/contacts.ts'
import { forgetContact } from '../operations/erasure.ts'
import { setWish } from '../operations/optOuts.ts'
import { addNoun, addVerb } from './command.ts'
import { CommandError, done, UsageError } from './failure.ts'
import {
  argument,
  idOf,
  limitOption,
  name,
  oneWorkspaceOption,
  optional,
  optionalArgument,
  phone,
  required,
  shortRowsDefault,
  workspacesOption,
} from './inputs.ts'
import { addList, addReading, updateTexts, updateView } from './list.ts'
import { card, commandLine, report, table, withIsoTimes } from './output.ts'
import { type Workbench, withChannelClient } from './session.ts'
import { progress } from './streams.ts'
import { meantWorkspaces, ofWorkspaces, oneWorkspace } from './workspace.ts'

const timelineDefault = 50

const byOperator: WishSource = { kind: 'operator', word: null, by: null }

export function contactCommands(program: Command, workbench: Workbench): void {
  const { withStore } = workbench
  const contact = addNoun(program, 'contact', 'contacts: the people who get messages')

  forgetContactCommand(contact, workbench)
  for (const isBlocked of [true, false]) blockCommand(contact, workbench, isBlocked)

  addVerb(contact, {
    name: 'add',
    summary: 'add a contact, or rename the one with this phone number',
    example: 'contact add --phone +4930123456 --name "Ada Lovelace"',
    inputs: {
      workspace: oneWorkspaceOption,
      phone: required(phone, 'the phone number, +1…'),
      name: optional(name, 'the name'),
    },
    run: ({ workspace, phone, name = null }) =>
      withStore(async ({ store }) => {
        const { id: workspaceId } = await oneWorkspace(store, workspace)
        const saved = done(await saveContact(store, workspaceId, { phone, name }))
        return {
          data: withIsoTimes(saved),
          text: report('Contact saved', { id: saved.id, phone: saved.phone, name: saved.name }),
        }
      }),
  })

  for (const [name, value, what] of [
    ['opt-out', 'stop', 'no marketing any more'],
    ['opt-in', 'resume', 'marketing again; what it told the platform stays'],
  ] as const) {
    addVerb(contact, {
      name,
      summary: `say in the place of a contact that it wants ${what}`,
      example: `contact ${name} contact_…`,
      inputs: { contact: argument(idOf('contact'), 'the contact, contact_…') },
      run: ({ contact: contactId }) =>
        withStore(async ({ operator }) => {
          const { id, phone, userId } = done(await setWish(operator, contactId, value, byOperator))
          const text = report(`Contact ${value === 'stop' ? 'opted out' : 'opted in'}`, {
            id,
            phone,
            'user id': userId,
          })
          return { data: { id, phone, userId, category: 'marketing_messages', value }, text }
        }),
    })
  }

  addList(contact, workbench, {
    summary: 'list the contacts, newest first',
    example: 'contact list',
    inputs: { workspace: workspacesOption, limit: limitOption(shortRowsDefault) },
    async read({ store }, { workspace, limit }) {
      const contacts = await ofWorkspaces(store, workspace, workspaceId => store.read.contacts({ workspaceId, limit }))
      return contacts.sort((one, other) => other.createdAt - one.createdAt).slice(0, limit)
    },
    view: withIsoTimes,
    columns: {
      id: 'id',
      phone: 'phone',
      name: 'name',
      username: ({ username }) => atUsername(username),
      'created (UTC)': 'createdAt',
      workspace: 'workspaceId',
    },
    whenEmpty: ({ workspace }) =>
      `No contact yet. Add one: ${commandLine(`contact add --workspace ${workspace ?? 'ws_…'} --phone +…`)}`,
  })

  addReading(contact, workbench, {
    name: 'show',
    summary: 'show a contact, its flow sessions and the messages that it sent, newest first',
    example: 'contact show contact_…',
    inputs: {
      contact: argument(idOf('contact'), 'the contact, contact_…'),
      limit: limitOption(timelineDefault, 'at most this many messages'),
    },
    async read({ operator }, { contact: contactId, limit }) {
      const { read } = operator
      const contact = done(await contactOf(operator, contactId))
      // Of the contact that was found: one that was merged has another id.
      const { id } = contact
      const flowSessions = await read.flowSessions(id)
      const timeline = await read.inbound({ contactId: id, limit })
      return { contact, flowSessions, timeline, updates: await read.updates(id) }
    },
    view: ({ contact, flowSessions, timeline, updates }) => ({
      ...withIsoTimes(contact),
      updates: updates.map(updateView),
      flowSessions: flowSessions.map(flowSessionView),
      timeline: timeline.map(entryView),
    }),
    parts: ({ contact, flowSessions, timeline, updates }) => [
      card(contactName(contact), details(contact)),
      ...updateTexts(updates),
      table(
        {
          'flow opened (UTC)': 'openedAt',
          'closed (UTC)': 'closedAt',
          'closed by': 'closedBy',
          message: 'messageId',
          line: 'lineId',
        },
        flowSessions,
        'No flow was sent to this contact yet.',
      ),
      table(
        {
          'message at (UTC)': 'at',
          kind: 'kind',
          line: 'lineId',
          'what it says': ({ content, related }) =>
            inboundText(content) ??
            (related.isHidden ? 'deleted' : isDropped(content) ? 'not kept any more' : JSON.stringify(content)),
        },
        timeline,
        'No message came from this contact yet.',
      ),
    ],
  })
}

const details = ({ id, phone, username, userId, blockedOn, workspaceId }: Contact) => ({
  id,
  phone,
  username: atUsername(username),
  'user id': userId,
  'blocked on': blockedOn.join(', ') || null,
  workspace: workspaceId,
})

const flowSessionView = ({ messageId, lineId, flowToken, openedAt, closedAt, closedBy }: FlowSession) =>
  withIsoTimes({ messageId, lineId, flowToken, openedAt, closedAt, closedBy })

const entryView = ({ channelMessageId, kind, at, lineId, content }: InboundEntry) =>
  withIsoTimes({ channelMessageId, kind, at, lineId, text: inboundText(content), content })

function blockCommand(contact: Command, { withStore }: Workbench, isBlocked: boolean): void {
  const verb = isBlocked ? 'block' : 'unblock'
  addVerb(contact, {
    name: verb,
    summary: isBlocked
      ? 'block a person who wrote within 24 hours: the platform takes nothing from the person, and nothing to it'
      : 'unblock a person at the platform, on every line',
    example: `contact ${verb} contact_…`,
    inputs: { contact: argument(idOf('contact'), 'the contact, contact_…') },
    run: ({ contact: contactId }) =>
      withStore(async ({ config, operator, ...session }) => {
        const credentials = await session.credentials()
        const lines = done(
          await withChannelClient(config, client =>
            setBlocked(operator, { client, credentials }, contactId, isBlocked),
          ),
        )
        const data = { id: contactId, isBlocked, lineIds: lines.map(({ id }) => id) }
        const text = { id: contactId, lines: lines.map(({ number }) => number).join(', ') || 'none' }
        return { data, text: report(`Contact ${verb}ed`, text) }
      }),
  })
}

function forgetContactCommand(contact: Command, { withStore }: Workbench): void {
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
