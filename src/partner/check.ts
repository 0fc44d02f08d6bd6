import { Elysia } from 'elysia'
import { PARTNER_ERRORS, type PartnerReason } from '../base/errors.ts'
import { issuesMax } from '../base/issues.ts'
import { described, orNull, Type } from '../base/schema.ts'
import { sendRequest, shownRequest } from '../graph/request.ts'
import { partnerPrefix } from '../http/calls.ts'
import { sendBodySchema } from '../operations/sends/sendSchema.ts'
import { checkedSend } from '../sending/check.ts'
import type { SubmissionParts } from '../sending/submission.ts'
import { answer, jsonBody } from './docs/operation.ts'
import type { Endpoint } from './endpoint.ts'
import { readSend } from './send.ts'
import { sendExamples } from './sendExamples.ts'

const problemSchema = described('Problem', 'A reason for which a message would not be sent.', {
  error: Type.Enum(Object.keys(PARTNER_ERRORS) as PartnerReason[], {
    type: 'string',
    description:
      'What the send would be answered with. `CHANNEL_GRAPH_ERROR`: it would go upstream, and the platform would ' +
      'refuse it, as far as that shows by the listed template.',
  }),
  path: Type.String({
    description: 'A JSON Pointer into the body; empty where no field is at fault.',
    examples: ['/templateComponents/1/sub_type'],
  }),
  message: Type.String({ description: 'What to do about it.' }),
})

const checkSchema = described('MessageCheck', 'What would become of a send.', {
  sendable: Type.Boolean({ description: 'Whether nothing speaks against it: `problems` is empty.' }),
  problems: Type.Array(problemSchema, { description: `All that are known before sending, at most ${issuesMax}.` }),
  request: orNull(Type.Object({}, { additionalProperties: true }), {
    description:
      "The upstream platform's request, without the id that a message gets. In place of the id of a file that would " +
      'be uploaded stands `(upload of …)`. Null when it cannot be written.',
  }),
  text: orNull(Type.String(), {
    description: 'What a person reads, a line each, with buttons in parentheses. Null: nothing that is known here.',
  }),
})

const checkEnvelope = described('MessageCheckAnswer', 'What would become of a send.', {
  success: Type.Literal(true),
  data: checkSchema,
})

function example(summary: string, values: readonly string[], text: string, ...problems: readonly object[]) {
  const components = [{ type: 'body', parameters: values.map(value => ({ type: 'text', text: value })) }]
  const template = { name: 'order_confirmation', language: { code: 'en_US' }, components }
  const request = shownRequest(sendRequest('+4915112345678', { type: 'template', template }, ''))
  const data = { sendable: problems.length === 0, problems, request, text }
  return { summary, value: { success: true, data } }
}

/** `POST /messages/check` (docs/partner-api.md#checking). */
export function checkRoute(parts: SubmissionParts, endpoint: Endpoint) {
  const answerCheck = endpoint('POST /messages/check', async caller => {
    const send = await caller.body(whole => readSend(whole, parts.clock))
    const store = { ...parts.store, read: caller.read.holding(parts.store.read) }
    const data = await checkedSend({ ...parts, store }, caller, send)
    return { ok: true, status: 200, body: { success: true, data } }
  })
  return new Elysia({ name: 'partner-check' }).post(
    `${partnerPrefix}/messages/check`,
    ({ request, server }) => answerCheck({ request, server }),
    {
      // The endpoint reads the body itself, and only for an authenticated caller.
      parse: 'none',
      detail: {
        operationId: 'checkMessage',
        summary: 'Check a message',
        tags: ['Messages'],
        description:
          'Takes the body of a send, and answers what would go upstream, what a person would read, and all problems. ' +
          'It stores, counts and sends nothing, and uploads no file; it is a call for the rate limits. A template ' +
          'with `templateComponents` is compared with the listing: what the platform would refuse is among the ' +
          'problems.',
        requestBody: jsonBody(sendBodySchema, sendExamples),
        responses: {
          200: answer('Checked; also a body that is malformed.', checkEnvelope, {
            sendable: example('Nothing speaks against it', ['Ada', '1001'], 'Hi Ada, your order 1001 is confirmed.'),
            refused: example('The platform would refuse it', ['Ada'], 'Hi Ada, your order {{2}} is confirmed.', {
              error: 'CHANNEL_GRAPH_ERROR',
              path: '/templateComponents/0/parameters',
              message: "must have 2, for {{1}} and {{2}} of the template's body; it has 1",
            }),
          }),
        },
      },
    },
  )
}
