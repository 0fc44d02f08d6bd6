import { Elysia } from 'elysia'
import type { Channel, Template } from '../../../db/contract/records.ts'
import type { StoreReads } from '../../../db/contract/store.ts'
import { GatewayError } from '../../base/errors.ts'
import { closed, Type, wire } from '../../base/schema.ts'
import { idField } from '../../operations/fields.ts'
import { readTemplates } from '../../operations/templates.ts'
import { draftSchema } from '../../templates/authoring/draftSchema.ts'
import { isUnderReview } from '../../templates/authoring/lifecycle.ts'
import { type Changed, TemplateChanges } from '../../templates/changes.ts'
import { guard } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done as acted, notFound } from '../refusals.ts'
import { orNull, shape, textOrNull, wired } from '../shapes.ts'
import { templateDetail, templateDetailSchema, templateSchema, templateView } from './views.ts'

/** A page of the list: a preview has some kilobytes. */
const pageSize = 50
const searchLengthMax = 200

const listQuery = wire(
  Type.Object({
    phoneNumberId: idField,
    search: Type.Optional(Type.String({ maxLength: searchLengthMax, description: 'A part of the name or a text.' })),
    status: Type.Optional(idField),
    offset: Type.Optional(Type.Integer({ minimum: 0 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSize })),
  }),
  'text',
)

const listAnswer = wired('ConsoleTemplateList', {
  templates: Type.Array(templateSchema),
  total: Type.Integer({ description: 'How many match the filters.' }),
  next: orNull(Type.Integer(), { description: 'The `offset` of the next page.' }),
  statuses: Type.Array(shape('TemplateStatusCount', { status: Type.String(), count: Type.Integer() })),
  channelId: Type.String(),
  canUpload: Type.Boolean({ description: 'Whether the channel has its app id, which uploads of examples need.' }),
})
const detailAnswer = wire(templateDetailSchema)
const createBody = wired('NewTemplate', { phoneNumberId: idField, draft: draftSchema })
const editBody = wired('TemplateEdit', { draft: draftSchema })
const changedAnswer = wired('ChangedTemplate', { template: templateSchema })
const deleteQuery = wire(
  Type.Object({ languages: Type.Enum(['one', 'all'], { description: 'This language, or the name in all of them.' }) }),
  'text',
)
const deletedAnswer = wire(closed({ name: Type.String(), language: textOrNull }))
const syncBody = wire(closed({ phoneNumberId: idField }))
const syncAnswer = wire(closed({ synced: Type.Integer(), approved: Type.Integer(), skipped: Type.Integer() }))

/** @returns the channel whose templates a line of the workspace sends */
export async function channelOfLine(read: StoreReads, workspaceId: string, lineId: string): Promise<Channel> {
  const line = await read.line(lineId)
  const channel = line?.workspaceId === workspaceId ? await read.channel(line.channelId) : null
  if (!channel) throw notFound('No such line.')
  return channel
}

/** @returns a template of the workspace, and its channel */
export async function ownTemplate(
  read: StoreReads,
  workspaceId: string,
  templateId: string,
): Promise<{ channel: Channel; template: Template }> {
  const template = await read.template(templateId)
  const channel = template && template.status !== 'DELETED' ? await read.channel(template.channelId) : null
  if (!template || channel?.workspaceId !== workspaceId) throw notFound('No such template.')
  return { channel, template }
}

/** @throws GatewayError with the refusal */
export function done<Value>(changed: Changed<Value>): Value {
  if (changed.ok) return changed.value
  throw new GatewayError(changed.refusal)
}

