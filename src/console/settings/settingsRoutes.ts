import { Elysia } from 'elysia'
import type { Workspace } from '../../../db/accounts.ts'
import { GatewayError } from '../../errors.ts'
import { monthlyLimitMax } from '../../message/plan.ts'
import { Type, wire } from '../../schema.ts'
import { settings, shownSettings } from '../../settings.ts'
import { nameField, nameOf } from '../auth/schemas.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'

const workspaceSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    monthlyMessageLimit: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: unlimited.' }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: false, title: 'WorkspaceSettings' },
)
const workspaceAnswer = wire(workspaceSchema)
const nameBody = wire(Type.Object({ name: nameField }, { additionalProperties: false, title: 'WorkspaceName' }))
const limitBody = wire(
  Type.Object(
    {
      monthlyMessageLimit: Type.Union([Type.Integer({ minimum: 0, maximum: monthlyLimitMax }), Type.Null()], {
        description: 'Messages a calendar month (UTC); null: unlimited.',
      }),
    },
    { additionalProperties: false, title: 'MonthlyLimit' },
  ),
)
const settingSchema = Type.Object(
  {
    name: Type.String({ description: 'The name of the setting in the environment.' }),
    purpose: Type.String(),
    value: Type.String({ description: 'As it was written, or the default in words.' }),
    isSet: Type.Boolean({ description: 'Whether it is set in the environment; else the default counts.' }),
  },
  { additionalProperties: false, title: 'Setting' },
)
const settingsAnswer = wire(
  Type.Object(
    {
      workspace: workspaceSchema,
      gateway: Type.Array(settingSchema, {
        description: 'What the operator of the gateway sets, for all workspaces.',
      }),
      isSandbox: Type.Boolean({ description: 'Whether the upstream is the stand-in: nothing reaches a phone.' }),
    },
    { additionalProperties: false, title: 'Settings' },
  ),
)

/** What is set for a workspace, and for the gateway that it is in. */
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
        detail: { summary: 'Read the settings', description: 'Limits, retention and the upstream, with their source.' },
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
        detail: { summary: 'Rename the workspace', description: 'Its id stays.' },
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
        detail: { summary: 'Set the monthly limit', description: 'It counts from the next send on.' },
      },
    )
}

/** @throws GatewayError NOT_FOUND for one that was removed meanwhile */
function view(workspace: Workspace | null) {
  if (!workspace) throw new GatewayError({ reason: 'NOT_FOUND', message: 'No such workspace.' })
  const { id, name, monthlyMessageLimit, createdAt } = workspace
  return { id, name, monthlyMessageLimit, createdAt: new Date(createdAt).toISOString() }
}
