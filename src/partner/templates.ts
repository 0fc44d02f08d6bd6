import { Elysia } from 'elysia'
import type { StoreReads, Template } from '../../db/store.ts'
import { callerOf, partnerPrefix } from '../http/guard.ts'
import { check, Type, wire } from '../schema.ts'
import { templateRecord } from '../templates/cache.ts'
import { isSameLanguage } from '../templates/match.ts'
import { listVariables } from '../templates/variables.ts'

const recordSchema = Type.Object(
  {
    id: Type.String({ description: 'The service template id (`tpl_…`).' }),
    name: Type.String({ description: 'For templateName.' }),
    language: Type.String({ description: 'For templateLanguage.' }),
    category: Type.String({ description: 'MARKETING, UTILITY or AUTHENTICATION.' }),
    status: Type.String({ description: 'Always APPROVED here.' }),
    components: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: "The upstream's structure: header, body, footer, buttons with their URLs, carousel cards.",
    }),
    variables: Type.Array(Type.String(), { description: 'The exact keys of templateVariables that a send must fill.' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: false },
)

const listSchema = Type.Object(
  {
    success: Type.Literal(true),
    data: Type.Object({ templates: Type.Array(recordSchema) }, { additionalProperties: false }),
  },
  { additionalProperties: false, description: 'One record per name and language.' },
)
const listEnvelope = wire(listSchema, check(listSchema))

const filterLengthMax = 512
const querySchema = Type.Object(
  {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: filterLengthMax, description: 'Only the template of this name.' }),
    ),
    language: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: filterLengthMax,
        description: 'Only this language; `-` and `_` are alike.',
      }),
    ),
  },
  { additionalProperties: false },
)
const query = wire(querySchema, check(querySchema, 'text'))

/** `GET /templates` (contract, "List approved templates"). */
export const templatesRoute = (read: StoreReads) =>
  new Elysia({ name: 'partner-templates' }).get(
    `${partnerPrefix}/templates`,
    async ({ query: { name, language }, request }) => {
      const { workspaceId } = callerOf(request)
      const approved = await read.templates({ workspaceId, approved: true, ...(name !== undefined && { name }) })
      const asked = approved.filter(template => language === undefined || isSameLanguage(template.language, language))
      return { success: true as const, data: { templates: asked.map(templateView) } }
    },
    {
      query,
      response: { 200: listEnvelope },
      detail: { operationId: 'listTemplates', summary: 'List approved templates', tags: ['Partner API'] },
    },
  )

function templateView(template: Template) {
  const record = templateRecord(template)
  return {
    id: template.id,
    name: template.name,
    language: template.language,
    category: template.category,
    status: template.status,
    components: record.components,
    variables: listVariables(record),
    updatedAt: new Date(template.updatedAt).toISOString(),
  }
}
