import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { addVerb } from './command.ts'
import { limitOption, optional, type Reader, workspacesOption } from './inputs.ts'
import { commandLine, table } from './output.ts'
import type { Workbench } from './session.ts'
import { findWorkspace } from './workspace.ts'

const listDefault = 100

const month: Reader<string> = {
  placeholder: 'month',
  read(text) {
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('It must be a month, as in 2026-01.')
    return text
  },
}

export function usageCommand(program: Command, { withStore }: Workbench): void {
  addVerb(program, {
    name: 'usage',
    summary: 'show what counts against the monthly limits, by workspace and month',
    example: 'usage --month 2026-01',
    inputs: {
      workspace: workspacesOption,
      month: optional(month, 'only this calendar month (UTC), as in 2026-01'),
      limit: limitOption(listDefault),
    },
    run: ({ workspace, month, limit }) =>
      withStore(async ({ store }) => {
        if (workspace !== undefined) await findWorkspace(store, workspace)
        const usage = await store.read.usage({ workspaceId: workspace, month, limit })
        return {
          data: usage,
          text: table(
            ['month (UTC)', 'workspace', 'name', 'messages', 'limit'],
            usage.map(({ month, workspaceId, workspaceName, used, limit }) => [
              month,
              workspaceId,
              workspaceName,
              used,
              limit ?? 'unlimited',
            ]),
            `Nothing was sent. See ${commandLine('workspace list')}`,
          ),
        }
      }),
  })
}
