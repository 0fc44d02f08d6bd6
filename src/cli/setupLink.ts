import type { Command } from 'commander'
import { offerSetupLink, setupAddress, setupNote } from '../console/setup/link.ts'
import { addVerb } from './command.ts'
import { CommandError } from './failure.ts'
import { commandLine, report } from './output.ts'
import type { Workbench } from './session.ts'

/** For a gateway whose link has expired, or was printed where nobody reads it. */
export function setupLinkCommand(user: Command, { withStore }: Workbench): void {
  addVerb(user, {
    name: 'setup-link',
    summary: 'make a new one-time link, with which the first user is created in the console',
    example: 'user setup-link',
    inputs: {},
    run: () =>
      withStore(async ({ store, config }) => {
        const base = setupAddress(config.publicUrl, `http://${config.host}:${config.port}`)
        const setupUrl = await offerSetupLink(store, { base, clock: store.clock })
        if (setupUrl === null) {
          const reset = commandLine('user reset-password ada@example.com')
          throw new CommandError(`There are users already. If nobody can sign in: ${reset}`, { code: 'CONFLICT' })
        }
        const note = setupNote(config.publicUrl)
        return {
          data: { setupUrl },
          text: report(
            'Set-up link made',
            { link: setupUrl, ...(note !== null && { note }) },
            'open it within 30 minutes. It works once.',
          ),
        }
      }),
  })
}
