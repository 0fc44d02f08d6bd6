import { type Issue, invalid, type Refusal } from '../../base/errors.ts'
import { field, list, text } from '../../base/json.ts'

/** Fields of the partner API, and where clients of the platform write them. `*` is the type of the message. */
const theirs: Readonly<Record<string, string>> = {
  replyTo: 'context/message_id',
  messageId: 'reaction/message_id',
  emoji: 'reaction/emoji',
  link: '*/link',
  mediaId: '*/id',
  caption: '*/caption',
  fileName: '*/filename',
  content: '*/body',
  previewUrl: '*/preview_url',
  ttlSeconds: 'ttl_seconds',
  userId: 'to',
  url: 'override_callback_uri',
  verifyToken: 'verify_token',
  templateName: 'template/name',
  templateLanguage: 'template/language/code',
  templateComponents: 'template/components',
}
/** In a sentence, what is also a word of its own is left as it is. */
const inSentences = /\b(replyTo|messageId|mediaId|fileName|previewUrl|ttlSeconds|userId|template[A-Z]\w+)\b/g

/**
 * Names the fields of a refused call as its client wrote them. What has no name of ours is left as it is.
 * @param type of the message; null: it is about none
 */
export function inTheirNames(refusal: Refusal, type: unknown): Refusal {
  const nameOf = (name: string) =>
    (Object.hasOwn(theirs, name) ? theirs[name]?.replace('*', String(type)) : undefined) ?? name
  const told = (sentence: string) => sentence.replaceAll(inSentences, name => nameOf(name).replaceAll('/', '.'))
  const issueOf = (issue: unknown): Issue => ({
    path: (text(field(issue, 'path')) ?? '').replace(/^\/(\w+)/, (_path, name) => `/${nameOf(name)}`),
    message: told(String(field(issue, 'message'))),
  })
  const { details } = refusal
  const issues = list(details?.issues).map(issueOf)
  if (refusal.reason === 'VALIDATION_ERROR') return invalid(issues)
  return { ...refusal, message: told(refusal.message), ...(issues.length > 0 && { details: { ...details, issues } }) }
}
