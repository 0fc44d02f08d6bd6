import type { Command } from 'commander'
import type { DeliveryAttempt, DeliveryState } from '../../db/contract/webhooks.ts'
import { systemClock } from '../base/clock.ts'
import { numberedId } from '../base/ids.ts'
import { eventNumberOf, replayEvents } from '../operations/webhooks.ts'
import { Replays } from '../webhooks/replays.ts'
import { deliveryView } from '../webhooks/view.ts'
import { addVerb } from './command.ts'
import { done, found, UsageError } from './failure.ts'
import { argument, id, idOf, limitOption, oneOf, optional } from './inputs.ts'
import { addReading } from './list.ts'
import { commandLine, report, table } from './output.ts'
import type { Workbench } from './session.ts'
import { instant } from './times.ts'
import { endpointOf } from './webhookInputs.ts'
import { attemptText, momentOr } from './webhookText.ts'

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
      limit: limitOption(),
    },
    async read({ operator }, { webhook: webhookId, state, event, before, limit }) {
      const { read } = operator
      const { id: endpointId, workspaceId } = await endpointOf(operator, webhookId)
      if (event !== undefined) {
        const seq = done(eventNumberOf(workspaceId, event, '/event'))
        const delivery = found(await read.delivery({ endpointId, seq }), 'delivery of an event', event)
        return { workspaceId, deliveries: [delivery] }
      }
      const number = before === undefined ? undefined : done(eventNumberOf(workspaceId, before, '/before'))
      return { workspaceId, deliveries: await read.deliveries({ endpointId, state, before: number, limit }) }
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
      return withStore(async ({ operator }) => {
        const replays = new Replays(systemClock)
        const { webhook, due } = done(await replayEvents(operator, { replays }, webhookId, whatOf(named)))
        const isOff = webhook.disabledAt !== null
        return {
          data: { id: webhook.id, due },
          text: report(
            replayed(due),
            { id: webhook.id, url: webhook.url },
            isOff ? `${commandLine(`webhook edit ${webhook.id} --on`)}: the endpoint is off` : undefined,
          ),
        }
      })
    },
  })
}

/** One of the three was given. */
function whatOf(named: { event: string | undefined; failedSince: number | undefined; since: number | undefined }) {
  const { event, failedSince, since = 0 } = named
  if (event !== undefined) return { eventId: event }
  return failedSince === undefined ? { since } : { failedSince }
}

function replayed(due: number): string {
  if (due === 0) return 'There is nothing to deliver again'
  return due === 1 ? '1 event is delivered again' : `${due} events are delivered again`
}

function lastAnswer(attempts: readonly DeliveryAttempt[]): string {
  const last = attempts.at(-1)
  return last ? attemptText(last) : 'none'
}
