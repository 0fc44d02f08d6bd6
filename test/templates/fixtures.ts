import type { TemplateComponent, TemplateRecord } from '../../src/graph/wire.ts'
import { renderTemplate } from '../../src/templates/renderComponents.ts'
import { parseTemplate } from '../../src/templates/shape.ts'
import type { CarouselCard, TemplateValues } from '../../src/templates/values.ts'

/** A record around these components; whatever a test does not speak about is plain. */
export function record(components: readonly TemplateComponent[], rest: Partial<TemplateRecord> = {}): TemplateRecord {
  return {
    id: '1304694804498707',
    name: 'a_template',
    language: 'en_US',
    status: 'APPROVED',
    category: 'MARKETING',
    parameter_format: 'POSITIONAL',
    components,
    ...rest,
  }
}

/** The listing's own sample (docs/upstream.md#templates). */
export const couponReminder = record(
  [
    { type: 'HEADER', format: 'TEXT', text: 'Act fast, {{1}}!', example: { header_text: ['Pablo'] } },
    {
      type: 'BODY',
      text: 'Code {{1}} expires in {{2}} days',
      example: { body_text: [['SUMMER20', '10']] },
    },
    { type: 'FOOTER', text: 'Lucky Shrub' },
    {
      type: 'BUTTONS',
      buttons: [
        {
          type: 'URL',
          text: 'See deals',
          url: 'https://x.example/d?p={{1}}',
          example: ['https://x.example/d?p=summer'],
        },
        { type: 'QUICK_REPLY', text: 'Stop' },
      ],
    },
  ],
  { name: 'coupon_reminder' },
)

/** Static buttons before those with a value, so that a wrong index shows. */
export const manyButtons = record([
  { type: 'BODY', text: 'Hello' },
  {
    type: 'BUTTONS',
    buttons: [
      { type: 'QUICK_REPLY', text: 'Stop' },
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+12025550123' },
      { type: 'URL', text: 'Home', url: 'https://x.example/' },
      { type: 'URL', text: 'Order', url: 'https://x.example/o/{{1}}', example: ['77'] },
      { type: 'COPY_CODE', example: 'SAVE20' },
    ],
  },
])

/** As listed: the button was created as OTP, the body carries no text (docs/upstream.md#templates). */
export const authentication = record(
  [
    { type: 'BODY', add_security_recommendation: true },
    { type: 'FOOTER', code_expiration_minutes: 10 },
    {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Copy code', url: 'https://www.whatsapp.com/otp/code/?code=otp{{1}}' }],
    },
  ],
  { name: 'login_code', category: 'AUTHENTICATION' },
)

export const named = record(
  [
    {
      type: 'HEADER',
      format: 'TEXT',
      text: 'Hi {{first_name}}',
      example: { header_text_named_params: [{ param_name: 'first_name', example: 'Ana' }] },
    },
    {
      type: 'BODY',
      text: '{{first_name}}, see you on {{day}}. {{day}} it is.',
      example: {
        body_text_named_params: [
          { param_name: 'first_name', example: 'Ana' },
          { param_name: 'day', example: 'Saturday' },
        ],
      },
    },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: 'https://x.example/{{1}}', example: ['a'] }] },
  ],
  { parameter_format: 'NAMED' },
)

export const invoice = record([
  { type: 'HEADER', format: 'DOCUMENT', example: { header_handle: ['https://cdn.example/i.pdf'] } },
  { type: 'BODY', text: 'Invoice {{1}}', example: { body_text: 'A-1' } },
])

export const catalog = record([
  { type: 'BODY', text: 'Our shop' },
  { type: 'BUTTONS', buttons: [{ type: 'CATALOG', text: 'View' }] },
])

/**
 * The platform's sample of a carousel (docs/upstream.md#carousel) as a template: body with two slots, cards with body,
 * quick reply and URL.
 */
export function plants(cards: number, cardBody = 'Meet {{1}}'): TemplateRecord {
  const card = (): { components: TemplateComponent[] } => ({
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://cdn.example/p.jpg'] } },
      { type: 'BODY', text: cardBody, example: { body_text: [['Blue Elf']] } },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'More' },
          { type: 'URL', text: 'Buy', url: 'https://x.example/p/{{1}}', example: ['https://x.example/p/blue-elf'] },
        ],
      },
    ],
  })
  return record(
    [
      { type: 'BODY', text: '{{1}}, take {{2}} off', example: { body_text: [['Pablo', '20%']] } },
      { type: 'CAROUSEL', cards: Array.from({ length: cards }, card) },
    ],
    { name: 'plants' },
  )
}

/** Fills the main bubble of `plants`. */
export const plantsMain = { 1: 'Pablo', 2: '20%' }

/** A complete structured card of `plants`. */
export function card(index: number, rest: Partial<CarouselCard> = {}): CarouselCard {
  return {
    index,
    bodyValues: { 1: `Plant ${index}` },
    buttonValues: [{ index: 1, sub_type: 'url', parameters: { type: 'text', text: `plant-${index}` } }],
    header: { format: 'image', id: `100${index}` },
    ...rest,
  }
}

/** A send of `plants` with these cards and a complete main bubble. */
export const structured = (...cards: CarouselCard[]): TemplateValues => ({
  templateVariables: plantsMain,
  carousel: { cards },
})

export const render = (template: TemplateRecord, values: TemplateValues) =>
  renderTemplate(parseTemplate(template), values)

/** The components, or the issues when it was refused. */
export function components(template: TemplateRecord, values: TemplateValues): unknown {
  const result = render(template, values)
  return result.ok ? result.components : result.issues
}

/** The issues as lines: `pointer message`. */
export function issues(template: TemplateRecord, values: TemplateValues): string[] {
  const result = render(template, values)
  return result.ok ? [] : result.issues.map(({ path, message }) => `${path} ${message}`)
}
