import type { Command } from 'commander'
import type { Workspace } from '../../db/contract/accounts.ts'
import type { Store } from '../../db/contract/store.ts'
import { deletedMessages } from '../message/deleted.ts'
import { removeWorkspace } from '../operations/erasure.ts'
import { createWorkspace, monthlyLimitField, setDeletedMessages, setMonthlyCeiling } from '../operations/workspaces.ts'
import { addNoun, addVerb } from './command.ts'
import { CommandError, done, found, UsageError } from './failure.ts'
import { argument, idOf, name, oneOf, optional, required, toggle, wholeOf } from './inputs.ts'
import { addList } from './list.ts'
import { commandLine, report, withIsoTimes } from './output.ts'
import type { Workbench } from './session.ts'
import { progress } from './streams.ts'
import { setOptOutsCommand } from './workspaceOptOuts.ts'
import { setQuietHoursCommand } from './workspaceQuietHours.ts'

const monthlyLimit = wholeOf(monthlyLimitField)

export function workspaceCommands(program: Command, workbench: Workbench): void {
  const { withStore } = workbench
  const workspace = addNoun(program, 'workspace', 'workspaces: one for each customer or system that sends')

  addVerb(workspace, {
    name: 'create',
    summary: 'create a workspace',
    example: 'workspace create --name "My shop" --monthly-limit 100000',
    inputs: {
      name: required(name, 'its display name'),
      monthlyLimit: optional(monthlyLimit, 'messages a calendar month (UTC) at most; unlimited when absent'),
    },
    run: ({ name, monthlyLimit = null }) =>
      withStore(
        async ({ store, config, isNew }) => {
          const made = isNew ? { database: config.databaseUrl?.place ?? config.databasePath } : {}
          const created = done(await createWorkspace(store, { name, limit: monthlyLimit }))
          const connect = commandLine(
            `channel connect --workspace ${created.id} --account-id … --access-token-file … --app-secret-file …`,
          )
          const lines = [connect]
          if (await store.read.hasUsers()) {
            const add = commandLine(`user add --workspace ${created.id} --email … --role owner`)
            lines.push(`To give a user access to it: ${add}`)
          }
          return {
            data: { ...withIsoTimes(created), ...made },
            text: report(
              `Workspace ${created.name} created${isNew ? ', in a new database' : ''}`,
              { ...details(created), ...made },
              lines.join('\n'),
            ),
          }
        },
        { create: true },
      ),
  })

  addList(workspace, workbench, {
    summary: 'list the workspaces',
    example: 'workspace list',
    inputs: {},
    read: ({ store }) => store.read.workspaces(),
    view: withIsoTimes,
    columns: {
      id: 'id',
      name: 'name',
      'monthly limit': limitText,
      'deleted messages': 'deletedMessages',
      'marketing to who wants none': 'onOptOut',
      'created (UTC)': 'createdAt',
    },
    whenEmpty: () => `No workspace yet. Create one: ${commandLine(createExample)}`,
  })

  addVerb(workspace, {
    name: 'set-limit',
    summary: 'change how many messages a workspace may send in a calendar month; its owners may set less',
    example: 'workspace set-limit ws_… --unlimited',
    inputs: {
      workspace: argument(idOf('workspace'), 'the workspace, ws_…'),
      monthlyLimit: optional(monthlyLimit, 'messages a calendar month (UTC)'),
      unlimited: toggle('no limit'),
    },
    run({ workspace, monthlyLimit, unlimited }) {
      if ((monthlyLimit === undefined) === !unlimited) {
        throw new UsageError('Give either --monthly-limit <n> or --unlimited')
      }
      return withStore(async ({ store }) => {
        const changed = done(await setMonthlyCeiling(store, workspace, monthlyLimit ?? null))
        return { data: withIsoTimes(changed), text: report('Monthly limit changed', details(changed)) }
      })
    },
  })

  addVerb(workspace, {
    name: 'set-deleted',
    summary: 'choose what is read of messages that people have deleted: as they were, or without their content',
    example: 'workspace set-deleted ws_… --messages hide',
    inputs: {
      workspace: argument(idOf('workspace'), 'the workspace, ws_…'),
      messages: required(oneOf('word', deletedMessages), 'keep them, marked as deleted; or hide what they say'),
    },
    run: ({ workspace, messages }) =>
      withStore(async ({ store }) => {
        const changed = done(await setDeletedMessages(store, workspace, messages))
        return { data: withIsoTimes(changed), text: report('Deleted messages changed', details(changed)) }
      }),
  })

  setOptOutsCommand(workspace, workbench)
  setQuietHoursCommand(workspace, workbench)

  addVerb(workspace, {
    name: 'remove',
    summary: 'erase a workspace with all that belongs to it: keys, channels, contacts, messages, users',
    example: 'workspace remove ws_… --confirm "My shop"',
    inputs: {
      workspace: argument(idOf('workspace'), 'the workspace, ws_…'),
      confirm: required(name, 'its name, to confirm: an erasure cannot be undone'),
    },
    run: ({ workspace: workspaceId, confirm }) =>
      withStore(async ({ store }) => {
        const workspace = await findWorkspace(store, workspaceId)
        if (workspace.name !== confirm) {
          throw new CommandError(`Nothing was removed: the workspace ${workspaceId} is called "${workspace.name}"`, {
            code: 'NOT_CONFIRMED',
          })
        }
        const tell = progress()
        const records = done(
          await removeWorkspace(store, workspaceId, erased => tell(`${erased} records erased so far`)),
        )
        return {
          data: { ...withIsoTimes(workspace), erasedRecords: records },
          text: report(`Workspace ${workspace.name} removed`, { id: workspaceId, 'records erased': records }),
        }
      }),
  })
}

