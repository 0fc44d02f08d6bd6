import { Elysia } from 'elysia'
import type { Template } from '../../../db/contract/records.ts'
import { searchLengthMax } from '../../base/names.ts'
import { closed, Type, wire } from '../../base/schema.ts'
import { idField } from '../../operations/fields.ts'
import {
  channelOfLine,
  createTemplate,
  deleteTemplate,
  editTemplate,
  readTemplates,
  templateOf,
} from '../../operations/templates.ts'
import { draftSchema } from '../../templates/authoring/draftSchema.ts'
import { isUnderReview, listedMax } from '../../templates/authoring/lifecycle.ts'
import { guard, type MemberCaller } from '../guard.ts'
import type { ConsoleParts } from '../parts.ts'
import { done } from '../refusals.ts'
import { orNull, shape, textOrNull, wired } from '../shapes.ts'
import { templateNumbersReader } from './numbers.ts'
import { templateDetail, templateDetailSchema, templateSchema, templateView } from './views.ts'

const orders = ['use', 'failures'] as const
const listQuery = wire(
  Type.Object({
    phoneNumberId: idField,
    search: Type.Optional(Type.String({ maxLength: searchLengthMax, description: 'A part of the name or a text.' })),
    status: Type.Optional(idField),
    order: Type.Optional(
      Type.Enum([...orders], {
        description: 'By what was sent, or failed, in the last 30 days, most first; else by name.',
      }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: listedMax })),
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

/** The templates of a line's channel: reading them, and changing them at the upstream (docs/console.md#templates). */
export function templateRoutes(parts: ConsoleParts) {
  const { store, templateRefresher } = parts
  const { read } = store

  const readNumbers = templateNumbersReader(parts)
  /** @returns those that were sent, or failed, most first; of as many, by name */
  async function ordered(member: MemberCaller, found: readonly Template[], order: (typeof orders)[number]) {
    const { templates } = await readNumbers(member)
    const monthOf = new Map(templates.map(({ name, language, month }) => [`${name} ${language}`, month]))
    const rankOf = ({ name, language }: Template) => {
      const { sent = 0, failed = 0 } = monthOf.get(`${name} ${language}`) ?? {}
      return order === 'use' ? [sent, failed] : [failed, sent]
    }
    const ranked = found.map(template => ({ template, rank: rankOf(template) }))
    const more = (one: readonly number[], other: readonly number[], at: number) => (other[at] ?? 0) - (one[at] ?? 0)
    return ranked
      .sort(({ rank: one }, { rank: other }) => more(one, other, 0) || more(one, other, 1))
      .map(({ template }) => template)
  }

  const viewOf = async (template: Template) => templateView(template, await read.updates(template.id))

  return new Elysia({ name: 'console-templates', prefix: '/workspaces/:workspaceId/templates' })
    .use(guard(parts))
    .get(
      '',
      async ({ member, query }) => {
        const { workspaceId } = member
        const channel = done(await channelOfLine(member, query.phoneNumberId))
        const all = (await read.templates({ workspaceId, approved: false })).filter(
          ({ channelId }) => channelId === channel.id,
        )
        const searched = all.filter(template => isFound(template, query.search))
        const named = searched.filter(({ status }) => query.status === undefined || status === query.status)
        const found = query.order === undefined ? named : await ordered(member, named, query.order)
        const { offset = 0, limit = listedMax } = query
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
      async ({ member, params }) => {
        const { channel, template } = done(await templateOf(member, params.templateId))
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
      async ({ member, body: { phoneNumberId, draft } }) => ({
        template: await viewOf(done(await createTemplate(member, parts, phoneNumberId, draft))),
      }),
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
      async ({ member, params: { templateId }, body: { draft } }) => ({
        template: await viewOf(done(await editTemplate(member, parts, templateId, draft))),
      }),
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
      async ({ member, params, query }) =>
        done(await deleteTemplate(member, parts, params.templateId, query.languages === 'all')),
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
      async ({ member, body }) => {
        const channel = done(await channelOfLine(member, body.phoneNumberId))
        const { synced, approved, skipped } = done(await readTemplates(member, parts, channel))
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
