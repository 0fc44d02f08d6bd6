import type { Command } from 'commander'
import { hasWorked } from '../../db/contract/webhooks.ts'
import { eventTypes } from '../base/eventTypes.ts'
import { printable } from '../base/terminal.ts'
import { testedTypeDefault, testWebhook } from '../operations/webhooks.ts'
import { exampleEvent } from '../webhooks/eventSchema.ts'
import { addVerb } from './command.ts'
import { done } from './failure.ts'
import { argument, idOf, oneOf, optional } from './inputs.ts'
import type { Workbench } from './session.ts'
import { closing, rotateFirst } from './webhookInputs.ts'
import { attemptText } from './webhookText.ts'

/** `waypost webhook test` */
export function webhookTestCommand(webhook: Command, { withStore }: Workbench): void {
  addVerb(webhook, {
    name: 'test',
    summary: 'send an example event once, and show what came back; works without a running gateway',
    example: 'webhook test hook_… --type message.received',
    inputs: {
      webhook: argument(idOf('webhook'), 'the endpoint, hook_…'),
      type: optional(oneOf('type', eventTypes), `of the example; ${testedTypeDefault} when absent`),
    },
    run: ({ webhook: webhookId, type = testedTypeDefault }) =>
      withStore(async session => {
        const vault = await session.vault()
        const sent = await closing(session.config, attempts =>
          testWebhook(session.operator, { vault, attempts }, webhookId, exampleEvent(type)),
        )
        const { eventId, attempt } = done(sent, { CONFLICT: rotateFirst(webhookId) })
        const { at, ...outcome } = attempt
        const isTaken = hasWorked(outcome)
        // Why there was no answer is said before; what counts as one is a second reason, and no help then.
        const why = outcome.status === null ? '' : ': only a whole answer of 200 to 299 is success'
        const sentence = isTaken ? 'it was taken' : `it was not taken${why}`
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
