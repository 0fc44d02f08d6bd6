/** In a single-quoted text of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** A command that makes a send, ready to be pasted; key and secret come from the environment. */
export const curlOf = (send: object): string =>
  [
    `curl ${location.origin}/api/v1/public/messages/send`,
    `  -H "apiKey: $WAYPOST_API_KEY" -H "apiSecret: $WAYPOST_API_SECRET"`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${quoted(JSON.stringify(send, null, 2))}`,
  ].join(' \\\n')
