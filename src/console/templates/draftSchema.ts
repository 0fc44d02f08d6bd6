import { closed, type Static, Type } from '../../schema.ts'
import {
  categories,
  codeWays,
  mediaKinds,
  parameterFormats,
  type TemplateDraft,
} from '../../templates/authoring/draft.ts'
import { orNull, shape } from '../shapes.ts'

/**
 * Rough bounds of the input; the exact rules are in templates/authoring, which explains each violation. The bounds are
 * far beyond those rules.
 */
const textMax = 8_192
const listMax = 50

const text = (description: string) => Type.String({ maxLength: textMax, description })
const kind = <const Kind extends string>(...kinds: readonly [Kind, ...Kind[]]) => Type.Enum(kinds)

const header = Type.Union(
  [
    closed({ kind: kind('none', 'location', 'product') }),
    closed({ kind: kind('text'), text: text('The line.'), example: text('A value for its variable.') }),
    closed({
      kind: Type.Enum([...mediaKinds]),
      handle: text('From the upload of the example.'),
      fileName: text('To show.'),
    }),
  ],
  { title: 'TemplateHeader' },
)

const body = shape('TemplateBody', {
  text: text('With its variables, `{{1}}`.'),
  examples: Type.Record(Type.String({ maxLength: textMax }), Type.String({ maxLength: textMax }), {
    maxProperties: 300,
    description: 'A value for each variable, by what stands between its braces.',
  }),
})

const label = text('The label.')
const app = closed({ packageName: text('As in `com.example.app`.'), signatureHash: text('Of 11 characters.') })
const button = Type.Union(
  [
    closed({
      kind: kind('quickReply', 'catalog', 'multiProduct', 'singleProduct', 'voiceCall', 'contactInfo'),
      text: label,
    }),
    closed({ kind: kind('url'), text: label, url: text('The address.'), example: text('What replaces `{{1}}`.') }),
    closed({ kind: kind('phone'), text: label, phone: text('The number.') }),
    closed({ kind: kind('copyCode'), example: text('A code.') }),
    closed({
      kind: kind('flow'),
      text: label,
      flowId: text("The flow's id."),
      action: Type.Enum(['navigate', 'data_exchange']),
      screen: text('The first screen.'),
    }),
    closed({
      kind: kind('oneTimeCode'),
      way: Type.Enum([...codeWays]),
      text: label,
      autofillText: label,
      apps: Type.Array(app, { maxItems: listMax }),
      termsAccepted: Type.Boolean(),
    }),
  ],
  { title: 'TemplateButton' },
)
const buttons = Type.Array(button, { maxItems: listMax })

/** A template as a person writes it. */
export const draftSchema = closed(
  {
    name: text('Lower-case letters, digits and `_`.'),
    language: text('As in `en_US`.'),
    category: Type.Enum([...categories]),
    parameterFormat: Type.Enum([...parameterFormats]),
    header,
    body,
    footer: text('Empty: none.'),
    buttons,
    cards: Type.Array(shape('TemplateCard', { header, body: orNull(body), buttons }), {
      maxItems: listMax,
      description: 'Empty: no carousel.',
    }),
    offer: orNull(closed({ text: text('Over the offer.'), hasExpiration: Type.Boolean() })),
    code: closed({ securityRecommendation: Type.Boolean(), expirationMinutes: orNull(Type.Number()) }),
    lifetimeSeconds: orNull(Type.Number()),
  },
  { title: 'TemplateDraft', description: 'A template as a person writes it.' },
)

/** A schema that reads something else than a draft is a type error. */
export const toDraft = (read: Static<typeof draftSchema>): TemplateDraft => read
