import { PARTNER_ERRORS, type PartnerReason } from '../../base/errors.ts'
import { issuesMax } from '../../base/issues.ts'
import { keyScopes } from '../../base/keyScopes.ts'
import { described, type TSchema, Type } from '../../base/schema.ts'

const nullable = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })

const issueSchema = described('Issue', 'A problem of a request.', {
  path: Type.String({
    description: "A JSON Pointer into the body (or a parameter's name); empty for the body as a whole.",
    examples: ['/templateVariables/1'],
  }),
  message: Type.String({ description: 'What to do about it.', examples: ['is required'] }),
})

const issuesSchema = described('IssuesDetails', 'Of `VALIDATION_ERROR`.', {
  issues: Type.Array(issueSchema, { description: `Every problem of the request, at most ${issuesMax}.` }),
})

const linesSchema = described(
  'LinesDetails',
  'Of `PHONE_NUMBER_REQUIRED`; of `FORBIDDEN`, when a send names a line that is none of its key.',
  {
    phoneNumberIds: Type.Array(Type.String(), { description: 'The active lines to choose from.' }),
  },
)

const templateStatusSchema = described('TemplateStatusDetails', 'Of `TEMPLATE_NOT_APPROVED`.', {
  status: Type.String({ description: "The template's status.", examples: ['PENDING', 'REJECTED', 'PAUSED'] }),
  reason: Type.Optional(
    Type.String({ description: 'Why it was rejected, in the platform’s word.', examples: ['PROMOTIONAL'] }),
  ),
  since: Type.String({ format: 'date-time', description: 'Since when it has this status.' }),
})

const languagesSchema = described('LanguagesDetails', 'Of `NOT_FOUND` when only the template language is unknown.', {
  languages: Type.Array(Type.String(), { description: 'The approved languages of the template.' }),
})

const fileSchema = described('MediaDetails', 'Of `NOT_FOUND` when a file that a user sent is not stored.', {
  state: Type.Enum(['pending', 'failed', 'expired'], { type: 'string', description: 'The `media.state` of the file.' }),
})

const rangeSchema = described('RangeDetails', 'Of `RANGE_NOT_SATISFIABLE`.', {
  size: Type.Integer({ description: 'The bytes that the file has.' }),
})

const planSchema = described('PlanDetails', 'Of `PLAN_LIMIT_EXCEEDED`.', {
  limit: Type.Integer({ description: 'Messages per calendar month (UTC).' }),
  used: Type.Integer({ description: 'Messages counted this month.' }),
  resetsAt: Type.String({ format: 'date-time', description: 'When counting starts again.' }),
})

const scopeSchema = described('ScopeDetails', 'Of `FORBIDDEN`, when the key lacks a scope.', {
  scope: Type.Enum([...keyScopes], { type: 'string', description: 'The scope that the key lacks.' }),
})

const refusalSchema = described(
  'RefusalDetails',
  'Of `CHANNEL_GRAPH_ERROR`. The idempotency key of a send is free again.',
  {
    messageId: Type.Optional(
      Type.String({
        description:
          'The message; one that was sent is stored as `FAILED`. Absent when its header media was refused and ' +
          'nothing was sent.',
      }),
    ),
    code: nullable(Type.Integer(), "The upstream platform's error code."),
    subcode: nullable(Type.Integer(), 'Its subcode.'),
    title: nullable(Type.String(), 'Its short text.'),
    details: nullable(Type.String(), 'Its exact words.'),
    traceId: nullable(Type.String(), 'For its support.'),
    retryable: Type.Boolean({ description: 'Whether the same request may succeed later.' }),
    issues: Type.Optional(
      Type.Array(issueSchema, {
        description:
          'What of a template does not fit, as this service finds it by the listing, beside the words of the ' +
          'platform. Absent where nothing was found. Components that were written from `templateVariables` are ' +
          'named by their place among those that went upstream.',
      }),
    ),
  },
)

/** The body of every refusal (docs/partner-api.md#errors). */
export const errorSchema = described('Error', 'A refusal.', {
  error: Type.Enum(Object.keys(PARTNER_ERRORS) as PartnerReason[], {
    type: 'string',
    description: 'The code to branch on.',
  }),
  message: Type.String({ description: 'For people; the wording may change.' }),
  details: Type.Optional(
    Type.Union(
      [
        ...[issuesSchema, linesSchema, templateStatusSchema, languagesSchema, fileSchema, rangeSchema, planSchema],
        scopeSchema,
        refusalSchema,
      ],
      { description: 'Only with some codes, each with its own shape.' },
    ),
  ),
})
