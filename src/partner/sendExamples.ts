/**
 * Named bodies of `POST /messages/send`, one for each way to send. Their templates are the sandbox's, so that a reader
 * who has the demonstration running can send them as they are printed. The summary says which need an id or a file of
 * the reader's. A test sends each through a gateway in front of the sandbox.
 */
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

const structuredCard = (index: number, name: string, price: string) => ({
  index,
  bodyValues: { '1': name, '2': price },
  buttonValues: [{ index: 1, sub_type: 'url', parameters: { type: 'text', text: name.toLowerCase() } }],
  header: { format: 'image', link: link(name.toLowerCase()) },
})

const examples = {
  text: {
    summary: 'Text',
    value: {
      type: 'text',
      phone,
      content: 'Your parcel is on its way.',
    },
  },
  textToContact: {
    summary: 'Text to a contact, from a named line: put in your ids',
    value: {
      type: 'text',
      contactId: 'contact_01jd4v7m9xf5ksxj1q5y8p0c3d',
      phoneNumberId: 'line_01jd4v7m9xf5ksxj1q5y8p0c3e',
      content: 'Your parcel is on its way.',
    },
  },
  textReply: {
    summary: 'Text that answers a message of the recipient: put in your id',
    value: { type: 'text', phone, content: 'Thank you.', replyTo: 'inb_0000000a1f5ksxj1q5y8p0c3' },
  },
  textToUser: {
    summary: 'Text to a user whose number is unknown: put in the user id',
    value: {
      type: 'text',
      userId: 'US.13491208655302741918',
      content: 'Your parcel is on its way.',
    },
  },
  image: {
    summary: 'Picture with a caption: put in your file',
    value: { type: 'image', phone, link: link('parcel'), caption: 'Your parcel, packed.' },
  },
  document: {
    summary: 'Document that was given to POST /media: put in your id',
    value: { type: 'document', phone, mediaId: 'media_01jd4v7m9xf5ksxj1q5y8p0c3f', fileName: 'invoice-1001.pdf' },
  },
  location: {
    summary: 'Place',
    value: {
      type: 'location',
      phone,
      latitude: 52.5163,
      longitude: 13.3777,
      name: 'Brandenburg Gate',
      address: 'Pariser Platz, 10117 Berlin',
    },
  },
  contacts: {
    summary: 'Contact card',
    value: {
      type: 'contacts',
      phone,
      contacts: [
        {
          name: { formattedName: 'Ada Lovelace', firstName: 'Ada' },
          phones: [{ phone: '+4915112345678', waId: '4915112345678', type: 'WORK' }],
        },
      ],
    },
  },
  reaction: {
    summary: 'Reaction to a message of the recipient: put in your id',
    value: { type: 'reaction', phone, messageId: 'inb_0000000a1f5ksxj1q5y8p0c3', emoji: '👍' },
  },
  templateVariables: template('Template: body and URL button', 'order_confirmation', {
    // The URL button's {{1}} takes "1" as well.
    templateVariables: { '1': '1001', '2': 'Ada' },
  }),
  templateHeaderMedia: template('Template: header media by link: put in your file', 'photo_ready', {
    templateVariables: { header_link: link('photo') },
  }),
  templateBodyParameters: template('Template: body by slot number', 'order_confirmation', {
    // The URL button's {{1}} takes this value, as nothing else fills it.
    bodyParameters: { '1': '1001', '2': 'Ada' },
  }),
  templateCopyCode: template('Template: copy-code button', 'coupon_reminder', {
    templateVariables: { '1': 'SUMMER20', '2': '10', copy_code: 'SUMMER20' },
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
  carouselCards: template('Carousel: structured cards: put in your files', 'plant_carousel', {
    bodyParameters: { '1': 'Ada' },
    carousel: {
      cards: [structuredCard(0, 'Aloe', '12'), structuredCard(1, 'Fern', '9'), structuredCard(2, 'Ivy', '7')],
    },
  }),
  carouselKeys: template('Carousel: c0_… keys: put in your files', 'plant_carousel', {
    // A card whose body and button share {{1}} takes one value for both.
    templateVariables: {
      '1': 'Ada',
      c0_header_link: link('aloe'),
      c0_1: 'Aloe',
      c0_2: '12',
      c1_header: '1558081531584829',
      c1_1: 'Fern',
      c1_2: '9',
      c2_header_link: link('ivy'),
      c2_1: 'Ivy',
      c2_2: '7',
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
  interactiveLink: interactive('Interactive: link button (cta_url): put in your file', {
    type: 'cta_url',
    header: { type: 'image', image: { link: link('parcel') } },
    body: { text: 'Follow your parcel.' },
    action: { name: 'cta_url', parameters: { display_text: 'Track', url: 'https://shop.example/track/1001' } },
  }),
  interactiveFlow: {
    summary: 'Interactive: flow, closing earlier flow sessions of the contact: put in your id',
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

/** Each has its own key: pasted one after the other, each sends a message; pasted again, it is a replay. */
export const sendExamples = Object.fromEntries(
  Object.entries<SendExample>(examples).map(([name, { summary, value }]) => [
    name,
    { summary, value: { ...value, idempotencyKey: `example-${name}` } },
  ]),
)
