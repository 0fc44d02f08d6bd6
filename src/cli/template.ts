import type { Command } from 'commander'
import type { Template } from '../../db/contract/records.ts'
import type { Store } from '../../db/contract/store.ts'
import { jsonText, printable } from '../base/terminal.ts'
import { partnerPrefix } from '../http/calls.ts'
import { isSameLanguage } from '../message/language.ts'
import { Refused } from '../operations/act.ts'
import { readTemplates } from '../operations/templates.ts'
import { type ExampleSend, exampleSend } from '../templates/exampleSend.ts'
import { previewTemplate } from '../templates/preview.ts'
import { listedComponents, templateRecord } from '../templates/record.ts'
import { readRequirements } from '../templates/variables.ts'
import { addNoun, addVerb } from './command.ts'
import { CommandError, found } from './failure.ts'
import { argument, name, optional, optionalChannel, templateName, workspacesOption } from './inputs.ts'
import { addList, addReading, updateTexts, updateView } from './list.ts'
import { card, commandLine, report } from './output.ts'
import { type Workbench, withChannelClient } from './session.ts'
import { ofWorkspaces } from './workspace.ts'

export function templateCommands(program: Command, workbench: Workbench): void {
  const { withStore } = workbench
  const template = addNoun(program, 'template', 'templates: messages approved by the upstream platform')

  addVerb(template, {
    name: 'sync',
    summary: 'fetch the templates from the upstream platform',
    example: 'template sync',
    inputs: { workspace: workspacesOption, channel: optionalChannel },
    run: ({ workspace, channel }) =>
      withStore(async session => {
        const { store, config } = session
        const channels = await channelsOf(store, workspace, channel)
        if (channels.length === 0) {
          throw new CommandError('There is no channel yet. Connect one with: waypost channel connect', {
            code: 'NOT_FOUND',
          })
        }
        const credentials = await session.credentials()
        const counts = { synced: 0, approved: 0, skipped: 0 }
        const failures: string[] = []
        await withChannelClient(config, async client => {
          for (const channel of channels) {
            const read = await readTemplates(store, { client, credentials }, channel)
            if (read instanceof Refused) {
              failures.push(read.message)
              continue
            }
            counts.synced += read.synced
            counts.approved += read.approved
            counts.skipped += read.skipped
          }
        })
        if (failures.length > 0) throw new CommandError(failures.join('\n'), { code: 'UPSTREAM_ERROR' })
        return { data: counts, text: report('Templates fetched', counts, commandLine('template list')) }
      }),
  })

  addList(template, workbench, {
    summary: 'list the templates, with the variables that a send fills',
    example: 'template list',
    inputs: { workspace: workspacesOption },
    read: ({ store }, { workspace }) =>
      ofWorkspaces(store, workspace, workspaceId => store.read.templates({ workspaceId, approved: false })),
    view: templateView,
    columns: {
      name: 'name',
      language: 'language',
      status: 'status',
      category: 'category',
      variables: variablesText,
      'changed (UTC)': 'updatedAt',
      channel: 'channelId',
    },
    whenEmpty: () => `No template yet. Fetch them: ${commandLine('template sync')}`,
  })

  addReading(template, workbench, {
    name: 'show',
    summary: 'show a template filled with its examples, and the send body to copy',
    example: 'template show order_confirmation',
    inputs: {
      name: argument(templateName, "the template's name"),
      workspace: workspacesOption,
      language: optional(name, 'its language, as in en_US'),
      channel: optionalChannel,
    },
    async read({ store }, { workspace, channel, ...wanted }) {
      const channels = await channelsOf(store, workspace, channel)
      const named = await Promise.all(
        channels.map(({ id }) => store.read.templatesNamed({ channelId: id, name: wanted.name })),
      )
      const template = chooseTemplate(named.flat(), wanted)
      const record = templateRecord(template)
      const updates = await store.read.updates(template.id)
      return { shown: templateView(template), preview: previewTemplate(record), send: exampleSend(record), updates }
    },
    view: ({ shown, updates, ...filled }) => ({ ...shown, ...filled, updates: updates.map(updateView) }),
    parts: ({ shown, preview, send, updates }) => [showText(shown, preview, send), ...updateTexts(updates)],
  })
}

/**
 * @param workspaceId undefined: the channels of all workspaces are meant
 * @throws CommandError when there is no such workspace, or no such channel in it
 */
async function channelsOf(store: Store, workspaceId: string | undefined, channelId: string | undefined) {
  const channels = await ofWorkspaces(store, workspaceId, id => store.read.channels(id))
  if (channelId === undefined) return channels
  return [found(channels.find(({ id }) => id === channelId) ?? null, 'channel', channelId)]
}

/** Unlike a send, this also finds templates that are not approved, to show why a send is refused. */
export function chooseTemplate(
  named: readonly Template[],
  wanted: { name: string; language: string | undefined },
): Template {
  const { language } = wanted
  const inLanguage = language === undefined ? named : named.filter(row => isSameLanguage(row.language, language))
  const [template, other] = inLanguage
  if (template && !other) return template
  if (other && new Set(inLanguage.map(({ channelId }) => channelId)).size > 1) {
    throw new CommandError(`Several channels have the template ${wanted.name}: choose one with --channel`, {
      code: 'CONFLICT',
    })
  }
  const languages = named.map(({ language }) => language).join(', ')
  if (other)
    throw new CommandError(`The template ${wanted.name} exists in ${languages}: choose one with --language`, {
      code: 'CONFLICT',
    })
  throw new CommandError(
    named.length === 0
      ? `No template with the name ${wanted.name}; waypost template sync fetches the latest`
      : `The template ${wanted.name} exists only in ${languages}`,
    { code: 'NOT_FOUND' },
  )
}

const templateView = (template: Template) => {
  const record = templateRecord(template)
  const { id, channelId, name, language, category, status, updatedAt } = template
  return {
    id,
    channelId,
    name,
    language,
    category,
    status,
    ...readRequirements(record),
    components: listedComponents(template),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

function variablesText(template: Template): string | null {
  const { variables, sendableWith } = readRequirements(templateRecord(template))
  return sendableWith === 'templateComponents' ? sendableWith : variables.join(' ') || null
}

function showText(template: ReturnType<typeof templateView>, preview: string, send: ExampleSend | null): string {
  const frame = preview.split('\n').map(line => `  │ ${printable(line)}`)
  return [
    card(`${template.name} (${template.language})`, { status: template.status, category: template.category }),
    '',
    ...frame,
    '',
    ...(template.status === 'APPROVED'
      ? []
      : [`It cannot be sent now: the upstream platform says ${template.status}.`, '']),
    ...template.sharedVariables.map(
      ({ variable, places }) => `One value for the key ${variable} fills ${places.join(', ')}.`,
    ),
    ...(template.sharedVariables.length > 0 ? [sharedHint, ''] : []),
    ...(template.needsComponents.length > 0
      ? [`Only templateComponents can fill it: ${template.needsComponents.join('; ')}.`, '']
      : []),
    ...(send
      ? [`The body for POST ${partnerPrefix}/messages/send; replace the phone number:`, '', jsonText(send, 2)]
      : []),
  ].join('\n')
}

const sharedHint =
  'To fill the places differently: bodyParameters for the body, carousel for a card, templateComponents for the rest.'
