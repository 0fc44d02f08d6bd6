const token = 'wp_…'
/** A client without a name: the words have one for it. */
export const ownCode = 'ownCode'

/** What to write where, for each client of the guide, which says the same: a test compares them. */
export const clientSettings: readonly {
  readonly client: string
  readonly code: (url: string, phoneNumberId: string) => string
}[] = [
  {
    client: 'Chatwoot',
    code: url => `WHATSAPP_CLOUD_BASE_URL=${url}`,
  },
  {
    client: 'Typebot',
    code: url => `WHATSAPP_CLOUD_API_URL=${url}`,
  },
  { client: 'Evolution API', code: url => `WA_BUSINESS_URL=${url}` },
  {
    client: '@kapso/whatsapp-cloud-api',
    code: url => `new WhatsAppClient({ baseUrl: '${url}', accessToken: '${token}' })`,
  },
  {
    client: '@chat-adapter/whatsapp',
    code: (url, phoneNumberId) =>
      `createWhatsAppAdapter({ apiUrl: '${url}', accessToken: '${token}', appSecret: 'whsec_…', ` +
      `phoneNumberId: '${phoneNumberId}', verifyToken: '…' })`,
  },
  {
    client: '@great-detail/whatsapp',
    code: url => `new Client({ baseUrl: '${url}', request: { headers: { Authorization: 'Bearer ${token}' } } })`,
  },
  {
    client: 'whatsapp-api-js',
    code: url =>
      `new WhatsAppAPI({ token: '${token}', appSecret: '…', ponyfill: { ` +
      `fetch: (url, init) => fetch(String(url).replace('https://graph.facebook.com', '${url}'), init) } })`,
  },
  {
    client: ownCode,
    code: (url, phoneNumberId) => `${url}/${phoneNumberId}/messages`,
  },
]
