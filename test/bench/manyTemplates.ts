/** The account of the stub that has as many templates as the platform allows. */
export const manyTemplatesAccount = '600001'
export const manyTemplates = 6_000

/** As most are: a header, a body with variables, a footer and two buttons. */
const templateOf = (at: number) => ({
  id: String(9_000_000 + at),
  name: `order_${at}`,
  language: 'en_US',
  category: 'UTILITY',
  status: 'APPROVED',
  parameter_format: 'POSITIONAL',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['1001'] } },
    {
      type: 'BODY',
      text: `Hi {{1}}, your order {{2}} of shop ${at} is confirmed, and will be with you on {{3}}. Thank you for your trust in us.`,
      example: { body_text: [['Ada', '1001', 'Monday']] },
    },
    { type: 'FOOTER', text: 'Reply STOP to hear no more of us.' },
    {
      type: 'BUTTONS',
      buttons: [
        {
          type: 'URL',
          text: 'View order',
          url: 'https://shop.example/orders/{{1}}',
          example: ['https://shop.example/orders/1001'],
        },
        { type: 'QUICK_REPLY', text: 'Thanks' },
      ],
    },
  ],
})
const records = Array.from({ length: manyTemplates }, (_, at) => templateOf(at))

/** @returns a page of its listing, as the platform answers */
export function pageOfMany(query: URLSearchParams) {
  const from = Number(query.get('after') ?? 0)
  const end = from + Number(query.get('limit') ?? 25)
  const cursors = { before: String(from), after: String(end) }
  const next = end < manyTemplates ? { next: 'https://graph.example/next' } : {}
  return { data: records.slice(from, end), paging: { cursors, ...next } }
}
