import type { Command } from 'commander'
import type { Contact, FlowSession, InboundEntry } from '../../db/contract/records.ts'
import { atUsername } from '../base/names.ts'
import { inboundText } from '../inbound/contents.ts'
import { isDropped } from '../inbound/view.ts'
import { contactName, contactOf, saveContact } from '../operations/contacts.ts'
import { addNoun, addVerb } from './command.ts'
import { forgetContactCommand } from './contactForget.ts'
import { done } from './failure.ts'
import {
  argument,
  idOf,
  limitOption,
  name,
  oneWorkspaceOption,
  optional,
  phone,
  required,
  shortRowsDefault,
  workspacesOption,
} from './inputs.ts'
import { addList, addReading, updateTexts, updateView } from './list.ts'
import { card, commandLine, report, table, withIsoTimes } from './output.ts'
import type { Workbench } from './session.ts'
import { ofWorkspaces, oneWorkspace } from './workspace.ts'

const timelineDefault = 50

export function contactCommands(program: Command, workbench: Workbench): void {
  const { withStore } = workbench
  const contact = addNoun(program, 'contact', 'contacts: the people who get messages')

  forgetContactCommand(contact, workbench)

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
          'what it says': ({ content }) =>
            inboundText(content) ?? (isDropped(content) ? 'not kept any more' : JSON.stringify(content)),
        },
        timeline,
        'No message came from this contact yet.',
      ),
    ],
  })
}

const details = ({ id, phone, username, userId, workspaceId }: Contact) => ({
  id,
  phone,
  username: atUsername(username),
  'user id': userId,
  workspace: workspaceId,
})

const flowSessionView = ({ messageId, lineId, flowToken, openedAt, closedAt, closedBy }: FlowSession) =>
  withIsoTimes({ messageId, lineId, flowToken, openedAt, closedAt, closedBy })

const entryView = ({ channelMessageId, kind, at, lineId, content }: InboundEntry) =>
  withIsoTimes({ channelMessageId, kind, at, lineId, text: inboundText(content), content })
