import {
  cardBodyCharsMax,
  codeCharsMax,
  couponCharsMax,
  flowDataDepthMax,
  flowTokenCharsMax,
  linkCharsMax,
  valueCharsMax,
} from '../templates/limits.ts'
import { table } from './docs/markdown.ts'
import { interactiveLimits } from './interactiveLimits.ts'

const answers = `
Checks the request, hands the message to the upstream platform and waits for its verdict.

**201 or 200.** 201 answers a new send: the message was stored, and usually the upstream platform has accepted it
(\`SENT\`). When it is still waiting for its turn after a few seconds the answer is 201 with \`QUEUED\`, and the work goes
on. When the upstream platform took the request but its answer was lost, the answer is 201 with \`UNKNOWN\`: the message may
have been sent and is never resent; do not send it again, poll its status. 200 answers an **idempotent replay**: nothing
new was sent, \`idempotentReplay\` is true, and \`data\` is the original message as it stands now. A replay does not count
against the plan.

**Fields.** \`null\` for an optional field is the same as leaving it out, whatever the \`type\`. An unknown field is refused,
and so is one of another \`type\`: a misspelled field must not be dropped in silence.

**Recipient.** Exactly one of \`phone\` and \`contactId\`. **Line.** Without \`phoneNumberId\`, the workspace's
default line is used, else its only active one; it is needed when there are several active lines and no default.
`

const templateKeys = [
  [
    '`"1"`, `"2"`, …',
    'Replaces `{{1}}`, `{{2}}`, … of the stored template. Body and URL button `{{1}}` both use `"1"` and receive the same string.',
    `≤ ${valueCharsMax} characters; one-time codes ≤ ${codeCharsMax}`,
  ],
  ['a name', 'Replaces `{{name}}` in a template with named parameters.', `≤ ${valueCharsMax} characters`],
  ['`copy_code`', 'The value of a copy-code button.', `≤ ${couponCharsMax} characters`],
  [
    '`catalog_product_retailer_id`',
    'The product of a catalog button (optional), or of a multi-product button (required): it opens with this product alone; give several by `templateComponents`.',
    `≤ ${valueCharsMax} characters`,
  ],
  [
    '`flow_token`',
    "Optional, for a flow button: comes back with the user's answer. Left out, the upstream's `unused`.",
    `≤ ${flowTokenCharsMax} characters`,
  ],
  [
    '`flow_action_data`',
    "Optional, for a flow button: JSON text of an object, the data of the flow's first screen.",
    `≤ 4096 characters, ${flowDataDepthMax} levels`,
  ],
  [
    '`header_link`',
    'A public address of the header media; the service uploads it before sending.',
    `≤ ${linkCharsMax} characters`,
  ],
  ['`header`', 'In place of `header_link`: the channel media id of an earlier upload.', 'digits only'],
  [
    '`header_filename`',
    "Optional, beside a document: the name that the user sees. Left out, the last part of the link's path.",
    `≤ ${valueCharsMax} characters`,
  ],
  [
    '`c{card}_{slot}`',
    "A card's placeholder, in its body or URL button: `c0_1` is slot 1 of the first card.",
    `≤ ${valueCharsMax} characters; a card's whole body ≤ ${cardBodyCharsMax} after substitution`,
  ],
  [
    '`c{card}_header_link`',
    "A public address of the card's image or video; uploaded before sending. Recommended.",
    `≤ ${linkCharsMax} characters`,
  ],
  ['`c{card}_header`', 'In place of `c{card}_header_link`: a channel media id.', 'digits only'],
] as const

const buttons = [
  [
    'Dynamic URL (`https://…{{1}}`)',
    'The number of its `{{n}}`, usually `"1"`. The value is only the suffix: a whole address is refused, unless the ' +
      "template's own ends in `=` and the value is another one.",
  ],
  ['Copy code', '`copy_code`'],
  ['Catalog', '`catalog_product_retailer_id` (optional)'],
  ['Multi-product', '`catalog_product_retailer_id`: one section with this product'],
  ['Flow', '`flow_token`, `flow_action_data` (both optional)'],
  ['Quick reply, static URL', 'nothing'],
] as const

/** Markdown for the send operation: what the fields alone cannot say. */
export const sendDescription = `${answers.trim()}

### Values of a template

Keys of \`templateVariables\`; \`GET /templates\` lists the ones that each template needs. Missing, unknown and overlong
values are refused all at once before anything is sent. \`templateComponents\` is the alternative, not an addition: when it
is present, it alone is forwarded.

**A key that several places share.** Header, body and URL button with the same \`{{1}}\` all take the key \`"1"\`, although
many templates mean different things by it. \`sharedVariables\` of \`GET /templates\` names these places, and
\`exampleValues\` shows a send that fills each with the right text: \`bodyParameters\` gives the main body its own values,
\`carousel\` a card's URL button, and where a header and a URL button differ only \`templateComponents\` can say so.

${table(['Key', 'Meaning', 'Limit'], templateKeys)}

${table(['Button of the template', 'What to send'], buttons)}

### Interactive payloads

\`content\` is a JSON string. These kinds are checked against every limit below; other kinds are passed on as they are.
Button ids and titles are unique, and so are the row ids of a list. A list holds at most 10 rows in all sections together
and takes a text header only; a list's only section needs no title. \`flow\` needs either \`flow_id\` or \`flow_name\`, and no emoji in \`flow_cta\`. A header is
\`{ "type": "text", "text": "…" }\` or one of \`image\`, \`video\`, \`document\` with an \`id\` or a \`link\`. An address
has at most ${linkCharsMax} characters.

${table(
  ['Kind', 'Field', 'At most'],
  interactiveLimits.map(({ kind, field, max, unit }) => [kind ?? 'all', `\`${field}\``, `${max} ${unit}`]),
)}
`
