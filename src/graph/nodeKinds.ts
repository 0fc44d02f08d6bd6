/** The upstream's names of what has an id there. The name stands in a refusal, in brackets, in any language. */
const nodeKinds: readonly (readonly [name: RegExp, words: string])[] = [
  [/\((?:\w*User)\)/, "a user's id"],
  [/\(Application\)/, "an app's id"],
  [/\(\w*PhoneNumber\w*\)/, "a phone number's id"],
  [/\(Page\)/, "a page's id"],
  [/\(Business\)/, "a business portfolio's id"],
]

interface Failure {
  readonly message: string
  readonly code?: number | null
  readonly subcode?: number
}

/**
 * @param failure of a call that only an account takes, whose fields the upstream does not know of this id: code 100
 *   without a subcode (docs/upstream.md#phone-numbers)
 * @returns what the id is instead, and where the right one stands; null for another failure
 */
export function notAnAccount({ message, code, subcode }: Failure): string | null {
  if (code !== 100 || subcode !== undefined) return null
  const [, words = 'the id of something else, as a business portfolio, an app, a user or a phone number'] =
    nodeKinds.find(([name]) => name.test(message)) ?? []
  return (
    `This is ${words}, not that of a WhatsApp Business Account. The right one stands in the app dashboard, under ` +
    'WhatsApp → API Setup: "WhatsApp Business Account ID"'
  )
}
