import { issuesMax, PARTNER_ERRORS, type PartnerReason } from '../../errors.ts'
import { type TSchema, Type } from '../../schema.ts'

const strict = { additionalProperties: false }
const nullable = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })

const issuesSchema = Type.Object(
  {
    issues: Type.Array(
      Type.Object(
        {
          path: Type.String({
            description: "A JSON Pointer into the body (or a parameter's name); empty for the body as a whole.",
            examples: ['/templateVariables/1'],
          }),
          message: Type.String({ description: 'What to do about it.', examples: ['is required'] }),
        },
        strict,
      ),
      { description: `Every problem of the request, at most ${issuesMax}.` },
    ),
  },
  { ...strict, title: 'IssuesDetails', description: 'Of `VALIDATION_ERROR`.' },
)

const linesSchema = Type.Object(
  { phoneNumberIds: Type.Array(Type.String(), { description: 'The active lines to choose from.' }) },
  { ...strict, title: 'LinesDetails', description: 'Of `PHONE_NUMBER_REQUIRED`.' },
)

const templateStatusSchema = Type.Object(
  { status: Type.String({ description: "The template's status.", examples: ['PENDING', 'REJECTED', 'PAUSED'] }) },
  { ...strict, title: 'TemplateStatusDetails', description: 'Of `TEMPLATE_NOT_APPROVED`.' },
)

const languagesSchema = Type.Object(
  { languages: Type.Array(Type.String(), { description: 'The approved languages of the template.' }) },
  { ...strict, title: 'LanguagesDetails', description: 'Of `NOT_FOUND` when only the template language is unknown.' },
)

const planSchema = Type.Object(
  {
    limit: Type.Integer({ description: 'Messages per calendar month (UTC).' }),
    used: Type.Integer({ description: 'Messages counted this month.' }),
    resetsAt: Type.String({ format: 'date-time', description: 'When counting starts again.' }),
  },
  { ...strict, title: 'PlanDetails', description: 'Of `PLAN_LIMIT_EXCEEDED`.' },
)

const refusalSchema = Type.Object(
  {
    messageId: Type.Optional(
      Type.String({
        description: 'The message, stored as `FAILED`. Absent when its header media was refused and nothing was sent.',
      }),
    ),
    code: nullable(Type.Integer(), "The upstream platform's error code."),
    subcode: nullable(Type.Integer(), 'Its subcode.'),
    title: nullable(Type.String(), 'Its short text.'),
    details: nullable(Type.String(), 'Its exact words.'),
    traceId: nullable(Type.String(), 'For its support.'),
    retryable: Type.Boolean({ description: 'Whether the same request may succeed later.' }),
  },
  {
    ...strict,
    title: 'RefusalDetails',
    description: 'Of `CHANNEL_GRAPH_ERROR`. The idempotency key is free again.',
  },
)

/** The body of every refusal (docs/partner-api.md#errors). */
export const errorSchema = Type.Object(
  {
    error: Type.Enum(Object.keys(PARTNER_ERRORS) as PartnerReason[], {
      type: 'string',
      description: 'The code to branch on.',
    }),
    message: Type.String({ description: 'For people; the wording may change.' }),
    details: Type.Optional(
      Type.Union([issuesSchema, linesSchema, templateStatusSchema, languagesSchema, planSchema, refusalSchema], {
        description: 'Only with some codes, each with its own shape.',
      }),
    ),
  },
  { ...strict, title: 'Error', description: 'A refusal.' },
)
