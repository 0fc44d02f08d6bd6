import { exampleAddress } from './exampleFiles.ts'
import type { Component, TemplateInput } from './records.ts'

const body = (text: string, ...examples: string[]): Component =>
  examples.length > 0 ? { type: 'BODY', text, example: { body_text: [examples] } } : { type: 'BODY', text }
const footer = (text: string): Component => ({ type: 'FOOTER', text })
const buttons = (...list: { type: string; text?: string; [more: string]: unknown }[]): Component => ({
  type: 'BUTTONS',
  buttons: list,
})
const quickReply = (text: string) => ({ type: 'QUICK_REPLY', text })
const url = (text: string, address: string, example?: string) => ({
  type: 'URL',
  text,
  url: address,
  ...(example !== undefined && { example: [example] }),
})
/** In a listing the "handle" of a header is an address of the upstream's file server; here, of the sandbox. */
const mediaHeader = (format: string, name: string): Component => ({
  type: 'HEADER',
  format,
  example: { header_handle: [exampleAddress(format, name)] },
})
const textHeader = (text: string, example?: string): Component => ({
  type: 'HEADER',
  format: 'TEXT',
  text,
  ...(example !== undefined && { example: { header_text: [example] } }),
})

const card = (image: string): { components: Component[] } => ({
  components: [
    mediaHeader('IMAGE', image),
    body('Our plant {{1}} is from {{2}} euros.', 'Blue Elf aloe', '12'),
    buttons(quickReply('More like this'), url('Buy', 'https://shop.example/plants/{{1}}', 'blue-elf')),
  ],
})
const plainCard = (image: string): { components: Component[] } => ({
  components: [mediaHeader('VIDEO', image), buttons(quickReply('More like this'))],
})

const productCard: { components: Component[] } = {
  components: [{ type: 'HEADER', format: 'PRODUCT' }, buttons({ type: 'SPM', text: 'View' })],
}

const orderButtons = (text: string) => buttons(url(text, 'https://shop.example/orders/{{1}}', '1001'))

const utility = (name: string, ...components: Component[]): TemplateInput => ({ name, language: 'en_US', components })
const marketing = (name: string, ...components: Component[]): TemplateInput => ({
  name,
  language: 'en_US',
  category: 'MARKETING',
  components,
})

/**
 * Every kind of component and button, several languages and statuses: what a fresh sandbox account holds. In most of
 * them a number has one value in header, body and URL, as the gateway's callers fill it; in `season_opening` and
 * `plant_of_the_week` it stands for different things, as in many templates of the upstream's own documentation.
 */
