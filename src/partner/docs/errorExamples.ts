import { webhooksMax } from '../../../db/contract/webhooks.ts'
import { invalid, type PartnerReason } from '../../base/errors.ts'
import { eventTypes } from '../../base/eventTypes.ts'
import { type OperationId, partnerOperations } from '../../http/calls.ts'
import { noStorage } from '../../http/fileAnswer.ts'
import { lacking } from '../../http/scopes.ts'
import { noPosition } from '../../reading/cursor.ts'
import { directSendOff } from '../../sending/directSend.ts'
import { optedOut } from '../../sending/optOut.ts'
import { windowClosed } from '../../sending/refusals.ts'
import { sendAtProblem } from '../../sending/sendAt.ts'
import * as batchExamples from './batchExamples.ts'
import * as contactExamples from './contactExamples.ts'
import type { ErrorExample } from './errorExample.ts'

const messageId = 'msg_01jd4v7m9xf5ksxj1q5y8p0c3f'
const inboundId = 'inb_000000001aq5ksxj1q5y8p0c3g'

/** A body or query with one problem. */
const issue = (operation: ErrorExample['operation'], summary: string, path: string, message: string): ErrorExample => ({
  ...(operation && { operation }),
  summary,
  message: invalid([{ path, message }]).message,
  details: { issues: [{ path, message }] },
})

