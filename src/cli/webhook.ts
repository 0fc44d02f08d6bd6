import type { Command } from 'commander'
import { moment } from '../base/clock.ts'
import { webhookFormats } from '../base/eventTypes.ts'
import { addWebhook, changeWebhook, removeWebhook, rotateWebhook } from '../operations/webhooks.ts'
import { graceMsMax } from '../webhooks/secrets.ts'
import { webhookView } from '../webhooks/view.ts'
import { addNoun, addVerb } from './command.ts'
import { done } from './failure.ts'
import {
  argument,
  eventTypeList,
  idOf,
  idsOf,
  name,
  oneOf,
  oneWorkspaceOption,
  optional,
  required,
  text,
  toggle,
  workspacesOption,
} from './inputs.ts'
import { addList, addReading } from './list.ts'
import { card, commandLine, report } from './output.ts'
import { sealing } from './sealing.ts'
import type { Workbench } from './session.ts'
import { durationUpTo } from './times.ts'
import { webhookDeliveryCommands } from './webhookDeliveries.ts'
import { endpointOf, givenHeaders, header, replaced, rotateFirst, webhookParts } from './webhookInputs.ts'
import { webhookTestCommand } from './webhookTest.ts'
import { details, stateText } from './webhookText.ts'
import { ofWorkspaces, oneWorkspace } from './workspace.ts'

/** What `add` and `edit` take. */
const draftOptions = {
  events: optional(eventTypeList, 'only these types, with commas: message.delivered,message.received'),
  line: optional(idsOf('line'), 'of messages, only those of this line; can be given several times'),
  header: optional(
    header,
    'sent with each request; can be given several times; better by file: other users can see it',
  ),
  headersFile: optional(text('path'), 'a file with such headers, one a line; - is standard input'),
  description: optional(name, 'what it is for'),
  verifyToken: optional(text('token'), 'of the format platform: what the receiver expects when it is verified'),
}

const webhookArgument = argument(idOf('webhook'), 'the endpoint, hook_…')

export function webhookCommands(program: Command, workbench: Workbench): void {
  const webhook = addNoun(program, 'webhook', 'webhooks: addresses to which the events of a workspace are delivered')
  addCommand(webhook, workbench)
  addList(webhook, workbench, {
    summary: 'list the endpoints, and whether they work',
    example: 'webhook list',
    inputs: { workspace: workspacesOption },
    read: ({ store }, { workspace }) => ofWorkspaces(store, workspace, id => store.read.webhooks(id)),
    view: webhookView,
    columns: {
      id: 'id',
      url: 'url',
      state: stateText,
      events: ({ types }) => types?.join(' ') ?? 'all',
      'delivered last (UTC)': ({ deliveredAt }) => (deliveredAt === null ? 'never' : moment(deliveredAt)),
      description: 'description',
      workspace: 'workspaceId',
    },
    whenEmpty: ({ workspace }) =>
      `No endpoint yet. Add one: ${commandLine(`webhook add --workspace ${workspace ?? 'ws_…'} --url https://…`)}`,
  })

  addReading(webhook, workbench, {
    name: 'show',
    summary: 'show an endpoint, and whether it works',
    example: 'webhook show hook_…',
    inputs: { webhook: webhookArgument },
    read: ({ operator }, { webhook }) => endpointOf(operator, webhook),
    view: webhookView,
    parts: webhook => [card(webhook.description ?? webhook.url, details(webhook))],
  })
  editCommand(webhook, workbench)
  rotateCommand(webhook, workbench)
  webhookTestCommand(webhook, workbench)
  webhookDeliveryCommands(webhook, workbench)
  removeCommand(webhook, workbench)
}

function addCommand(webhook: Command, { withStore }: Workbench): void {
  addVerb(webhook, {
    name: 'add',
    summary: 'add an endpoint; the secret that signs its requests is shown this once',
    example: 'webhook add --url https://shop.example.com/hook --events message.delivered,message.received',
    inputs: {
      workspace: oneWorkspaceOption,
      url: required(text('url'), 'where events are posted: https, or http in a network of WEBHOOK_ALLOWED_NETWORKS'),
      format: optional(
        oneOf('format', webhookFormats),
        'events, or platform: callbacks as the upstream platform posts them; events when absent',
      ),
      ...draftOptions,
    },
    async run({ workspace, url, events, line: lineIds, description, format, verifyToken, ...sources }) {
      const headers = (await givenHeaders(sources)) ?? {}
      return withStore(async session => {
        const { store, operator } = session
        const { id: workspaceId } = await oneWorkspace(store, workspace)
        const named = { url, format, description, verifyToken, headers }
        const draft = { ...named, events: copied(events), lineIds: copied(lineIds) }
        const { webhook, secret } = done(
          await sealing(session, session.vault, vault =>
            addWebhook(operator, webhookParts(session, vault), workspaceId, draft),
          ),
        )
        const view = webhookView(webhook)
        return {
          data: { ...{ id: view.id, url: view.url, events: view.events, secret }, ...view },
          text: report(
            'Endpoint added',
            { ...details(webhook), secret },
            `${commandLine(`webhook test ${view.id}`)} sends an example. Keep the secret: your side checks the\n` +
              '      signatures with it, and it cannot be shown again.',
          ),
        }
      })
    },
  })
}