/** The templates of a line's channel: reading them, and changing them at the upstream (docs/console.md#templates). */
export function templateRoutes(parts: ConsoleParts) {
  const { store, templateRefresher } = parts
  const { read } = store
  const changes = new TemplateChanges({ ...parts, read })

  const viewOf = async (template: Template) => templateView(template, await read.updates(template.id))

  return new Elysia({ name: 'console-templates', prefix: '/workspaces/:workspaceId/templates' })
    .use(guard(parts))
    .get(
      '',
      async ({ member: { workspaceId }, query }) => {
        const channel = await channelOfLine(read, workspaceId, query.phoneNumberId)
        const all = (await read.templates({ workspaceId, approved: false })).filter(
          ({ channelId }) => channelId === channel.id,
        )
        const searched = all.filter(template => isFound(template, query.search))
        const found = searched.filter(({ status }) => query.status === undefined || status === query.status)
        const { offset = 0, limit = pageSize } = query
        const end = offset + limit
        // The review may have ended; callbacks of templates do not reach every address.
        if (all.some(({ status }) => isUnderReview(status))) templateRefresher.request(channel.id)
        return {
          templates: await Promise.all(found.slice(offset, end).map(viewOf)),
          total: found.length,
          next: end < found.length ? end : null,
          statuses: countsOf(searched),
          channelId: channel.id,
          canUpload: channel.appId !== null,
        }
      },
      {
        role: 'viewer',
        query: listQuery,
        response: listAnswer,
        summary: 'List templates',
        description: 'The templates that a line can send, whatever their status, by name and language.',
      },
    )
    .get(
      '/:templateId',
      async ({ member: { workspaceId }, params }) => {
        const { channel, template } = await ownTemplate(read, workspaceId, params.templateId)
        const named = await read.templatesNamed({ channelId: channel.id, name: template.name })
        if (isUnderReview(template.status)) templateRefresher.request(channel.id)
        return templateDetail(template, await read.updates(template.id), named)
      },
      {
        role: 'viewer',
        response: detailAnswer,
        summary: 'Show a template',
        description: 'Its structure, its status with the reason, and the variables that a send fills.',
      },
    )
    .post(
      '',
      async ({ member: { workspaceId, write }, body }) => {
        const channel = await channelOfLine(read, workspaceId, body.phoneNumberId)
        return { template: await viewOf(done(await changes.create(channel, body.draft, write))) }
      },
      {
        role: 'member',
        body: createBody,
        response: changedAnswer,
        summary: 'Create a template',
        description: 'Checks all rules and submits it for review. A copy is created in the same way.',
      },
    )
    .put(
      '/:templateId',
      async ({ member: { workspaceId, write }, params, body }) => {
        const { channel, template } = await ownTemplate(read, workspaceId, params.templateId)
        return { template: await viewOf(done(await changes.edit(channel, template, body.draft, write))) }
      },
      {
        role: 'member',
        body: editBody,
        response: changedAnswer,
        summary: 'Edit a template',
        description: 'Replaces everything but name and language; it is reviewed again.',
      },
    )
    .delete(
      '/:templateId',
      async ({ member: { workspaceId, write }, params, query }) => {
        const { channel, template } = await ownTemplate(read, workspaceId, params.templateId)
        const isWholeName = query.languages === 'all'
        done(await changes.delete(channel, template, isWholeName, write))
        return { name: template.name, language: isWholeName ? null : template.language }
      },
      {
        // Sends of it are refused at once, and the name of an approved one is blocked for 30 days.
        role: 'admin',
        query: deleteQuery,
        response: deletedAnswer,
        summary: 'Delete a template',
        description: 'In one language or all of them. The name of an approved one is blocked for 30 days afterwards.',
      },
    )
    .post(
      '/sync',
      async ({ member: { workspaceId, write }, body }) => {
        const channel = await channelOfLine(read, workspaceId, body.phoneNumberId)
        const sync = acted(readTemplates(channel, await changes.sync(channel, write)))
        const { synced, approved, skipped } = sync
        return { synced, approved, skipped }
      },
      {
        role: 'member',
        body: syncBody,
        response: syncAnswer,
        summary: 'Read the templates now',
        description: 'They are also read every few minutes.',
      },
    )
}

/** The name, or any text of it. */
function isFound({ name, components }: Template, search: string | undefined): boolean {
  const words = search?.trim().toLowerCase() ?? ''
  return words === '' || name.includes(words.replaceAll(' ', '_')) || components.toLowerCase().includes(words)
}

function countsOf(templates: readonly Template[]) {
  const counts = new Map<string, number>()
  for (const { status } of templates) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => ({ status, count })).sort((a, b) => b.count - a.count)
}
