/*
 * What the upstream's codes mean for us: the one table that classification, the console, the documents and the alert of
 * src/monitoring/prometheus follow. Tests compare docs/errors.md and the alert with it.
 */

import {
  accountWords,
  type ClassRow,
  type Explanation,
  nothingHelps,
  operatorHelps,
  otherSpelling,
  repeatHelps,
  templateWords,
} from './codeWords.ts'

/** docs/upstream.md#error-classes. The permission codes 200 to 299 are a range, and of `accountStop` (`codes.ts`). */
const classes = {
  /** Like the other throttles: wait, then send again. The scope says what has to wait. */
  throttleApp: {
    ...repeatHelps,
    short: 'Account made too many calls',
    meaning: 'The account or the app made too many calls.',
    remedy: 'Send it again later. If it happens often, send more slowly.',
    codes: { 4: {}, 613: {}, 80007: {}, 80008: {} },
  },
  throttleLine: {
    ...repeatHelps,
    short: 'Line sent too fast',
    meaning: 'The line sent too many messages in a short time.',
    remedy: 'Send it again later. If it happens often, lower the pace of the line.',
    codes: {
      130429: { meaning: 'The line sent more messages a second than it may.' },
      131048: {
        short: 'Line restricted after reports',
        meaning: 'The line is restricted, because recipients reported or blocked it.',
        remedy: 'Send less and only to people who expect it. The restriction lasts for hours.',
      },
    },
  },
  throttlePair: {
    ...repeatHelps,
    short: 'Too many to this recipient',
    meaning: 'Too many messages went to this recipient in a short time.',
    remedy: 'Send it again later, and fewer messages to one person.',
    codes: { 131056: {} },
  },
  /** A definite "not now": up to three tries. */
  retry: {
    ...repeatHelps,
    short: 'Platform was overloaded',
    meaning: 'The platform was down or overloaded for a moment.',
    remedy: 'Send again later.',
    codes: { 2: {}, 131016: {}, 133004: {} },
  },
  /** As `retry`, after a minute. */
  maintenance: {
    ...repeatHelps,
    short: 'Line was being moved',
    meaning: 'The line was being moved to other hardware, which takes about a minute.',
    remedy: 'Send again in some minutes.',
    codes: { 131057: {} },
  },
  /** An explicit refusal that does not promise that nothing was sent: never repeated. */
  vague: {
    ...repeatHelps,
    short: 'Refused without a clear reason',
    meaning: 'The platform refused without a clear reason. It does not promise that nothing was sent.',
    remedy: 'Wait for a callback. Send again only if the recipient got nothing.',
    codes: { 1: {}, 131000: {} },
  },
  /** Never again with this body. */
  permanent: {
    ...nothingHelps,
    short: 'Request was not accepted',
    meaning: 'The platform does not take this request.',
    remedy: "Correct what the platform's words name. The same request would be refused again.",
    codes: {
      100: {
        short: 'Field or file not valid',
        meaning: 'A field of the request is not valid, misspelled or too long, or a file expired.',
      },
      130403: {
        short: 'Recipient is blocked by you',
        meaning: 'Your business has blocked the recipient on this line.',
        remedy: 'Unblock the person in the conversation, or do not write to this person any more.',
      },
      130472: {
        short: 'Recipient is in an experiment',
        meaning: 'The recipient is part of an experiment of the platform and gets no marketing.',
        remedy: 'Nothing. The recipient gets other kinds of messages.',
      },
      130497: {
        short: 'Country is not allowed',
        meaning: 'The account may not send to this country.',
        remedy: 'Remove such recipients from your list.',
      },
      131008: { short: 'Required field is missing', meaning: 'A required field is missing.' },
      131009: { short: 'Value is not valid', meaning: 'The value of a field is not valid.' },
      131021: {
        short: 'Sender is the recipient',
        meaning: 'Sender and recipient are the same number.',
        remedy: 'Send to another number.',
      },
      131026: {
        short: 'Number cannot be reached',
        meaning:
          'The message cannot be delivered: the number has no account, an old app, or has not accepted the terms.',
        remedy: `Check the number with the recipient, or use another way to reach them. ${otherSpelling}`,
      },
      131030: {
        short: 'Not on the test list',
        meaning: "The recipient is not on the test line's list.",
        remedy: `Add the number to the list in the platform's own console, or send from a real line. ${otherSpelling}`,
      },
      131047: {
        short: 'Over 24 hours without answer',
        meaning: 'For the platform, more than 24 hours have passed since the recipient wrote last.',
        remedy:
          'Send an approved template. Free texts are possible only within 24 hours of an answer. Where the window is ' +
          'shown as open, the platform may not have seen that answer yet: send it again.',
      },
      131050: {
        short: 'Recipient stopped marketing',
        meaning: 'The recipient stopped marketing from this business.',
        remedy: 'Send no marketing to this person any more. Other categories still arrive.',
      },
      131051: { short: 'Unknown kind of message', meaning: 'The platform does not know this kind of message.' },
      131052: templateWords.media,
      131053: templateWords.media,
      131055: {
        short: 'Not for the marketing address',
        meaning: 'This kind of message cannot be sent to the marketing address.',
      },
      131062: {
        short: 'Needs a phone number',
        meaning: 'This message cannot be sent to a user id.',
        remedy: 'Send it to the phone number.',
      },
      132000: templateWords.parameters,
      132001: {
        short: 'Template missing or not approved',
        meaning: 'The template does not exist in this language, or is not approved.',
        remedy: 'Look at the template on the templates page. The listing was read again.',
      },
      132005: {
        short: 'Filled text is too long',
        meaning: 'The text is too long once its values are filled in.',
        remedy: 'Send shorter values.',
      },
      132007: {
        short: 'Content is against the rules',
        meaning: 'The content is against the rules of the platform.',
        remedy: 'Change the content.',
      },
      132008: templateWords.parameters,
      132012: templateWords.parameters,
      132016: {
        short: 'Template is disabled',
        meaning: 'The template is disabled for good.',
        remedy: 'Make a new template.',
      },
      132018: templateWords.parameters,
      132068: {
        short: 'Flow is blocked',
        meaning: 'The flow is blocked.',
        remedy: "Look at the flow in the platform's own console.",
      },
      134100: {
        short: 'Not for the marketing address',
        meaning: 'This kind of message cannot be sent to the marketing address.',
      },
      135000: {
        short: 'Values were not accepted',
        meaning: 'The platform has a problem with the values, and does not say which.',
      },
      137000: {
        short: 'Identity of recipient changed',
        meaning: "The recipient's identity key has changed.",
        remedy: 'Check with the recipient, then send again.',
      },
      138000: {
        short: 'Line takes no calls',
        meaning: 'The line does not take calls, so no message of it can have a button for one.',
        remedy: "Allow calls for the number in the platform's own console.",
      },
    },
  },
  /** Not before something changes in the message's own template or recipient. */
  holdRequest: {
    ...nothingHelps,
    short: 'Not sent for now',
    meaning: 'The platform does not send this message for now.',
    remedy: 'Wait at least 24 hours before you try again.',
    codes: {
      131049: {
        short: 'Too much marketing for recipient',
        meaning: 'The platform did not deliver it, to protect the recipient from too much marketing.',
        remedy: 'Wait at least 24 hours, and send less marketing to this person.',
      },
      132015: {
        short: 'Template is paused',
        meaning: 'The template is paused, because too many recipients gave a bad answer.',
        remedy: 'Change the template, or wait until the platform sends it again.',
      },
      132069: {
        short: 'Flow is throttled',
        meaning: 'The flow is throttled to ten messages an hour.',
        remedy: "Correct the flow's endpoint, then send again later.",
      },
      134101: {
        short: 'Template is not ready yet',
        meaning: 'The template is not ready for marketing yet.',
        remedy: 'Try again in some minutes.',
      },
    },
  },
  /** Not before something changes in the account. */
  holdAccount: {
    ...operatorHelps,
    short: 'Platform limits the account',
    meaning: 'The platform limits the account.',
    remedy: "Look at the account in the platform's own console, and do what it asks for.",
    codes: {
      131064: {
        short: 'Templates in wrong categories',
        meaning: 'The account is limited, because it put templates into wrong categories.',
      },
      139200: {
        short: 'Direct Send is blocked',
        meaning: 'The platform has blocked Direct Send for the account.',
        remedy: "Send a template, or look at the account in the platform's own console.",
      },
    },
  },
  /** The line or account cannot send until its owner acts. */
  accountStop: {
    ...operatorHelps,
    short: 'Line or account is blocked',
    meaning: 'The line or the account may not send.',
    remedy: "Look at the account in the platform's own console: it says what is missing or restricted.",
    codes: {
      3: { short: 'App may not do this', meaning: 'The app may not use this function.' },
      10: {
        short: 'Token lacks a permission',
        meaning: 'The access token lacks a permission.',
        remedy: 'Give the token the permissions for messages.',
      },
      33: {
        short: 'Line was deleted',
        meaning: 'The line was deleted in the platform.',
        remedy: 'Remove the line here, or add it there again.',
      },
      368: accountWords.restricted,
      803: { short: 'Line or account not found', meaning: 'The platform does not find the line or the account.' },
      131005: {
        short: 'Permission is missing',
        meaning: 'A permission is missing.',
        remedy: 'Give the token the permissions for messages.',
      },
      131031: accountWords.restricted,
      131037: {
        short: 'Name of line not approved',
        meaning: 'The name of the line is not approved yet.',
        remedy: "Have the display name approved in the platform's own console.",
      },
      131042: accountWords.payment,
      131044: accountWords.payment,
      131045: accountWords.registration,
      131063: { short: 'Marketing is switched off', meaning: 'Marketing templates are switched off for the account.' },
      133000: accountWords.registration,
      133005: accountWords.registration,
      133006: accountWords.registration,
      133008: accountWords.registration,
      133009: accountWords.registration,
      133010: {
        ...accountWords.registration,
        remedy: `${accountWords.registration.remedy} If it is the recipient's: ${otherSpelling}`,
      },
      133015: accountWords.registration,
      133016: accountWords.registration,
      134011: {
        short: 'Payment terms not accepted',
        meaning: 'The payment terms are not accepted yet.',
        remedy: "Accept them in the platform's own console.",
      },
      134102: { short: 'May not use marketing address', meaning: 'The account may not use the marketing address.' },
    },
  },
  /** The access token is no longer good. */
  token: {
    ...operatorHelps,
    short: 'Access token not valid',
    meaning: 'The access token of the channel is not valid any more.',
    remedy: 'Make a new token in the platform and give it to the channel. Nothing can be sent before that.',
    codes: { 0: {}, 104: {}, 190: {} },
  },
} as const satisfies Readonly<Record<string, ClassRow>>

export type ErrorClass = keyof typeof classes
export const ERROR_CLASSES: Readonly<Record<ErrorClass, ClassRow>> = classes

interface CodeRow extends Explanation {
  readonly errorClass: ErrorClass
}

/** By code. */
export const CODES: ReadonlyMap<number, CodeRow> = new Map(
  (Object.keys(classes) as ErrorClass[]).flatMap(errorClass => {
    const { codes, short, meaning, remedy } = ERROR_CLASSES[errorClass]
    return Object.entries(codes).map(
      ([code, words]) => [Number(code), { errorClass, short, meaning, remedy, ...words }] as const,
    )
  }),
)
