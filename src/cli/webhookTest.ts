import type { Command } from 'commander'
import { eventTypes } from '../events.ts'
import { exampleEvent } from '../partner/eventSchema.ts'
import { createAttempts, hasWorked } from '../webhooks/attempt.ts'
import { sendExample } from '../webhooks/example.ts'
import { addVerb } from './command.ts'
import { argument, idOf, oneOf, optional } from './inputs.ts'
import { printable } from './output.ts'
import type { Workbench } from './session.ts'
import { version } from './version.ts'
import { endpointOf, secretLost } from './webhookInputs.ts'
import { attemptText } from './webhookText.ts'

/** `waypost webhook test` */
export function webhookTestCommand(webhook: Command, { withStore }: Workbench): void {
  addVerb(webhook, {
    name: 'test',
    summary: 'send an example event once, and show what came back; works without a running gateway',
    example: 'webhook test hook_… --type message.received',
    inputs: {
      webhook: argument(idOf('webhook'), 'the endpoint, hook_…'),
      type: optional(oneOf('type', eventTypes), 'of the example; message.delivered when absent'),
    },
    run: ({ webhook: webhookId, type = 'message.delivered' }) =>
      withStore(async session => {
        const { store } = session
        const endpoint = await endpointOf(store, webhookId)
        const vault = await session.vault()
        const networks = session.config.webhookAllowedNetworks
        const attempts = createAttempts({ networks, version })
        const sent = await sendExample({ vault, attempts }, endpoint, exampleEvent(type), store.clock.now()).finally(
          () => attempts.close(),
        )
        if (sent === null) throw secretLost(webhookId)
        const { eventId, attempt } = sent
        const { at, ...outcome } = attempt
        const isTaken = hasWorked(outcome)
        const sentence = isTaken ? 'it was taken' : 'it was not taken: only a whole answer of 200 to 299 is success'
        return {
          data: { eventId, type, at: new Date(at).toISOString(), ...outcome },
          text: [`${attemptText(attempt)}: ${sentence}`, ...(outcome.answer ? [outcome.answer] : [])]
            .map(printable)
            .join('\n'),
          failed: !isTaken,
        }
      }),
  })
}