/** Real answers of the gateway. A test produces each of them. */
export const examples: Record<PartnerReason, Readonly<Record<string, ErrorExample>>> = {
  VALIDATION_ERROR: {
    noAddress: issue(['addWebhook', 'changeWebhook'], 'A webhook without an address', '/url', 'is required'),
    unreadable: issue('checkMessage', 'No JSON', '', 'is not readable JSON in UTF-8'),
    wish: issue('setPreference', 'No such wish', '/value', 'must be one of stop, resume'),
    ...contactExamples.malformed(issue),
    grace: issue('rotateWebhook', 'A grace beyond its bound', '/graceHours', 'must be at most 168'),
    eventType: issue('testWebhook', 'No type of event', '/type', `must be one of ${eventTypes.join(', ')}`),
    deliveryState: issue(
      'listDeliveries',
      'No state of a delivery',
      '/state',
      'must be one of pending, delivered, failed',
    ),
    replay: issue(
      'replayEvents',
      'What is to be delivered again?',
      '',
      'must have one of eventId, failedSince and since',
    ),
    malformed: {
      operation: 'sendMessage',
      summary: 'Malformed: every problem is named',
      message: 'The request is malformed. /phone: is required, unless contactId or userId is given (and 1 more)',
      details: {
        issues: [
          { path: '/phone', message: 'is required, unless contactId or userId is given' },
          {
            path: '/templateVariables',
            message:
              'is required, unless one of templateComponents, bodyParameters, carousel is given; {} when the ' +
              'template has no variables',
          },
        ],
      },
    },
    ...batchExamples.malformed(issue),
    noFile: issue('uploadMedia', 'A form without its file', '/file', 'is required'),
    sendAt: issue('rescheduleMessage', 'A time without its offset', '/sendAt', sendAtProblem),
    wait: issue('getMessage', 'A wait beyond its bound', '/wait', 'must be at most 25'),
    cursor: issue(['listEvents', 'listMessages'], 'A cursor of another workspace', '/after', noPosition.message),
    filter: issue('listTemplates', 'Empty filter', '/name', 'must not be empty'),
    inboundCursor: issue('listInbound', 'A cursor of another workspace', '/after', noPosition.message),
    raw: issue('getInbound', 'Not a flag', '/raw', 'must be true or false'),
    tooOld: issue(
      'readInbound',
      'Too old to be marked',
      '/inboundId',
      'is a message of more than 30 days ago: the upstream platform marks none of them',
    ),
    noNumber: issue('findContact', 'No number', '/phone', 'is required, unless userId is given; give one of them'),
  },
  PHONE_NUMBER_REQUIRED: {
    severalLines: {
      summary: 'Several active lines and no default',
      message: 'This workspace has several active lines and no default line: say in phoneNumberId which one to use.',
      details: { phoneNumberIds: ['line_01jd4v7m9xf5ksxj1q5y8p0c3e', 'line_01jd4v7m9xf5ksxj1q5y8p0c3h'] },
    },
  },
  PHONE_NUMBER_NOT_FOUND: {
    unknownLine: {
      operation: 'sendMessage',
      summary: 'Unknown line',
      message: 'phoneNumberId names no line of this workspace. Ids are line_…: GET /lines lists them.',
    },
    lineId: {
      operation: 'listInbound',
      summary: 'Unknown line',
      message: 'lineId names no line of this workspace.',
    },
    removedLine: {
      operation: 'readInbound',
      summary: 'The line was removed',
      message: 'The line that the message came to is not connected.',
    },
  },
  PHONE_NUMBER_INACTIVE: {
    inactiveLine: {
      operation: 'sendMessage',
      summary: 'Inactive line',
      message: 'The line named by phoneNumberId is inactive.',
    },
    inactiveInboundLine: {
      operation: 'readInbound',
      summary: 'Inactive line',
      message: 'The line that the message came to is inactive.',
    },
  },
  NO_PHONE_NUMBER: {
    noLine: { summary: 'No active line', message: 'This workspace has no active line.' },
  },
  TEMPLATE_NOT_APPROVED: {
    pending: {
      summary: 'Template not approved',
      message: 'The template is not approved: its status is PENDING, since 2026-02-24.',
      details: { status: 'PENDING', since: '2026-02-24T09:31:12.000Z' },
    },
  },
  UNAUTHORIZED: {
    unauthorized: { summary: 'No valid key', message: 'Send a valid pair of apiKey and apiSecret headers.' },
  },
  FORBIDDEN: {
    ...Object.fromEntries(
      (Object.keys(partnerOperations) as OperationId[]).map(operation => [
        `${operation}Scope`,
        { operation, summary: 'A key without the scope', ...lacking(partnerOperations[operation].scope) },
      ]),
    ),
    otherLine: {
      operation: 'sendMessage',
      summary: 'A line that is none of the key',
      message: 'The API key may not send from the line that phoneNumberId names: it is limited to other lines.',
      details: { phoneNumberIds: ['line_01jd4v7m9xf5ksxj1q5y8p0c3e'] },
    },
  },
  PLAN_LIMIT_EXCEEDED: {
    planLimit: {
      summary: 'Plan limit reached',
      message: 'The monthly message limit of this workspace is reached.',
      details: { limit: 10_000, used: 10_000, resetsAt: '2026-04-01T00:00:00.000Z' },
    },
  },
  NOT_FOUND: {
    webhook: {
      operation: [
        'getWebhook',
        'changeWebhook',
        'removeWebhook',
        'rotateWebhook',
        'testWebhook',
        'listDeliveries',
        'replayEvents',
      ],
      summary: 'Unknown webhook',
      message: 'No webhook has this id.',
    },
    ...batchExamples.notFound,
    message: {
      operation: ['getMessage', 'rescheduleMessage', 'cancelMessage'],
      summary: 'Unknown message',
      message: 'No message has this id.',
    },
    contact: {
      operation: 'sendMessage',
      summary: 'Unknown contact',
      message: 'contactId names no contact of this workspace.',
    },
    contactFilter: {
      operation: ['listInbound', 'listMessages'],
      summary: 'Unknown contact',
      message: 'contactId names no contact of this workspace.',
    },
    inbound: { operation: 'getInbound', summary: 'Unknown message', message: 'No message of a user has this id.' },
    inboundToRead: {
      operation: 'readInbound',
      summary: 'Unknown message',
      message: 'No message of a user has this id.',
    },
    media: { operation: 'getMedia', summary: 'Unknown file', message: 'No file of a user has this id.' },
    mediaPending: {
      operation: 'getMedia',
      summary: 'Not stored yet',
      message: 'The file is not stored yet. Try again in a minute.',
      details: { state: 'pending' },
    },
    contactId: {
      operation: ['getContact', 'setPreference', 'setBlocked'],
      summary: 'Unknown contact',
      message: 'No contact has this id.',
    },
    number: { operation: 'findContact', summary: 'Unknown number', message: 'No contact has this number.' },
    template: {
      operation: 'sendMessage',
      summary: 'Unknown template',
      message: 'The chosen line has no template named like templateName. GET /templates lists all that can be sent.',
    },
    language: {
      operation: 'sendMessage',
      summary: 'Unknown language of a template',
      message: 'The template does not exist in templateLanguage; it exists in de, en_US.',
      details: { languages: ['de', 'en_US'] },
    },
  },
  IDEMPOTENCY_CONFLICT: {
    conflict: {
      summary: 'Key used with another body',
      message: 'This idempotency key was used before with a different body. Use a new key for a new message.',
    },
  },
  WINDOW_CLOSED: { closed: { summary: 'No open window', message: windowClosed.message } },
  DIRECT_SEND_OFF: { switchedOff: { summary: 'Direct Send is off', message: directSendOff.message } },
  OPTED_OUT: { noMarketing: { summary: 'The recipient wants no marketing', message: optedOut.message } },
  CONFLICT: {
    ...contactExamples.conflict,
    ...batchExamples.conflict,
    tooManyWebhooks: {
      operation: 'addWebhook',
      summary: 'As many as there may be',
      message: `The workspace has ${webhooksMax} endpoints already, which is as many as it may have. Remove one first.`,
    },
    released: {
      operation: ['rescheduleMessage', 'cancelMessage'],
      summary: 'It has left',
      message: 'Only a message that waits for its time can be moved or cancelled; this one is SENT.',
    },
    secretLost: {
      operation: ['changeWebhook', 'testWebhook'],
      summary: 'Nothing can be signed',
      message: 'The secret of the webhook is lost: nothing can be signed until it is rotated.',
    },
    rotatedAtOnce: {
      operation: 'rotateWebhook',
      summary: 'Two rotations at once',
      message: 'Its secrets were changed at the same moment. Try again.',
    },
    replaying: {
      operation: 'replayEvents',
      summary: 'Another replay is under way',
      message: 'A replay of this workspace is under way. Try again when it has ended.',
    },
  },
  PAYLOAD_TOO_LARGE: {
    tooLarge: { summary: 'Body too large', message: 'The body is larger than 131072 bytes.' },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    notJson: {
      summary: 'Body is not JSON',
      message: 'Send the body as JSON, with the header Content-Type: application/json.',
    },
  },
  RANGE_NOT_SATISFIABLE: {
    range: {
      summary: 'Behind the end of the file',
      message: 'The file has 68204 bytes, and none of them are in this range.',
      details: { size: 68_204 },
    },
  },
  RATE_LIMIT_EXCEEDED: {
    rateLimit: {
      summary: 'Too many requests',
      message: 'The limit of 300 requests per 15 minutes is reached. Try again after Retry-After seconds.',
    },
  },
  CHANNEL_GRAPH_ERROR: {
    ...contactExamples.channelError,
    refusedRequest: {
      operation: 'sendMessage',
      status: 400,
      summary: 'Refused: the request is at fault',
      message: 'The upstream platform refused the message: 131047: More than 24 hours have passed',
      details: {
        messageId,
        code: 131047,
        subcode: null,
        title: 'Re-engagement message',
        details: 'More than 24 hours have passed',
        traceId: 'AbC1dEfGhIj',
        retryable: false,
      },
    },
    refusedTemplate: {
      operation: 'sendMessage',
      status: 400,
      summary: 'Refused, and compared with the template',
      message:
        'The upstream platform refused the message: 132000: body: number of localizable_params (1) does not match ' +
        'the expected number of params (2)',
      details: {
        messageId,
        code: 132000,
        subcode: null,
        title: 'Number of parameters does not match the expected number of params',
        details: 'body: number of localizable_params (1) does not match the expected number of params (2)',
        traceId: 'AbC1dEfGhIj',
        retryable: false,
        issues: [
          {
            path: '/templateComponents/0/parameters',
            message: "must have 2, for {{1}} and {{2}} of the template's body; it has 1",
          },
        ],
      },
    },
    refusedByPlatform: {
      operation: 'sendMessage',
      summary: 'Refused: the platform or its credentials are at fault',
      message: 'The upstream platform refused the message: 131000: Something went wrong',
      details: {
        messageId,
        code: 131000,
        subcode: null,
        title: 'Something went wrong',
        details: null,
        traceId: 'AbC1dEfGhIj',
        retryable: true,
      },
    },
    notMarked: {
      operation: 'readInbound',
      status: 400,
      summary: 'Refused: the message is at fault',
      message: 'The message was not marked as read: 131009: Parameter value is not valid',
      details: {
        messageId: inboundId,
        code: 131009,
        subcode: null,
        title: 'Parameter value is not valid',
        details: null,
        traceId: 'AbC1dEfGhIj',
        retryable: false,
      },
    },
    noAnswer: {
      operation: 'readInbound',
      summary: 'No answer: ask again',
      message: 'The message was not marked as read: The upstream platform gave no answer',
      details: {
        messageId: inboundId,
        code: null,
        subcode: null,
        title: 'The upstream platform gave no answer',
        details: null,
        traceId: null,
        retryable: true,
      },
    },
  },
  INTERNAL_ERROR: {
    internal: {
      summary: 'Unexpected error',
      message: 'Unexpected error on our side. Give the X-Request-Id when you report it.',
    },
  },
  SERVICE_UNAVAILABLE: {
    busy: {
      operation: 'sendMessage',
      summary: 'Not able to accept',
      message: 'Too many messages of this line are waiting to be sent. Nothing was accepted; try again shortly.',
    },
    noStorage: {
      operation: 'getMedia',
      summary: 'The bucket does not answer',
      message: noStorage.message,
    },
    ...batchExamples.busy,
    ...contactExamples.busy,
    busyReceiving: {
      operation: 'uploadMedia',
      summary: 'Not able to accept',
      message: 'Too many files are being received. Nothing was accepted; try again shortly.',
    },
    busyMarking: {
      operation: 'readInbound',
      summary: 'Not able to accept',
      message: 'Too many messages are being marked as read. Nothing was accepted; try again shortly.',
    },
  },
}
