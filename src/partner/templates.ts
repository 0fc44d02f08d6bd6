import { Elysia } from 'elysia'
import type { Line, Template } from '../../db/contract/records.ts'
import { invalid } from '../base/errors.ts'
import { check, closed, described, Type } from '../base/schema.ts'
import { templateNameCharsMax } from '../base/upstreamLimits.ts'
import { isSameLanguage } from '../message/language.ts'
import { exampleValues } from '../templates/exampleSend.ts'
import { listedComponents, templateRecord } from '../templates/record.ts'
import { readRequirements } from '../templates/variables.ts'
import { answer, queryParameters } from './docs/operation.ts'
import { type Endpoint, partnerPrefix, queryFields } from './endpoint.ts'
import { templateSendSchema } from './sendSchema.ts'

const { templateVariables, templateComponents, bodyParameters, carousel } = templateSendSchema.properties
const exampleValuesSchema = described('ExampleValues', 'The fields of a send that fill a template.', {
  templateVariables,
  templateComponents,
  bodyParameters,
  carousel,
})

const recordSchema = described('Template', 'An approved template in one language.', {
  id: Type.String({ description: 'The service template id (`tpl_…`).' }),
  name: Type.String({ description: 'For `templateName`.' }),
  language: Type.String({ description: 'For `templateLanguage`.' }),
  category: Type.String({ description: '`MARKETING`, `UTILITY` or `AUTHENTICATION`.' }),
  status: Type.String({ description: 'Always `APPROVED` here.' }),
  components: Type.Array(Type.Object({}, { additionalProperties: true }), {
    description: "The upstream's structure: header, body, footer, buttons with their URLs, carousel cards.",
  }),
  variables: Type.Array(Type.String(), {
    description:
      'The exact keys of `templateVariables` that a send must fill, ready to copy. None for a template that only ' +
      '`templateComponents` can fill.',
  }),
  sendableWith: Type.Union([Type.Literal('templateVariables'), Type.Literal('templateComponents')], {
    description:
      '`templateComponents` when a part has no key: a location or product header, also on a card, or an offer that ' +
      'expires. A send with `templateVariables` is refused then.',
  }),
  needsComponents: Type.Array(Type.String(), {
    description: 'The parts that only `templateComponents` can fill, in words.',
  }),
  sharedVariables: Type.Array(
    described('SharedVariable', 'One key that fills several places.', {
      variable: Type.String({ description: 'The key.' }),
      places: Type.Array(Type.String(), { description: 'What it fills: `header`, `body`, `URL button 0`.' }),
    }),
    {
      description:
        'The keys that fill several places with one value. Where the places need different values, give the main ' +
        "body its own by `bodyParameters`, a card's URL button by `carousel`, and any other place by " +
        '`templateComponents`.',
    },
  ),
  exampleValues: Type.Union([exampleValuesSchema, Type.Null()], {
    description:
      'The fields of a send that fill the template with its own examples, ready to copy: `templateVariables`, with ' +
      '`bodyParameters` or `carousel` where a shared key would put the wrong text in a place, or ' +
      '`templateComponents` where only they can fill a part, or several places with different values: a location, ' +
      'a product or a time is made up then. Null when a part is of a kind that has no example.',
  }),
  phoneNumberIds: Type.Array(Type.String(), {
    description:
      'The active lines that can send it, for `phoneNumberId`. A workspace with several channels has a record of ' +
      'each channel that knows the name and language; the lines tell them apart.',
  }),
  updatedAt: Type.String({ format: 'date-time', description: 'When this service last saw it change.' }),
})

const listEnvelope = described('TemplateList', 'The approved templates of the workspace.', {
  success: Type.Literal(true),
  data: closed({ templates: Type.Array(recordSchema, { description: 'One record per channel, name and language.' }) }),
})

/** No listed name is longer; languages are far shorter. */
const filterLengthMax = templateNameCharsMax
const querySchema = closed({
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
})
const checkQuery = check(querySchema, 'text')

