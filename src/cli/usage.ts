import type { Command } from 'commander'
import { limitOption, month, optional, shortRowsDefault, workspacesOption } from './inputs.ts'
import { addList } from './list.ts'
import { commandLine } from './output.ts'
import type { Workbench } from './session.ts'
import { findWorkspace } from './workspace.ts'

export function usageCommand(program: Command, workbench: Workbench): void {
  addList(program, workbench, {
    name: 'usage',
    summary: 'show what counts against the monthly limits, by workspace and month',
    example: 'usage --month 2026-01',
    inputs: {
      workspace: workspacesOption,
      month: optional(month, 'only this calendar month (UTC), as in 2026-01'),
      limit: limitOption(shortRowsDefault),
    },
    async read({ store }, { workspace, month, limit }) {
      if (workspace !== undefined) await findWorkspace(store, workspace)
      return store.read.usage({ workspaceId: workspace, month, limit })
    },
    view: usage => usage,
    columns: {
      'month (UTC)': 'month',
      workspace: 'workspaceId',
      name: 'workspaceName',
      messages: 'used',
      limit: ({ limit }) => limit ?? 'unlimited',
    },
    whenEmpty: () => `Nothing was sent. See ${commandLine('workspace list')}`,
  })
}
