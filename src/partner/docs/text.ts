import { PARTNER_ERRORS } from '../../errors.ts'
import { bodyBytesMax } from '../../http/body.ts'
import type { MessageStatus } from '../../message/state.ts'
import { rateWindowMs } from '../../rateLimits.ts'
import { valueCharsMax } from '../../templates/limits.ts'
import { partnerPrefix } from '../endpoint.ts'
import { idempotencyKeyLengthMax } from '../sendSchema.ts'
import { table } from './markdown.ts'

const minutes = rateWindowMs / 60_000

const states: Record<MessageStatus, readonly [meaning: string, next: string]> = {
  QUEUED: ['Stored; the upstream platform has not answered yet.', '`SENT`, `FAILED`, `UNKNOWN`'],
  SENT: [
    'The upstream platform accepted it. That does not prove that anybody saw it.',
    '`DELIVERED`, `READ`, `FAILED`',
  ],
  DELIVERED: ['It is on the device.', '`READ`'],
  READ: ['The user opened it.', 'none'],
  FAILED: ['Refused, or not delivered; see `failureReason`.', 'none, unless a delivery is reported after all'],
  UNKNOWN: [
    'Handed over, but the answer was lost. Never resent.',
    '`SENT`, `DELIVERED`, `READ`, `FAILED`: by a later callback, or by an operator',
  ],
}

const errorRows = Object.entries(PARTNER_ERRORS).map(([code, { status, retryable, meaning }]) => [
  `[\`${code}\`](docs/errors#${code})`,
  [...status].sort().join(', '),
  retryable ? 'yes' : 'no',
  meaning,
])

/** Lines for a shell; a test runs them. */
const quickStart = `
GATEWAY=http://127.0.0.1:8080
KEY_ID=pk_…
KEY_SECRET=sk_…

curl -s "$GATEWAY${partnerPrefix}/templates" \\
  -H "apiKey: $KEY_ID" -H "apiSecret: $KEY_SECRET"

MESSAGE=$(curl -s "$GATEWAY${partnerPrefix}/messages/send" \\
  -H "apiKey: $KEY_ID" -H "apiSecret: $KEY_SECRET" \\
  -H 'Content-Type: application/json' \\
  -d '{ "type": "text", "phone": "+15550150100",
        "content": "Hello.", "idempotencyKey": "hello-1" }')
echo "$MESSAGE"

MESSAGE_ID=$(echo "$MESSAGE" | grep -o 'msg_[0-9a-z]*')
curl -s "$GATEWAY${partnerPrefix}/messages/$MESSAGE_ID" \\
  -H "apiKey: $KEY_ID" -H "apiSecret: $KEY_SECRET"
`.trim()

/** The document's front page, in Markdown. */
export const documentText = `
Send messages to end users over the channel, and read back what became of them. Bodies are JSON, timestamps ISO 8601 in
UTC. A success is \`{ "success": true, "data": … }\`, a refusal \`{ "error": CODE, "message": …, "details"?: … }\`.

Recipes in four languages, the remedy of each error, set-up and operation: [the guides](docs/guides), served by this
gateway as well.

## Quick start

Three calls: what can be sent, a send, and what became of it. Put in the address of this gateway and your key; the rest
works as it stands.

\`\`\`sh
${quickStart}
\`\`\`

The send is answered 201 with the message, \`SENT\` as a rule; sent again with the same \`idempotencyKey\` it is answered
200, and nothing goes out twice. Ask for the status until it is \`DELIVERED\` or \`READ\`. Free text reaches a user who
wrote to you within the last 24 hours; everybody else is reached by a template.

The demonstration and the sandbox take each sample of a send as it is printed; a sample that needs an id or a file of yours
says so in its name.

## Authentication

Every request carries two headers: \`apiKey\` (or \`X-API-Key\`), the public key id that starts with \`pk_\`, and
\`apiSecret\` (or \`X-API-Secret\`), shown once when the key is created. An empty header counts as absent. There is no bearer token. A key
reaches only its own workspace, and a revoked one stops at the next request. A key can have an end and be limited to
networks; past its end, or from another address, it is answered 401 as an unknown key is. When a key is rotated, the old one
works until its grace ends: 24 hours by default. Keep the secret on your server and use HTTPS.

## Idempotency

Give every send a key of at most ${idempotencyKeyLengthMax} characters, as \`idempotencyKey\` or in the \`Idempotency-Key\` header, and a retry can
never send it twice. Without a key nobody can tell whether to ask again: when a connection breaks before the answer, or when
a client writes bytes behind the body of its request, which is answered 400 although the send may have gone out.

Each API key has idempotency keys of its own, so that what staging sends never stands in the way of production; an API key
that replaces another by rotation shares them. They are kept for 24 hours by default. A definite refusal by the upstream
platform frees the key: nothing was sent, so a retry with the same key is a new send. Bodies are the same when their JSON
is: the order of fields does not count, and \`null\` and absent are alike.

${table(
  ['The key was used before', 'Answer'],
  [
    ['with the same body', '200 with the original message and `idempotentReplay: true`'],
    ['with the same body, still in flight', 'waits for the first request, then as above'],
    ['with another body', '409 `IDEMPOTENCY_CONFLICT`'],
    ['for a send that the upstream platform refused', 'the key is free: a new send'],
    ['for a send whose outcome is unknown', 'the key stays taken: 200 with the message as it stands'],
  ],
)}

## Limits

${table(
  ['What', 'Limit', 'Beyond it'],
  [
    ['Requests per IP address', `100 per ${minutes} minutes by default`, '429 `RATE_LIMIT_EXCEEDED`'],
    ['Requests per API key', `300 per ${minutes} minutes by default`, '429 `RATE_LIMIT_EXCEEDED`'],
    ['Messages per month and workspace', "the workspace's plan", '402 `PLAN_LIMIT_EXCEEDED`'],
    ['Body of a request', `${bodyBytesMax / 1_024} KiB`, '413 `PAYLOAD_TOO_LARGE`'],
    ['Value in a template', `${valueCharsMax} characters`, '400 `VALIDATION_ERROR`'],
  ],
)}

Windows are aligned to the clock. The \`RateLimit-*\` headers tell where the tighter limit stands; \`Retry-After\` how many
seconds to wait.

## States of a message

${table(
  ['Status', 'Meaning', 'What may follow'],
  Object.entries(states).map(([status, [meaning, next]]) => [`\`${status}\``, meaning, next]),
)}

The list is open: be ready for further values. The upstream platform reports delivery and reading to this service by
callbacks; this service calls nobody. Poll \`GET /messages/{messageId}\`. The callbacks must be set up for the line:
without them a message stays \`SENT\`.

## Errors

${table(['Code', 'HTTP', 'Retry', 'Meaning'], errorRows)}

The answer of each error has a \`Link\` to its cause and remedy.

A \`CHANNEL_GRAPH_ERROR\` says itself in \`details.retryable\` whether to retry. An answer that was lost is no error: the send
is answered 201 with \`UNKNOWN\`, and its status is to be polled.
`.trim()