function editCommand(webhook: Command, { withStore }: Workbench): void {
  addVerb(webhook, {
    name: 'edit',
    summary: 'change an endpoint, or switch it on or off; on again, it goes on where it stopped',
    example: 'webhook edit hook_… --events message.received --on',
    inputs: {
      webhook: webhookArgument,
      url: optional(text('url'), 'where events are posted; headers that are not given again are dropped'),
      ...draftOptions,
      allEvents: toggle('events of all types'),
      allLines: toggle('events about messages of all lines'),
      withoutHeaders: toggle('no headers of its own any more'),
      withoutDescription: toggle('no description any more'),
      on: toggle('events are delivered'),
      off: toggle('no event is delivered'),
    },
    oneOf: [
      [
        ...(['url', 'events', 'allEvents', 'line', 'allLines', 'header', 'headersFile', 'withoutHeaders'] as const),
        ...(['description', 'withoutDescription', 'on', 'off'] as const),
      ],
    ],
    async run({ webhook: webhookId, url, events, line, description, header, headersFile, on, off, ...rest }) {
      const given = await givenHeaders({ header, headersFile })
      const { allEvents, allLines, withoutHeaders, withoutDescription, verifyToken } = rest
      const types = replaced(events, allEvents ? null : undefined, '--events and --all-events')
      const lineIds = replaced(line, allLines ? null : undefined, '--line and --all-lines')
      const headers = replaced(given ?? undefined, withoutHeaders ? {} : undefined, '--header and --without-headers')
      const name = replaced(description, withoutDescription ? null : undefined, '--description and its removal')
      const isOn = replaced(on || undefined, off ? false : undefined, '--on and --off')
      const named = { url, headers, description: name, isOn, verifyToken }
      const change = { ...named, events: copied(types), lineIds: copied(lineIds) }
      return withStore(async session => {
        const changed = done(
          await sealing(session, session.vault, vault =>
            changeWebhook(session.operator, webhookParts(session, vault), webhookId, change),
          ),
          { CONFLICT: rotateFirst(webhookId) },
        )
        return {
          data: { ...webhookView(changed.webhook), hasDroppedHeaders: changed.hasDroppedHeaders },
          text: report(
            'Endpoint changed: a running gateway follows within a second',
            details(changed.webhook),
            changed.hasDroppedHeaders
              ? `${commandLine(`webhook edit ${webhookId} --headers-file …`)}: its own headers were dropped, as\n` +
                  '      they were meant for the address before.'
              : undefined,
          ),
        }
      })
    },
  })
}

function rotateCommand(webhook: Command, { withStore }: Workbench): void {
  addVerb(webhook, {
    name: 'rotate',
    summary:
      'make a new secret, which is shown this once; the old one signs too for a while, but not in the format platform',
    example: 'webhook rotate hook_… --grace 1d',
    inputs: {
      webhook: webhookArgument,
      grace: optional(durationUpTo(graceMsMax), 'how long the old secret signs too, 1d when absent; 0: not at all'),
    },
    run: ({ webhook: webhookId, grace: graceMs }) =>
      withStore(async session => {
        const rotated = await sealing(session, session.vault, vault =>
          rotateWebhook(session.operator, { vault }, webhookId, { graceMs }),
        )
        const { webhook, secret, formerUntil } = done(rotated)
        const { id, url, events } = webhookView(webhook)
        const end = formerUntil === null ? 'no longer' : `until ${moment(formerUntil)} (UTC)`
        return {
          data: { id, url, events, secret, formerUntil: formerUntil && new Date(formerUntil).toISOString() },
          text: report(
            'Secret rotated',
            { id, url, secret, 'the old secret signs': end },
            formerUntil === null
              ? 'give the new secret to your side now: requests are signed with it alone.'
              : 'give the new secret to your side. Meanwhile each request has a signature of both.',
          ),
        }
      }),
  })
}

function removeCommand(webhook: Command, { withStore }: Workbench): void {
  addVerb(webhook, {
    name: 'remove',
    summary: 'remove an endpoint for good, with its secret and the record of its deliveries',
    example: 'webhook remove hook_…',
    inputs: { webhook: webhookArgument },
    run: ({ webhook }) =>
      withStore(async ({ operator }) => {
        const removed = done(await removeWebhook(operator, webhook))
        return {
          data: webhookView(removed),
          text: report('Endpoint removed: nothing is delivered there any more', { id: removed.id, url: removed.url }),
        }
      }),
  })
}

const copied = <Text extends string>(named: readonly Text[] | null | undefined) => named && [...named]
