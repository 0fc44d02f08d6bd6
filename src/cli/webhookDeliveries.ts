import type { Command } from 'commander'
import type { DeliveryAttempt, DeliveryState, WebhookEndpoint } from '../../db/webhooks.ts'
import { numberedId, numberIn } from '../ids.ts'
import { systemClock } from '../time/clock.ts'
import { type Replay, Replays } from '../webhooks/replays.ts'
import { deliveryView } from '../webhooks/view.ts'
import { addVerb } from './command.ts'
import { CommandError, found, UsageError } from './failure.ts'
import { argument, id, idOf, limitOption, oneOf, optional } from './inputs.ts'
import { addReading } from './list.ts'
import { commandLine, report, table } from './output.ts'
import type { Workbench } from './session.ts'
import { instant } from './times.ts'
import { endpointOf } from './webhookInputs.ts'
import { attemptText, momentOr } from './webhookText.ts'

const listDefault = 50

/** What became of events at an endpoint, and delivering them again. */
export function webhookDeliveryCommands(webhook: Command, workbench: Workbench): void {
  const { withStore } = workbench
  const webhookArgument = argument(idOf('webhook'), 'the endpoint, hook_…')

  addReading(webhook, workbench, {
    name: 'deliveries',
    summary: 'list what became of events at an endpoint, the newest event first; of one event, each attempt',
    example: 'webhook deliveries hook_… --state failed',
    inputs: {
      webhook: webhookArgument,
      state: optional(
        oneOf<DeliveryState>('state', ['pending', 'delivered', 'failed']),
        'pending, delivered or failed',
      ),
      event: optional(id, 'only this event, evt_…, with its attempts'),
      before: optional(id, 'only events older than this one, evt_…: the next page'),
      limit: limitOption(listDefault),
    },
    async read({ store }, { webhook: webhookId, state, event, before, limit }) {
      const { id: endpointId, workspaceId } = await endpointOf(store, webhookId)
      const one = event === undefined ? undefined : numberOf(workspaceId, event, 'event')
      const deliveries =
        one === undefined
          ? await store.read.deliveries({
              endpointId,
              state,
              before: before === undefined ? undefined : numberOf(workspaceId, before, 'before'),
              limit,
            })
          : [found(await store.read.delivery({ endpointId, seq: one }), 'delivery of an event', event ?? '')]
      return { workspaceId, deliveries }
    },
    view: ({ workspaceId, deliveries }) => deliveries.map(delivery => deliveryView(workspaceId, delivery)),
    parts: ({ workspaceId, deliveries }, { event, state }) => [
      table(
        {
          event: ({ seq }) => numberedId('evt', workspaceId, seq),
          type: 'type',
          state: 'state',
          attempts: 'attemptCount',
          'last answer': ({ attempts }) => lastAnswer(attempts),
          'last attempt (UTC)': ({ attempts }) => momentOr(attempts.at(-1)?.at ?? null, 'none'),
          'next attempt (UTC)': ({ nextAt }) => momentOr(nextAt, 'none'),
        },
        deliveries,
        state === undefined ? 'Nothing was delivered yet.' : 'There is none in this state.',
      ),
      ...(event === undefined
        ? []
        : deliveries.map(({ attempts }) =>
            table(
              {
                'attempt (UTC)': 'at',
                answer: attempt => attemptText(attempt),
                'first bytes': ({ answer }) => answer,
              },
              attempts,
            ),
          )),
    ],
  })

  addVerb(webhook, {
    name: 'replay',
    summary: 'deliver events again: one, what failed since a time, or all since a time',
    example: 'webhook replay hook_… --failed-since 24h',
    inputs: {
      webhook: webhookArgument,
      event: optional(id, 'this event, evt_…, whatever became of it'),
      failedSince: optional(instant, 'what failed, or waits for another try, of events since then'),
      since: optional(instant, 'all events since then'),
    },
    oneOf: [['event', 'failedSince', 'since']],
    async run({ webhook: webhookId, ...named }) {
      if (Object.values(named).filter(value => value !== undefined).length > 1) {
        throw new UsageError('Give one of --event, --failed-since and --since')
      }
      return withStore(async ({ store }) => {
        const endpoint = await endpointOf(store, webhookId)
        const what = whatOf(endpoint, named)
        // Null never comes: this process has no other one.
        const due = (await new Replays(systemClock).run(store.write, endpoint, what, store.clock.now())) ?? 0
        if (due === 0 && what.kind === 'event') {
          throw new CommandError(`The event ${named.event} is not kept any more`, { code: 'NOT_FOUND' })
        }
        const isOff = endpoint.disabledAt !== null
        return {
          data: { id: endpoint.id, due },
          text: report(
            replayed(due),
            { id: endpoint.id, url: endpoint.url },
            isOff ? `${commandLine(`webhook edit ${endpoint.id} --on`)}: the endpoint is off` : undefined,
          ),
        }
      })
    },
  })
}

/** @param option that names the event. @throws UsageError when it is none of the workspace */
function numberOf(workspaceId: string, eventId: string, option: string): number {
  const number = numberIn('evt', workspaceId, eventId)
  if (number === null) throw new UsageError(`--${option} is the id of no event of the endpoint's workspace`)
  return number
}

function whatOf(
  { workspaceId }: Pick<WebhookEndpoint, 'workspaceId'>,
  named: { event: string | undefined; failedSince: number | undefined; since: number | undefined },
): Replay {
  const { event, failedSince, since } = named
  if (event !== undefined) return { kind: 'event', seq: numberOf(workspaceId, event, 'event') }
  // One of the three was given.
  return failedSince === undefined ? { kind: 'all', since: since ?? 0 } : { kind: 'failed', since: failedSince }
}

function replayed(due: number): string {
  if (due === 0) return 'There is nothing to deliver again'
  return due === 1 ? '1 event is delivered again' : `${due} events are delivered again`
}

function lastAnswer(attempts: readonly DeliveryAttempt[]): string {
  const last = attempts.at(-1)
  return last ? attemptText(last) : 'none'
}
