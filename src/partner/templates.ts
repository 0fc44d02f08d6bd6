import { Elysia } from 'elysia'
import type { Line, Template } from '../../db/contract/records.ts'
import { sha256 } from '../base/crypto.ts'
import { invalid } from '../base/errors.ts'
import { closed, described, Type } from '../base/schema.ts'
import { templateNameCharsMax } from '../base/upstreamLimits.ts'
import { jsonType } from '../http/answers.ts'
import { partnerPrefix } from '../http/calls.ts'
import { isKnown } from '../http/conditional.ts'
import { isSameLanguage } from '../message/language.ts'
import { templateSendSchema } from '../operations/sends/sendSchema.ts'
import { exampleValues } from '../templates/exampleSend.ts'
import { listedComponents, templateRecord } from '../templates/record.ts'
import { readRequirements } from '../templates/variables.ts'
import type { PartnerCaller } from './caller.ts'
import { answer, queryParameters } from './docs/operation.ts'
import type { Endpoint } from './endpoint.ts'
import { KeptAnswers } from './keptAnswers.ts'
import { lenientQuery } from './query.ts'

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
const checkQuery = lenientQuery(querySchema)
const entityTag = {
  ETag: {
    description: 'Of the list: another one when a template or a line has changed. Give it as `If-None-Match`.',
    schema: { type: 'string' },
    example: '"5f4dcc3b5aa765d61d8327deb882cf99"',
  },
} as const

/** Templates that are read and written in one turn: some four milliseconds, in which nothing else is served. */
const stepTemplates = 100

/**
 * `GET /templates` (docs/partner-api.md#template-list). The whole list may have megabytes: it is kept as it is written.
 * @param version of the program: another one may show more of a template
 */
export function templatesRoute(version: string, endpoint: Endpoint) {
  const kept = new KeptAnswers()
  /** Who asks for the same meanwhile waits for it, too. */
  const beingWritten = new Map<string, Promise<Blob>>()

  /** Only the whole list is kept: of parts, a caller may name any number. */
  function listOf(caller: PartnerCaller, tag: string, listed: Listed): Blob | Promise<Blob> {
    const { workspaceId } = caller
    const isWhole = listed.name === undefined && listed.language === undefined
    const known = kept.get(workspaceId, tag) ?? beingWritten.get(tag)
    if (known) return known
    const writing = writtenList(caller, listed).finally(() => beingWritten.delete(tag))
    beingWritten.set(tag, writing)
    return writing.then(list => {
      if (isWhole) kept.keep(workspaceId, tag, list)
      return list
    })
  }

  const answerList = endpoint('GET /templates', async (caller, { request }) => {
    const { workspaceId, read } = caller
    const checked = checkQuery(request)
    if (!checked.ok) return { ok: false, refusal: invalid(checked.issues) }
    const { name, language } = checked.value
    const [channels, lines] = await Promise.all([read.templateGenerations(workspaceId), read.lines(workspaceId)])
    const senders = lines.flatMap(({ id, channelId, active }) => (active ? [{ id, channelId }] : []))
    const tag = sha256(JSON.stringify([version, workspaceId, channels, senders, name, language])).slice(0, 32)
    const etag = `"${tag}"`
    const headers = { etag, 'cache-control': 'no-store' }
    if (isKnown(request, etag)) return { ok: true, status: 304, file: { content: null, headers } }
    const listed = { channelIds: channels.map(({ channelId }) => channelId), senders, name, language }
    const content = await listOf(caller, tag, listed)
    await read.writes(content.size)
    return { ok: true, status: 200, file: { content, headers: { ...headers, 'content-type': jsonType } } }
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
        parameters: [
          ...(queryParameters(querySchema) ?? []),
          {
            name: 'If-None-Match',
            in: 'header',
            required: false,
            description: 'The `ETag` of a list that you have kept: as long as it is the same, the answer is 304.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          200: {
            ...answer('One record per channel, name and language.', listEnvelope, {
              templates: {
                summary: 'A template with a body and a URL button',
                value: { success: true, data: { templates: [exampleTemplate] } },
              },
            }),
            headers: entityTag,
          },
          304: { description: 'The list is the one that you have: it has no body.', headers: entityTag },
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

/** What a list shows: of these channels, with the active lines that send them. */
interface Listed {
  readonly channelIds: readonly string[]
  readonly senders: readonly Pick<Line, 'id' | 'channelId'>[]
  readonly name: string | undefined
  readonly language: string | undefined
}

/** Reads and writes a list step by step, each in a turn. @returns the answer in JSON */
async function writtenList({ workspaceId, read }: PartnerCaller, listed: Listed): Promise<Blob> {
  const { channelIds, senders, name, language } = listed
  const records: (Pick<Template, 'name' | 'language' | 'id'> & { readonly json: string })[] = []
  const add = (templates: readonly Template[]) => {
    for (const template of templates)
      if (template.status === 'APPROVED' && (language === undefined || isSameLanguage(template.language, language)))
        records.push({ ...template, json: JSON.stringify(templateView(template, senders)) })
  }
  if (name !== undefined) add(await read.templates({ workspaceId, approved: true, name }))
  else
    for (const channelId of channelIds) {
      let after: Template | null = null
      for (;;) {
        const step: Template[] = await read.templateStep({ channelId, after, limit: stepTemplates })
        add(step)
        after = step.at(-1) ?? null
        if (step.length < stepTemplates) break
      }
    }
  // Those of one channel are in order already.
  if (channelIds.length > 1)
    records.sort(
      (one, other) =>
        inOrder(one.name, other.name) || inOrder(one.language, other.language) || inOrder(one.id, other.id),
    )
  return new Blob(['{"success":true,"data":{"templates":[', records.map(({ json }) => json).join(), ']}}'])
}

const inOrder = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

function readTemplate(template: Template) {
  const record = templateRecord(template)
  return {
    components: listedComponents(template),
    ...readRequirements(record),
    exampleValues: exampleValues(record),
  }
}

function templateView(template: Template, senders: Listed['senders']) {
  return {
    id: template.id,
    name: template.name,
    language: template.language,
    category: template.category,
    status: template.status,
    ...readTemplate(template),
    phoneNumberIds: senders.filter(({ channelId }) => channelId === template.channelId).map(({ id }) => id),
    updatedAt: new Date(template.updatedAt).toISOString(),
  }
}
