import { closed, orNull, type Static, Type } from '../../base/schema.ts'
import { signatureHashChars } from '../../base/upstreamLimits.ts'
import { codeWays, templateCategories } from '../../forms/templates.ts'
import { mediaKinds, parameterFormats } from './kinds.ts'

/** Nobody changes a draft in its place. */
type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value

/**
 * Ours: rough bounds of the input, far beyond the exact rules, which are in check.ts: it explains each violation.
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

const body = closed(
  {
    text: text('With its variables, `{{1}}`.'),
    examples: Type.Record(Type.String({ maxLength: textMax }), Type.String({ maxLength: textMax }), {
      maxProperties: 300,
      description: 'A value for each variable, by what stands between its braces.',
    }),
  },
  { title: 'TemplateBody' },
)

const label = text('The label.')
const app = closed({
  packageName: text('As in `com.example.app`.'),
  signatureHash: text(`Of ${signatureHashChars} characters.`),
})
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

const written = closed(
  {
    name: text('Lower-case letters, digits and `_`.'),
    language: text('As in `en_US`.'),
    category: Type.Enum([...templateCategories]),
    parameterFormat: Type.Enum([...parameterFormats]),
    header,
    body,
    footer: text('Empty: none.'),
    buttons,
    cards: Type.Array(closed({ header, body: orNull(body), buttons }, { title: 'TemplateCard' }), {
      maxItems: listMax,
      description: 'Empty: no carousel.',
    }),
    offer: orNull(closed({ text: text('Over the offer.'), hasExpiration: Type.Boolean() })),
    code: closed({ securityRecommendation: Type.Boolean(), expirationMinutes: orNull(Type.Number()) }),
    lifetimeSeconds: orNull(Type.Number()),
  },
  { title: 'TemplateDraft', description: 'A template as a person writes it.' },
)

/** A template as a person writes it. */
export const draftSchema = Type.Unsafe<Frozen<Static<typeof written>>>(written)
