import type { Template } from '../../../db/contract/records.ts'
import type { UpstreamUpdate } from '../../../db/contract/updates.ts'
import { closed, type Static, Type } from '../../base/schema.ts'
import { draftSchema } from '../../templates/authoring/draftSchema.ts'
import { editProblem } from '../../templates/authoring/lifecycle.ts'
import { draftOf } from '../../templates/authoring/read.ts'
import { exampleValues } from '../../templates/exampleSend.ts'
import { headerExamples } from '../../templates/headerExamples.ts'
import { qualityOf, statusReason } from '../../templates/reason.ts'
import { templateRecord } from '../../templates/record.ts'
import { parseTemplate } from '../../templates/shape.ts'
import { iso, isoOrNull, moment, momentOrNull, orNull, picked, shape, textOrNull } from '../shapes.ts'

/** Why a template is in its status, as the upstream says it. */
const reasonSchema = orNull(
  closed({
    reason: orNull(Type.String(), { description: "The upstream's reason, for example `PROMOTIONAL`." }),
    words: orNull(Type.String(), { description: 'A sentence: what to do, or what happened.' }),
    at: momentOrNull,
    until: momentOrNull,
  }),
)

export const templateSchema = shape('ConsoleTemplate', {
  id: Type.String(),
  channelId: Type.String(),
  name: Type.String(),
  language: Type.String(),
  category: Type.String(),
  status: Type.String(),
  reason: reasonSchema,
  quality: orNull(Type.String(), { description: 'The last quality that a callback reported.' }),
  updatedAt: moment,
  draft: draftSchema,
  headerExamples: Type.Array(textOrNull, {
    description: 'Where the example file of its header is, then that of each card; null: there is none.',
  }),
  editProblem: textOrNull,
})

const variableSchema = shape('TemplateVariable', {
  key: Type.String({ description: 'Of `templateVariables`.' }),
  kind: Type.String({
    description: '`text`, `code`, `coupon`, `product`, `link`, `mediaId`, `fileName`, `flowToken`, `flowData`.',
  }),
  isRequired: Type.Boolean(),
  card: orNull(Type.Integer()),
  places: Type.Array(Type.String()),
})

export const templateDetailSchema = shape('ConsoleTemplateDetail', {
  template: templateSchema,
  variables: Type.Array(variableSchema),
  unsupported: Type.Array(Type.String(), {
    description: 'Parts whose values only `templateComponents` can give, in words. With any, no test can be sent here.',
  }),
  exampleValues: orNull(Type.Object({}, { additionalProperties: true }), {
    description: 'The fields of a send that fill it with its own examples.',
  }),
  otherLanguages: Type.Array(closed({ id: Type.String(), language: Type.String(), status: Type.String() })),
})

export type TemplateView = Static<typeof templateSchema>

export function templateView(template: Template, updates: readonly UpstreamUpdate[]): TemplateView {
  const record = templateRecord(template)
  const { draft, lost } = draftOf(record)
  const problem =
    lost.length > 0 ? `It has parts that cannot be edited here: ${lost.join(', ')}` : editProblem(template.status)
  const reason = statusReason(template, updates)
  return picked(templateSchema, {
    ...template,
    reason: reason && { ...reason, at: isoOrNull(reason.at), until: isoOrNull(reason.until) },
    quality: qualityOf(updates),
    updatedAt: iso(template.updatedAt),
    draft,
    headerExamples: headerExamples(record).map(example => example?.link ?? null),
    editProblem: problem ?? null,
  })
}

export function templateDetail(template: Template, updates: readonly UpstreamUpdate[], named: readonly Template[]) {
  const record = templateRecord(template)
  const parsed = parseTemplate(record)
  return {
    template: templateView(template, updates),
    variables: [...parsed.variables.values()].map(variable =>
      picked(variableSchema, { ...variable, isRequired: variable.requiredBy !== null, places: [...variable.places] }),
    ),
    unsupported: [...parsed.unsupported],
    exampleValues: exampleValues(record),
    otherLanguages: named
      .filter(({ id, status }) => id !== template.id && status !== 'DELETED')
      .map(({ id, language, status }) => ({ id, language, status })),
  }
}
