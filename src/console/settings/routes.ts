import { Elysia } from 'elysia'
import type { Workspace } from '../../../db/contract/accounts.ts'
import { closed, Type, wire } from '../../base/schema.ts'
import { settings, shownSettings } from '../../config/settings.ts'
import { dropInPrefix } from '../../http/dropInCalls.ts'
import { startWordsDefault, stopWordsDefault } from '../../message/optOut.ts'
import { nameField } from '../../operations/fields.ts'
import { optOutFields, setOptOuts } from '../../operations/optOuts.ts'
import { ratesFileField, setPriceRates } from '../../operations/priceRates.ts'
import { quietHoursField, setQuietHours } from '../../operations/quietHours.ts'
import {
  deletedMessagesField,
  monthlyLimitField,
  renameWorkspace,
  setDeletedMessages,
  setMonthlyLimit,
} from '../../operations/workspaces.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done, found } from '../refusals.ts'
import { iso, moment, orNull, picked, shape, wired } from '../shapes.ts'

const workspaceSchema = shape('WorkspaceSettings', {
  id: Type.String(),
  name: Type.String(),
  monthlyMessageLimit: orNull(Type.Integer(), { description: 'Null: unlimited.' }),
  monthlyCeiling: orNull(Type.Integer(), { description: 'What the operator allows at most. Null: no limit.' }),
  deletedMessages: deletedMessagesField,
  ...optOutFields,
  quietHours: quietHoursField,
  createdAt: moment,
})
const workspaceAnswer = wire(workspaceSchema)
const nameBody = wired('WorkspaceName', { name: nameField })
const limitBody = wired('MonthlyLimit', {
  monthlyMessageLimit: orNull(monthlyLimitField, {
    description: 'Messages a calendar month (UTC); null: unlimited.',
  }),
})
const deletedMessagesBody = wired('DeletedMessages', { deletedMessages: deletedMessagesField })
const quietHoursBody = wire(shape('QuietHoursSettings', { quietHours: quietHoursField }))
const optOutsBody = wire(Type.Partial(shape('OptOutSettings', optOutFields)))
const ratesBody = wired('PriceRates', {
  file: orNull(ratesFileField, {
    description: 'CSV with the columns country, category, price and currency; null: the rates are removed.',
  }),
})
const ratesAnswer = wired('KeptPriceRates', { count: Type.Integer() })
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
  rates: orNull(closed({ count: Type.Integer(), currencies: Type.Array(Type.String()), setAt: moment }), {
    description: 'By which what is charged becomes an estimate; null: there are none.',
  }),
  usualWords: closed(
    { stop: Type.Array(Type.String()), start: Type.Array(Type.String()) },
    { description: 'Those of a workspace that has none of its own.' },
  ),
  graphUrl: orNull(Type.String(), {
    description:
      'Where existing clients of the upstream platform are answered: without PUBLIC_URL, a path of the address of ' +
      'the page. Null: GRAPH_API is off.',
  }),
  isSandbox: Type.Boolean({ description: 'Whether the upstream is the stand-in: nothing reaches a phone.' }),
})

/** The settings of a workspace and of its gateway. */
export function settingsRoutes(parts: ConsoleParts) {
  const { config, publicUrl, store, findSandbox } = parts
  return new Elysia({ name: 'console-settings', prefix: '/workspaces/:workspaceId/settings' })
    .use(guard(parts))
    .get(
      '',
      async ({ member }) => {
        const { workspaceId } = member
        const [workspace, rates, sandbox] = await Promise.all([
          store.read.workspace(workspaceId),
          store.read.priceRates(workspaceId),
          findSandbox(),
        ])
        return {
          workspace: view(found(workspace, 'workspace')),
          gateway: shownSettings.map(name => {
            const given = parts.settings[name]
            const [fallback, purpose] = settings[name]
            return { name, purpose, value: given ?? fallback, isSet: given !== undefined }
          }),
          rates: rates && {
            count: rates.rates.length,
            currencies: [...new Set(rates.rates.map(({ currency }) => currency))],
            setAt: iso(rates.setAt),
          },
          usualWords: { stop: [...stopWordsDefault], start: [...startWordsDefault] },
          graphUrl: config.hasGraphApi ? (publicUrl ?? '') + dropInPrefix : null,
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
      async ({ member, body }) => view(done(await renameWorkspace(member, member.workspaceId, body.name))),
      {
        role: 'admin',
        body: nameBody,
        response: workspaceAnswer,
        summary: 'Rename the workspace',
        description: 'Its id stays.',
      },
    )
    .put(
      '/deleted-messages',
      async ({ member, body }) =>
        view(done(await setDeletedMessages(member, member.workspaceId, body.deletedMessages))),
      {
        role: 'admin',
        body: deletedMessagesBody,
        response: workspaceAnswer,
        summary: 'Keep or hide what people delete',
        description:
          'From the next read on, also of what was deleted before: `keep` shows it as deleted, `hide` without its ' +
          'content, to everybody and by API keys too.',
      },
    )
    .put(
      '/quiet-hours',
      async ({ member, body: { quietHours } }) =>
        view(done(await setQuietHours(member, member.workspaceId, quietHours))),
      {
        role: 'admin',
        body: quietHoursBody,
        response: workspaceAnswer,
        summary: 'Set the quiet hours',
        description: 'When nobody is written to first: templates of their categories wait for the end; null: none do.',
      },
    )
    .put('/opt-outs', async ({ member, body }) => view(done(await setOptOuts(member, member.workspaceId, body))), {
      role: 'admin',
      body: optOutsBody,
      response: workspaceAnswer,
      summary: 'Set what becomes of opt-outs',
      description:
        'Only what is given changes: the words, the answer, and whether marketing to who wants none is sent.',
    })
    .put('/rates', async ({ member, body }) => done(await setPriceRates(member, member.workspaceId, body.file)), {
      role: 'admin',
      body: ratesBody,
      response: ratesAnswer,
      summary: 'Set the rates of estimates',
      description: 'What a message costs by category and country; the platform names no amounts.',
    })
    .put(
      '/monthly-limit',
      async ({ member, body }) =>
        view(done(await setMonthlyLimit(member, member.workspaceId, body.monthlyMessageLimit))),
      {
        role: 'owner',
        body: limitBody,
        response: workspaceAnswer,
        summary: 'Set the monthly limit',
        description: 'It applies from the next send on. What the operator has set is not exceeded (400).',
      },
    )
}

const view = (workspace: Workspace) => {
  const { stopWords, startWords, quietHours, createdAt } = workspace
  const hours = quietHours && { ...quietHours, days: [...quietHours.days], categories: [...quietHours.categories] }
  const lists = { stopWords: stopWords && [...stopWords], startWords: startWords && [...startWords] }
  return picked(workspaceSchema, { ...workspace, ...lists, quietHours: hours, createdAt: iso(createdAt) })
}
