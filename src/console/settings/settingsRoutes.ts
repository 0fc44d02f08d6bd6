import { Elysia } from 'elysia'
import { GatewayError } from '../../errors.ts'
import { Type, wire } from '../../schema.ts'
import { settings, shownSettings } from '../../settings.ts'
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
  return new Elysia({ name: 'console-settings', prefix: '/workspaces/:workspaceId' }).use(guard(parts)).get(
    '/settings',
    async ({ member }) => {
      const [workspace, sandbox] = await Promise.all([store.read.workspace(member.workspaceId), findSandbox()])
      if (!workspace) throw new GatewayError({ reason: 'NOT_FOUND', message: 'No such workspace.' })
      const { id, name, monthlyMessageLimit, createdAt } = workspace
      return {
        workspace: { id, name, monthlyMessageLimit, createdAt: new Date(createdAt).toISOString() },
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
}