/** @throws CommandError when there is no such workspace */
export const findWorkspace = async (store: Store, workspaceId: string): Promise<Workspace> =>
  found(await store.read.workspace(workspaceId), 'workspace', workspaceId)

/** @returns the named workspace, else all. @throws CommandError when there is no such workspace */
export const meantWorkspaces = async (store: Store, workspaceId: string | undefined): Promise<readonly Workspace[]> =>
  workspaceId === undefined ? store.read.workspaces() : [await findWorkspace(store, workspaceId)]

/** @returns what is read of the named workspace, else of all. @throws CommandError when there is no such workspace */
export async function ofWorkspaces<Thing>(
  store: Store,
  workspaceId: string | undefined,
  read: (workspaceId: string) => Promise<readonly Thing[]>,
): Promise<Thing[]> {
  const workspaces = await meantWorkspaces(store, workspaceId)
  return (await Promise.all(workspaces.map(({ id }) => read(id)))).flat()
}

/**
 * @returns the named workspace, else the only one
 * @throws CommandError when there is no such workspace; UsageError when one of several has to be named
 */
export async function oneWorkspace(store: Store, workspaceId: string | undefined): Promise<Workspace> {
  const [workspace, ...others] = await meantWorkspaces(store, workspaceId)
  if (!workspace)
    throw new CommandError(`There is no workspace yet. Create one: ${commandLine(createExample)}`, {
      code: 'NOT_FOUND',
    })
  if (others.length === 0) return workspace
  throw new UsageError(
    `There are ${others.length + 1} workspaces: name one with --workspace, see waypost workspace list`,
  )
}

const createExample = 'workspace create --name "My shop"'

const details = (workspace: Workspace) => ({
  id: workspace.id,
  'monthly limit': limitText(workspace),
  'deleted messages': workspace.deletedMessages,
  'marketing to who wants none': workspace.onOptOut,
})

/** Where the owners have set less than the operator, both are said: a command does not change theirs. */
function limitText({ monthlyMessageLimit: limit, monthlyCeiling: ceiling }: Workspace): string | number {
  if (limit === ceiling) return ceiling ?? 'unlimited'
  return `${limit}, set by an owner (${ceiling === null ? 'unlimited otherwise' : `at most ${ceiling}`})`
}
