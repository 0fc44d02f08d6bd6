import { Elysia } from 'elysia'
import type { Workspace } from '../../../db/accounts.ts'
import { settings, shownSettings } from '../../config/settings.ts'
import { monthlyLimitMax } from '../../message/plan.ts'
import { Type, wire } from '../../schema.ts'
import { nameField, nameOf } from '../auth/schemas.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { notFound } from '../refusals.ts'
import { iso, moment, orNull, picked, shape, wired } from '../shapes.ts'

const workspaceSchema = shape('WorkspaceSettings', {
  id: Type.String(),
  name: Type.String(),
  monthlyMessageLimit: orNull(Type.Integer(), { description: 'Null: unlimited.' }),
  createdAt: moment,
})
const workspaceAnswer = wire(workspaceSchema)
const nameBody = wired('WorkspaceName', { name: nameField })
const limitBody = wired('MonthlyLimit', {
  monthlyMessageLimit: orNull(Type.Integer({ minimum: 0, maximum: monthlyLimitMax }), {
    description: 'Messages a calendar month (UTC); null: unlimited.',
  }),
})
const settingSchema = shape('Setting', {
  name: Type.String({ description: 'The name of the setting in the environment.' }),
  purpose: Type.String(),
  value: Type.String({ description: 'As it was written, or the default in words.' }),
  isSet: Type.Boolean({ description: 'Whether it is set in the environment; else the default is used.' }),
})
const settingsAnswer = wired('Settings', {
  workspace: workspaceSchema,
  gateway: Type.Array(settingSchema, {
    description: 'What the operator of the gateway sets, for all workspaces.',
  }),
  isSandbox: Type.Boolean({ description: 'Whether the upstream is the stand-in: nothing reaches a phone.' }),
})

/** The settings of a workspace and of its gateway. */
export function settingsRoutes(parts: ConsoleParts) {
  const { store, findSandbox } = parts
  return new Elysia({ name: 'console-settings', prefix: '/workspaces/:workspaceId/settings' })
    .use(guard(parts))
    .get(
      '',
      async ({ member }) => {
        const [workspace, sandbox] = await Promise.all([store.read.workspace(member.workspaceId), findSandbox()])
        return {
          workspace: view(workspace),
          gateway: shownSettings.map(name => {
            const given = parts.settings[name]
            const [fallback, purpose] = settings[name]
            return { name, purpose, value: given ?? fallback, isSet: given !== undefined }
          }),
          isSandbox: sandbox !== null,
        }
      },
      {
        role: 'viewer',
        response: settingsAnswer,
        summary: 'Read the settings',
        description: 'Limits, retention and the upstream, with their source.',
      },
    )
    .put(
      '/name',
      async ({ member: { workspaceId, write }, body }) =>
        view(await write.renameWorkspace({ workspaceId, name: nameOf(body.name, '/name') })),
      {
        role: 'admin',
        body: nameBody,
        response: workspaceAnswer,
        summary: 'Rename the workspace',
        description: 'Its id stays.',
      },
    )
    .put(
      '/monthly-limit',
      async ({ member: { workspaceId, write }, body }) =>
        view(await write.setMonthlyLimit({ workspaceId, limit: body.monthlyMessageLimit })),
      {
        role: 'owner',
        body: limitBody,
        response: workspaceAnswer,
        summary: 'Set the monthly limit',
        description: 'It applies from the next send on.',
      },
    )
}

/** @throws GatewayError NOT_FOUND for one that was removed meanwhile */
function view(workspace: Workspace | null) {
  if (!workspace) throw notFound('No such workspace.')
  return picked(workspaceSchema, { ...workspace, createdAt: iso(workspace.createdAt) })
}
