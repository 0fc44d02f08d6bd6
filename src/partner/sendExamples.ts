/** Named bodies of `POST /messages/send`, one for each way to send. A test sends each through the real checks. */
interface SendExample {
  readonly summary: string
  readonly value: Readonly<Record<string, unknown>>
}

const phone = '+4915112345678'
const link = (name: string) => `https://shop.example/${name}.jpg`
const textHeader = (text: string) => ({ type: 'text', text })

/** An interactive payload travels as a JSON string. */
const interactive = (summary: string, payload: object, recipient: object = { phone }): SendExample => ({
  summary,
  value: { type: 'interactive', ...recipient, content: JSON.stringify(payload) },
})

const template = (summary: string, templateName: string, values: object): SendExample => ({
  summary,
  value: { type: 'template', phone, templateName, templateLanguage: 'en_US', ...values },
})

const structuredCard = (index: number, name: string, slug: string) => ({
  index,
  bodyValues: { '1': name },
  buttonValues: [{ index: 0, sub_type: 'url', parameters: { type: 'text', text: slug } }],
  header: { format: 'image', link: link(slug) },
})

export const sendExamples = {
  text: {
    summary: 'Text',
    value: {
      type: 'text',
      phone,
      content: 'Your parcel is on its way.',
      idempotencyKey: 'order-1001-shipped',
    },
  },
  textToContact: {
    summary: 'Text to a contact, from a named line',
    value: {
      type: 'text',
      contactId: 'contact_01jd4v7m9xf5ksxj1q5y8p0c3d',
      phoneNumberId: 'line_01jd4v7m9xf5ksxj1q5y8p0c3e',
      content: 'Your parcel is on its way.',
    },
  },
  templateVariables: template('Template: body and URL button', 'order_confirmation', {
    // The URL button's {{1}} takes "1" as well.
    templateVariables: { '1': '1001', '2': 'Ada' },
    idempotencyKey: 'order-1001-confirmation',
  }),
  templateHeaderMedia: template('Template: header media by link', 'shipment_photo', {
    templateVariables: { header_link: link('parcel'), '1': 'Ada' },
  }),
  templateBodyParameters: template('Template: body by slot number', 'appointment_reminder', {
    bodyParameters: { '1': 'Ada', '2': 'Friday, 10:00' },
  }),
  templateCopyCode: template('Template: copy-code button', 'spring_coupon', {
    templateVariables: { '1': 'Ada', copy_code: 'SPRING20' },
  }),
  templateComponents: template("Template: the upstream platform's component format", 'order_confirmation', {
    templateComponents: [
      {
        type: 'body',
        parameters: [
          { type: 'text', text: '1001' },
          { type: 'text', text: 'Ada' },
        ],
      },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '1001' }] },
    ],
  }),
  carouselCards: template('Carousel: structured cards', 'spring_flowers', {
    bodyParameters: { '1': 'Ada' },
    carousel: { cards: [structuredCard(0, 'Tulip', 'tulip'), structuredCard(1, 'Crocus', 'crocus')] },
  }),
  carouselKeys: template('Carousel: c0_… keys', 'spring_flowers', {
    // A card whose body and button share {{1}} takes one value for both.
    templateVariables: {
      '1': 'Ada',
      c0_header_link: link('tulip'),
      c0_1: 'tulip',
      c1_header: '1558081531584829',
      c1_1: 'crocus',
    },
  }),
  interactiveButton: interactive('Interactive: reply buttons', {
    type: 'button',
    body: { text: 'Confirm your appointment on Friday, 10:00?' },
    footer: { text: 'Reply within a day' },
    action: {
      buttons: [
        { type: 'reply', reply: { id: 'confirm', title: 'Confirm' } },
        { type: 'reply', reply: { id: 'move', title: 'Another time' } },
      ],
    },
  }),
  interactiveList: interactive('Interactive: list', {
    type: 'list',
    header: textHeader('Delivery'),
    body: { text: 'When shall we come?' },
    action: {
      button: 'Choose a time',
      sections: [
        {
          title: 'Friday',
          rows: [
            { id: 'fri-am', title: 'Morning', description: '8 to 12' },
            { id: 'fri-pm', title: 'Afternoon', description: '12 to 18' },
          ],
        },
        { title: 'Saturday', rows: [{ id: 'sat-am', title: 'Morning' }] },
      ],
    },
  }),
  interactiveLink: interactive('Interactive: link button (cta_url)', {
    type: 'cta_url',
    header: { type: 'image', image: { link: link('parcel') } },
    body: { text: 'Follow your parcel.' },
    action: { name: 'cta_url', parameters: { display_text: 'Track', url: 'https://shop.example/track/1001' } },
  }),
  interactiveFlow: {
    summary: 'Interactive: flow, closing earlier flow sessions of the contact',
    value: {
      ...interactive(
        '',
        {
          type: 'flow',
          header: textHeader('Appointment'),
          body: { text: 'Book your appointment.' },
          action: {
            name: 'flow',
            parameters: {
              flow_message_version: '3',
              flow_id: '1209384710293',
              flow_cta: 'Book',
              flow_token: 'booking-1001',
              mode: 'published',
              flow_action: 'navigate',
              flow_action_payload: { screen: 'DATES', data: { customer: 'Ada' } },
            },
          },
        },
        { contactId: 'contact_01jd4v7m9xf5ksxj1q5y8p0c3d' },
      ).value,
      revalidateFlowSession: true,
    },
  },
} satisfies Record<string, SendExample>
