import type { Command } from 'commander'
import type { Contact } from '../../db/records.ts'
import { systemClock } from '../clock.ts'
import { newId } from '../ids.ts'
import { addNoun, addVerb } from './command.ts'
import { found } from './failure.ts'
import { name, optional, phone, required, whole, withDefault, workspaceOption } from './inputs.ts'
import { commandLine, iso, moment, report, table } from './output.ts'
import type { Workbench } from './session.ts'
import { findWorkspace } from './workspace.ts'

/** What a terminal can show; exports are another matter. */
const listMax = 1_000
const listDefault = 100

export function contactCommands(program: Command, { withStore }: Workbench): void {
  const contact = addNoun(program, 'contact', 'contacts: the people who get messages')

  addVerb(contact, {
    name: 'add',
    summary: 'add a contact, or rename the one with this phone number',
    inputs: {
      workspace: workspaceOption,
      phone: required(phone, 'the phone number, +1…'),
      name: optional(name, 'the name'),
    },
    run: ({ workspace, phone, name = null }) =>
      withStore(async ({ store }) => {
        const now = systemClock.now()
        const saved = found(
          await store.write.saveContact({
            id: newId('contact'),
            workspaceId: workspace,
            phone,
            userId: null,
            name,
            createdAt: now,
            updatedAt: now,
          }),
          'workspace',
          workspace,
        )
        return {
          data: contactView(saved),
          text: report('Contact saved', { id: saved.id, phone: saved.phone, name: saved.name }),
        }
      }),
  })

  addVerb(contact, {
    name: 'list',
    summary: 'list the contacts of a workspace, newest first',
    inputs: { workspace: workspaceOption, limit: withDefault(whole(1, listMax), listDefault, 'at most this many') },
    run: ({ workspace, limit }) =>
      withStore(async ({ store }) => {
        const { id } = await findWorkspace(store, workspace)
        const contacts = await store.read.contacts({ workspaceId: id, most: limit })
        return {
          data: contacts.map(contactView),
          text: table(
            ['id', 'phone', 'name', 'created (UTC)'],
            contacts.map(({ id, phone, name, createdAt }) => [id, phone, name, moment(createdAt)]),
            `No contact yet. Add one: ${commandLine(`contact add --workspace ${id} --phone +…`)}`,
          ),
        }
      }),
  })
}

const contactView = ({ createdAt, updatedAt, ...contact }: Contact) => ({
  ...contact,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
})
