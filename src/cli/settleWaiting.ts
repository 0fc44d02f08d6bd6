import type { Command } from 'commander'
import { addVerb } from './command.ts'
import { CommandError } from './failure.ts'
import { toggle } from './inputs.ts'
import { interruptWaiting } from './interruptWaiting.ts'
import { report } from './output.ts'
import type { Workbench } from './session.ts'

/**
 * `waypost message settle-waiting`: after a restore with the tools of PostgreSQL. `waypost restore` does it
 * automatically.
 */
export function settleWaiting(message: Command, withStore: Workbench['withStore']): void {
  addVerb(message, {
    name: 'settle-waiting',
    summary:
      'settle waiting messages as UNKNOWN after a restore by other tools, so that none is sent twice; ' +
      'stop all gateways first',
    example: 'message settle-waiting --force',
    inputs: { force: toggle('really do it; without --force nothing is changed') },
    run: ({ force }) =>
      withStore(
        async ({ store }) => {
          if (!force) {
            throw new CommandError(
              '--force settles all messages that wait to be sent as UNKNOWN: they are never sent',
              { code: 'NOT_CONFIRMED' },
            )
          }
          const messages = await interruptWaiting(store)
          return { data: { messages }, text: report('Waiting messages settled', { 'messages now UNKNOWN': messages }) }
        },
        { withoutGateways: true },
      ),
  })
}
