/** In a single-quoted text of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** A command that sends it, ready to be pasted; key and secret come from the environment. */
export function curlOf(options: {
  readonly origin: string
  readonly phone: string
  readonly phoneNumberId: string
  readonly name: string
  readonly language: string
  readonly fields: object
}): string {
  const { origin, phone, phoneNumberId, name, language, fields } = options
  const body = {
    type: 'template',
    phone,
    phoneNumberId,
    templateName: name,
    templateLanguage: language,
    ...fields,
  }
  return [
    `curl ${origin}/api/v1/public/messages/send`,
    `  -H "apiKey: $WAYPOST_API_KEY" -H "apiSecret: $WAYPOST_API_SECRET"`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n')
}