/** `GET /templates` (docs/partner-api.md#template-list). */
export function templatesRoute(endpoint: Endpoint) {
  const readings = new TemplateReadings()
  const answerList = endpoint('GET /templates', async ({ workspaceId, read }, { request }) => {
    const checked = checkQuery(queryFields(request, querySchema))
    if (!checked.ok) return { ok: false, refusal: invalid(checked.issues) }
    const { name, language } = checked.value
    const [approved, lines] = await Promise.all([
      read.templates({ workspaceId, approved: true, ...(name !== undefined && { name }) }),
      read.lines(workspaceId),
    ])
    const asked = approved.filter(template => language === undefined || isSameLanguage(template.language, language))
    const templates = asked.map(template => templateView(template, readings, lines))
    return { ok: true, status: 200, body: { success: true, data: { templates } } }
  })
  return new Elysia({ name: 'partner-templates' }).get(
    `${partnerPrefix}/templates`,
    ({ request, server }) => answerList({ request, server }),
    {
      detail: {
        operationId: 'listTemplates',
        summary: 'List approved templates',
        tags: ['Templates'],
        description:
          "All approved templates of the key's workspace in one answer, to discover names, languages, structure and " +
          'the variables that a send must fill. Unknown query parameters are ignored.',
        parameters: queryParameters(querySchema),
        responses: {
          200: answer('One record per channel, name and language.', listEnvelope, {
            templates: {
              summary: 'A template with a body and a URL button',
              value: { success: true, data: { templates: [exampleTemplate] } },
            },
          }),
        },
      },
    },
  )
}

/** Of the API document. */
const exampleTemplate = {
  id: 'tpl_01jd4v7m9xf5ksxj1q5y8p0c3g',
  name: 'order_confirmation',
  language: 'en_US',
  category: 'UTILITY',
  status: 'APPROVED',
  components: [
    { type: 'BODY', text: 'Order {{1}} is confirmed, thank you, {{2}}.', example: { body_text: [['1001', 'Ada']] } },
    {
      type: 'BUTTONS',
      buttons: [
        {
          type: 'URL',
          text: 'View order',
          url: 'https://shop.example/orders/{{1}}',
          example: ['https://shop.example/orders/1001'],
        },
      ],
    },
  ],
  variables: ['1', '2'],
  sendableWith: 'templateVariables',
  needsComponents: [],
  sharedVariables: [{ variable: '1', places: ['body', 'URL button 0'] }],
  exampleValues: { templateVariables: { '1': '1001', '2': 'Ada' } },
  phoneNumberIds: ['line_01jd4v7m9xf5ksxj1q5y8p0c3e'],
  updatedAt: '2026-02-20T08:00:00.000Z',
}

/** An account has at most 6,000 templates, with a few kilobytes kept for each. */
const readingsMax = 2_000

/**
 * The parsed structure of each template. Parsing takes some 20 µs, and hundreds of templates would delay other
 * requests.
 */
class TemplateReadings {
  readonly #byId = new Map<string, { updatedAt: number; reading: ReturnType<typeof readTemplate> }>()

  of(template: Template): ReturnType<typeof readTemplate> {
    const known = this.#byId.get(template.id)
    if (known?.updatedAt === template.updatedAt) return known.reading
    const reading = readTemplate(template)
    if (this.#byId.size >= readingsMax) this.#byId.clear()
    this.#byId.set(template.id, { updatedAt: template.updatedAt, reading })
    return reading
  }
}

function readTemplate(template: Template) {
  const record = templateRecord(template)
  return {
    components: listedComponents(template),
    ...readRequirements(record),
    exampleValues: exampleValues(record),
  }
}

function templateView(template: Template, readings: TemplateReadings, lines: readonly Line[]) {
  return {
    id: template.id,
    name: template.name,
    language: template.language,
    category: template.category,
    status: template.status,
    ...readings.of(template),
    phoneNumberIds: lines.filter(line => line.active && line.channelId === template.channelId).map(({ id }) => id),
    updatedAt: new Date(template.updatedAt).toISOString(),
  }
}
