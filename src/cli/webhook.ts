import type { Command } from 'commander'
import { moment } from '../time/moment.ts'
import { addWebhook, changeWebhook, rotateWebhook, tooManyWebhooks, type WebhookDraft } from '../webhooks/endpoints.ts'
import { graceMsDefault, graceMsMax } from '../webhooks/secrets.ts'
import { webhookView } from '../webhooks/view.ts'
import { addNoun, addVerb } from './command.ts'
import { CommandError, found } from './failure.ts'
import {
  argument,
  eventTypeList,
  idOf,
  idsOf,
  name,
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
import { endpointOf, givenHeaders, header, replaced, secretLost, webhookParts, wrong } from './webhookInputs.ts'
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
}

export function webhookCommands(program: Command, workbench: Workbench): void {
  const { withStore } = workbench
  const webhook = addNoun(program, 'webhook', 'webhooks: addresses to which the events of a workspace are delivered')
  const webhookArgument = argument(idOf('webhook'), 'the endpoint, hook_…')

  addVerb(webhook, {
    name: 'add',
    summary: 'add an endpoint; the secret that signs its requests is shown this once',
    example: 'webhook add --url https://shop.example.com/hook --events message.delivered,message.received',
    inputs: {
      workspace: oneWorkspaceOption,
      url: required(text('url'), 'where events are posted: https, or http in a network of WEBHOOK_ALLOWED_NETWORKS'),
      ...draftOptions,
    },
    async run({ workspace, url, events = null, line = null, description = null, ...sources }) {
      const headers = (await givenHeaders(sources)) ?? {}
      return withStore(async session => {
        const { store } = session
        const { id: workspaceId } = await oneWorkspace(store, workspace)
        const draft: WebhookDraft = { url, description, types: events, lineIds: line, headers }
        const at = store.clock.now()
        const added = await sealing(session, session.vault, vault =>
          addWebhook(webhookParts(session, vault), store.write, draft, { workspaceId, at }),
        )
        switch (added.outcome) {
          case 'added': {
            const { webhook, secret } = added
            const { id, url, events, ...rest } = webhookView(webhook)
            return {
              data: { id, url, events, secret, ...rest },
              text: report(
                'Endpoint added',
                { ...details(webhook), secret },
                `${commandLine(`webhook test ${id}`)} sends an example. Keep the secret: your side checks the\n` +
                  '      signatures with it, and it cannot be shown again.',
              ),
            }
          }
          case 'invalid':
            throw wrong(added.issues)
          case 'unknownWorkspace':
            throw new CommandError(`No workspace with the id ${workspaceId}`, { code: 'NOT_FOUND' })
          case 'tooMany':
            throw new CommandError(tooManyWebhooks, { code: 'CONFLICT' })
        }
      })
    },
  })

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
    read: ({ store }, { webhook }) => endpointOf(store, webhook),
    view: webhookView,
    parts: webhook => [card(webhook.description ?? webhook.url, details(webhook))],
  })

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
    async run({ webhook: webhookId, url, events, line, description, header, headersFile, on, off, ...cleared }) {
      const given = await givenHeaders({ header, headersFile })
      const { allEvents, allLines, withoutHeaders, withoutDescription } = cleared
      const types = replaced(events, allEvents ? null : undefined, '--events and --all-events')
      const lineIds = replaced(line, allLines ? null : undefined, '--line and --all-lines')
      const headers = replaced(given ?? undefined, withoutHeaders ? {} : undefined, '--header and --without-headers')
      const name = replaced(description, withoutDescription ? null : undefined, '--description and its removal')
      const isOn = replaced(on || undefined, off ? false : undefined, '--on and --off')
      const change = {
        ...(url !== undefined && { url }),
        ...(types !== undefined && { types }),
        ...(lineIds !== undefined && { lineIds }),
        ...(headers !== undefined && { headers }),
        ...(name !== undefined && { description: name }),
        ...(isOn !== undefined && { isOn }),
      }
      return withStore(async session => {
        const { store } = session
        const changed = await sealing(session, session.vault, vault =>
          changeWebhook(webhookParts(session, vault), store.write, change, { webhookId, at: store.clock.now() }),
        )
        switch (changed.outcome) {
          case 'changed':
            return {
              data: { ...webhookView(changed.webhook), hasDroppedHeaders: changed.hasDroppedHeaders },
              text: report(
                'Endpoint changed: a running gateway follows within a second',
                details(changed.webhook),
                changed.hasDroppedHeaders
                  ? `${commandLine(`webhook edit ${webhookId} --headers-file …`)}: its own headers were dropped, as they\n` +
                      '      were meant for the address before.'
                  : undefined,
              ),
            }
          case 'invalid':
            throw wrong(changed.issues)
          case 'unknownWebhook':
            throw new CommandError(`No webhook with the id ${webhookId}`, { code: 'NOT_FOUND' })
          case 'secretLost':
            throw secretLost(webhookId)
        }
      })
    },
  })

  addVerb(webhook, {
    name: 'rotate',
    summary: 'make a new secret, which is shown this once; the old one signs too for a while',
    example: 'webhook rotate hook_… --grace 1d',
    inputs: {
      webhook: webhookArgument,
      grace: optional(
        durationUpTo(graceMsMax, '7 days'),
        'how long the old secret signs too, 1d when absent; 0: not at all',
      ),
    },
    run: ({ webhook: webhookId, grace: graceMs = graceMsDefault }) =>
      withStore(async session => {
        const { store } = session
        const former = await endpointOf(store, webhookId)
        const at = store.clock.now()
        const rotated = await sealing(session, session.vault, vault =>
          rotateWebhook({ vault }, store.write, former, { graceMs, at }),
        )
        if (rotated === null) {
          throw new CommandError('Its secrets were changed just now: run this command again', { code: 'CONFLICT' })
        }
        const { secret, formerUntil } = rotated
        const { id, url, events } = webhookView(former)
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

  webhookTestCommand(webhook, workbench)
  webhookDeliveryCommands(webhook, workbench)

  addVerb(webhook, {
    name: 'remove',
    summary: 'remove an endpoint for good, with its secret and the record of its deliveries',
    example: 'webhook remove hook_…',
    inputs: { webhook: webhookArgument },
    run: ({ webhook: endpointId }) =>
      withStore(async ({ store }) => {
        const removal = await store.write.removeWebhook({ endpointId, at: store.clock.now() })
        const removed = found(removal, 'webhook', endpointId)
        return {
          data: webhookView(removed),
          text: report('Endpoint removed: nothing is delivered there any more', { id: removed.id, url: removed.url }),
        }
      }),
  })
}
