import { type Static, Type } from '../../schema.ts'
import {
  categories,
  codeWays,
  mediaKinds,
  parameterFormats,
  type TemplateDraft,
} from '../../templates/authoring/draft.ts'

/**
 * Bounds of what is read at all; the rules themselves are in templates/authoring, which says them in sentences. Longer
 * texts and lists are far from any rule.
 */
const textMax = 8_192
const listMax = 50

const closed = { additionalProperties: false } as const
const text = (description: string) => Type.String({ maxLength: textMax, description })
const kind = <const Kind extends string>(...kinds: readonly [Kind, ...Kind[]]) => Type.Enum(kinds)

const header = Type.Union(
  [
    Type.Object({ kind: kind('none', 'location', 'product') }, closed),
    Type.Object({ kind: kind('text'), text: text('The line.'), example: text('A value for its variable.') }, closed),
    Type.Object(
      { kind: Type.Enum([...mediaKinds]), handle: text('From the upload of the example.'), fileName: text('To show.') },
      closed,
    ),
  ],
  { title: 'TemplateHeader' },
)

const body = Type.Object(
  {
    text: text('With its variables, `{{1}}`.'),
    examples: Type.Record(Type.String({ maxLength: textMax }), Type.String({ maxLength: textMax }), {
      maxProperties: 300,
      description: 'A value for each variable, by what stands between its braces.',
    }),
  },
  { ...closed, title: 'TemplateBody' },
)

const label = text('The label.')
const app = Type.Object(
  { packageName: text('As in `com.example.app`.'), signatureHash: text('Of 11 characters.') },
  closed,
)
const button = Type.Union(
  [
    Type.Object(
      {
        kind: kind('quickReply', 'catalog', 'multiProduct', 'singleProduct', 'voiceCall', 'contactInfo'),
        text: label,
      },
      closed,
    ),
    Type.Object(
      { kind: kind('url'), text: label, url: text('The address.'), example: text('What replaces `{{1}}`.') },
      closed,
    ),
    Type.Object({ kind: kind('phone'), text: label, phone: text('The number.') }, closed),
    Type.Object({ kind: kind('copyCode'), example: text('A code.') }, closed),
    Type.Object(
      {
        kind: kind('flow'),
        text: label,
        flowId: text("The flow's id."),
        action: Type.Enum(['navigate', 'data_exchange']),
        screen: text('The first screen.'),
      },
      closed,
    ),
    Type.Object(
      {
        kind: kind('oneTimeCode'),
        way: Type.Enum([...codeWays]),
        text: label,
        autofillText: label,
        apps: Type.Array(app, { maxItems: listMax }),
        termsAccepted: Type.Boolean(),
      },
      closed,
    ),
  ],
  { title: 'TemplateButton' },
)
const buttons = Type.Array(button, { maxItems: listMax })

/** A template as a person writes it. */
export const draftSchema = Type.Object(
  {
    name: text('Lower-case letters, digits and `_`.'),
    language: text('As in `en_US`.'),
    category: Type.Enum([...categories]),
    parameterFormat: Type.Enum([...parameterFormats]),
    header,
    body,
    footer: text('Empty: none.'),
    buttons,
    cards: Type.Array(
      Type.Object({ header, body: Type.Union([body, Type.Null()]), buttons }, { ...closed, title: 'TemplateCard' }),
      { maxItems: listMax, description: 'Empty: no carousel.' },
    ),
    offer: Type.Union([
      Type.Object({ text: text('Over the offer.'), hasExpiration: Type.Boolean() }, closed),
      Type.Null(),
    ]),
    code: Type.Object(
      { securityRecommendation: Type.Boolean(), expirationMinutes: Type.Union([Type.Number(), Type.Null()]) },
      closed,
    ),
    lifetimeSeconds: Type.Union([Type.Number(), Type.Null()]),
  },
  { ...closed, title: 'TemplateDraft', description: 'A template as a person writes it.' },
)

/** A schema that reads something else than a draft is a type error. */
export const toDraft = (read: Static<typeof draftSchema>): TemplateDraft => read