export const SAMPLES: readonly TemplateInput[] = [
  utility(
    'order_confirmation',
    body('Order {{1}} is confirmed, thank you, {{2}}.', '1001', 'Ada'),
    orderButtons('View order'),
  ),
  {
    name: 'order_confirmation',
    language: 'de',
    components: [
      body('Bestellung {{1}} ist bestätigt, vielen Dank, {{2}}.', '1001', 'Ada'),
      orderButtons('Bestellung ansehen'),
    ],
  },
  utility('hello_world', body('Hello World'), footer('Sandbox Shop')),
  {
    name: 'delivery_update',
    language: 'en',
    parameter_format: 'NAMED',
    components: [
      {
        type: 'HEADER',
        format: 'TEXT',
        text: 'News for {{first_name}}',
        example: { header_text_named_params: [{ param_name: 'first_name', example: 'Ada' }] },
      },
      {
        type: 'BODY',
        text: 'Your parcel {{parcel}} arrives here on {{day}}.',
        example: {
          body_text_named_params: [
            { param_name: 'parcel', example: 'P-17' },
            { param_name: 'day', example: 'Saturday' },
          ],
        },
      },
      buttons(quickReply('Fine'), quickReply('Another day')),
    ],
  },
  marketing(
    'coupon_reminder',
    textHeader('Act fast: {{1}}', 'SUMMER20'),
    body('Your code {{1}} expires in {{2}} days.', 'SUMMER20', '10'),
    footer('Reply STOP to stop'),
    buttons(
      url('See deals', 'https://shop.example/deals?p={{1}}', 'SUMMER20'),
      { type: 'COPY_CODE', text: 'Copy code', example: ['SUMMER20'] },
      quickReply('Stop'),
    ),
  ),
  marketing(
    'season_opening',
    textHeader('Our {{1}} is on!', 'Summer Sale'),
    body('Shop now through {{1}} and use code {{2}} to get {{3}} off.', 'the end of August', '25OFF', '25%'),
    buttons(quickReply('Unsubscribe')),
  ),
  marketing(
    'plant_of_the_week',
    textHeader('Meet {{1}}', 'Blue Elf'),
    body('It is yours for {{1}} euros until {{2}}.', '12', 'Sunday'),
    buttons(url('Look', 'https://shop.example/plants/{{1}}', 'blue-elf'), quickReply('Not now')),
  ),
  utility('invoice_ready', mediaHeader('DOCUMENT', 'invoice.pdf'), body('Invoice {{1}} is attached.', 'R-2026-7')),
  utility(
    'photo_ready',
    mediaHeader('IMAGE', 'photo.jpg'),
    body('Your photo is ready.'),
    buttons(
      { type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+15550783881' },
      url('Site', 'https://shop.example'),
    ),
  ),
  marketing('video_guide', mediaHeader('VIDEO', 'guide.mp4'), body('How to water {{1}}.', 'aloe')),
  utility('pickup_point', { type: 'HEADER', format: 'LOCATION' }, body('Fetch order {{1}} here.', 'A-1001')),
  {
    name: 'login_code',
    language: 'en_US',
    category: 'AUTHENTICATION',
    message_send_ttl_seconds: 600,
    components: [
      {
        type: 'BODY',
        text: '*{{1}}* is your verification code. For your security, do not share this code.',
        add_security_recommendation: true,
        example: { body_text: [['123456']] },
      },
      { type: 'FOOTER', text: 'This code expires in 10 minutes.', code_expiration_minutes: 10 },
      // Created as OTP, listed as URL: this is how the upstream shows it.
      buttons(url('Copy code', 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}', 'otp123456')),
    ],
  },
  marketing(
    'spring_catalog',
    body('New plants for you, {{1}}!', 'Ada'),
    buttons({ type: 'CATALOG', text: 'View catalog' }),
  ),
  marketing(
    'bundle_offer',
    textHeader('For you'),
    body('A bundle for {{1}}.', 'Ada'),
    buttons({ type: 'MPM', text: 'View items' }),
  ),
  marketing(
    'weekend_offer',
    mediaHeader('IMAGE', 'offer.jpg'),
    { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon!', has_expiration: true } },
    body('The {{1}} offer is yours today, {{2}}.', 'weekend', 'Ada'),
    buttons(
      { type: 'COPY_CODE', text: 'Copy code', example: 'WEEKEND20' },
      url('Shop', 'https://shop.example/offers/{{1}}', 'weekend'),
    ),
  ),
  utility(
    'book_visit',
    body('Book your visit, {{1}}.', 'Ada'),
    buttons({
      type: 'FLOW',
      text: 'Book',
      flow_id: '1122334455667788',
      flow_action: 'NAVIGATE',
      navigate_screen: 'BOOK',
    }),
  ),
  utility(
    'call_back',
    body('Shall we call?'),
    buttons({ type: 'VOICE_CALL', text: 'Call now' }, { type: 'REQUEST_CONTACT_INFO', text: 'Share number' }),
  ),
  marketing('plant_carousel', body('Three plants for you, {{1}}.', 'Ada'), {
    type: 'CAROUSEL',
    cards: [card('aloe.jpg'), card('fern.jpg'), card('ivy.jpg')],
  }),
  marketing('clip_carousel', body('Two clips.'), {
    type: 'CAROUSEL',
    cards: [plainCard('one.mp4'), plainCard('two.mp4')],
  }),
  marketing('product_carousel', body('Two products.'), { type: 'CAROUSEL', cards: [productCard, productCard] }),
  { ...marketing('summer_sale', body('Soon.')), status: 'PENDING' },
  { ...marketing('bold_claim', body('Everything is free.')), status: 'REJECTED', rejected_reason: 'PROMOTIONAL' },
  { ...marketing('tired_promo', body('Again.')), status: 'PAUSED' },
  { ...marketing('old_promo', body('Too often.')), status: 'DISABLED' },
]
