/*
 * What the upstream's codes mean for us: the one table that classification, the console, the documents and the alert of
 * packaging/prometheus follow. Tests compare docs/upstream.md#error-codes, docs/errors.md and the alert with it.
 */

/** An upstream error in words: what it means, and what can be done about it. */
export interface Explanation {
  readonly meaning: string
  readonly remedy: string
}

/** A class of codes. Its words are those of codes without words of their own. */
interface ClassRow extends Explanation {
  /** Decides our HTTP status: 400 when the request is at fault, 502 when the upstream or its credentials are. */
  readonly fault: 'request' | 'upstream'
  /** Whether the caller may try the same send again later. */
  readonly retryable: boolean
  /** It stops a line, an account or all that use a token until the operator acts. */
  readonly needsOperator: boolean
  /** Its codes and their words. A remedy that is left out is that of the class. */
  readonly codes: Readonly<Record<number, Partial<Explanation>>>
}

const again = { fault: 'upstream', retryable: true, needsOperator: false } as const
const never = { fault: 'request', retryable: false, needsOperator: false } as const
const operator = { fault: 'upstream', retryable: false, needsOperator: true } as const

const account = {
  restricted: {
    meaning: 'The account is restricted or locked, because it broke a rule of the platform.',
    remedy: "Open the account in the platform's own console: it names the rule, and how to appeal.",
  },
  payment: {
    meaning: 'The account has a problem with its payment.',
    remedy: "Check the payment method in the platform's own console.",
  },
  registration: {
    meaning: 'The number is not registered, or its PIN is wrong.',
    remedy: 'Register the number by a call to the platform: /docs/meta-setup#number-registration.',
  },
} as const

const template = {
  parameters: {
    meaning: 'A value does not fit the template: its number, format or kind.',
    remedy: 'Compare the values with the template on the templates page; it shows the exact keys.',
  },
  media: {
    meaning: 'A file could not be used: its type, its size or its address.',
    remedy: 'Check that the link is public and that the file has a type and a size that the platform takes.',
  },
} as const

/** docs/upstream.md#error-classes. The permission codes 200 to 299 are a range, and of `accountStop` (`codes.ts`). */
const classes = {
  /** Like the other throttles: wait, then send again. The scope says what has to wait. */
  throttleApp: {
    ...again,
    meaning: 'The account or the app made too many calls.',
    remedy: 'Send it again later. If it happens often, send more slowly.',
    codes: {
      4: {},
      613: {},
      80007: {},
      80008: {},
    },
  },
  throttleLine: {
    ...again,
    meaning: 'The line sent too many messages in a short time.',
    remedy: 'Send it again later. If it happens often, lower the pace of the line.',
    codes: {
      130429: { meaning: 'The line sent more messages a second than it may.' },
      131048: {
        meaning: 'The line is restricted, because recipients reported or blocked it.',
        remedy: 'Send less and only to people who expect it. The restriction lasts for hours.',
      },
    },
  },
  throttlePair: {
    ...again,
    meaning: 'Too many messages went to this recipient in a short time.',
    remedy: 'Send it again later, and fewer messages to one person.',
    codes: {
      131056: {},
    },
  },
  /** A definite "not now": up to three tries. */
  retry: {
    ...again,
    meaning: 'The platform was down or overloaded for a moment.',
    remedy: 'Send again later.',
    codes: {
      2: {},
      131016: {},
      133004: {},
    },
  },
  /** As `retry`, after a minute. */
  maintenance: {
    ...again,
    meaning: 'The line was being moved to other hardware, which takes about a minute.',
    remedy: 'Send again in some minutes.',
    codes: {
      131057: {},
    },
  },
  /** An explicit refusal that does not promise that nothing was sent: never repeated. */
  vague: {
    ...again,
    meaning: 'The platform refused without a clear reason. It does not promise that nothing was sent.',
    remedy: 'Wait for a callback. Send again only if the recipient got nothing.',
    codes: {
      1: {},
      131000: {},
    },
  },
  /** Never again with this body. */
  permanent: {
    ...never,
    meaning: 'The platform does not take this request.',
    remedy: "Correct what the platform's words name. The same request would be refused again.",
    codes: {
      100: { meaning: 'A field of the request is not valid, misspelled or too long, or a file expired.' },
      130403: { meaning: 'The recipient blocked the business.', remedy: 'Do not write to this person any more.' },
      130472: {
        meaning: 'The recipient is part of an experiment of the platform and gets no marketing.',
        remedy: 'Nothing. The recipient gets other kinds of messages.',
      },
      130497: {
        meaning: 'The account may not send to this country.',
        remedy: 'Remove such recipients from your list.',
      },
      131008: { meaning: 'A required field is missing.' },
      131009: { meaning: 'The value of a field is not valid.' },
      131021: { meaning: 'Sender and recipient are the same number.', remedy: 'Send to another number.' },
      131026: {
        meaning:
          'The message cannot be delivered: the number has no account, an old app, or has not accepted the terms.',
        remedy: 'Check the number with the recipient, or use another way to reach them.',
      },
      131030: {
        meaning: "The recipient is not on the test line's list.",
        remedy: "Add the number to the list in the platform's own console, or send from a real line.",
      },
      131047: {
        meaning: 'More than 24 hours have passed since the recipient wrote last.',
        remedy: 'Send an approved template. Free texts are possible only within 24 hours of an answer.',
      },
      131050: {
        meaning: 'The recipient stopped marketing from this business.',
        remedy: 'Send no marketing to this person any more. Other categories still arrive.',
      },
      131051: { meaning: 'The platform does not know this kind of message.' },
      131052: template.media,
      131053: template.media,
      131055: { meaning: 'This kind of message cannot be sent to the marketing address.' },
      131062: { meaning: 'This message cannot be sent to a user id.', remedy: 'Send it to the phone number.' },
      132000: template.parameters,
      132001: {
        meaning: 'The template does not exist in this language, or is not approved.',
        remedy: 'Look at the template on the templates page. The listing was read again.',
      },
      132005: { meaning: 'The text is too long once its values are filled in.', remedy: 'Send shorter values.' },
      132007: { meaning: 'The content is against the rules of the platform.', remedy: 'Change the content.' },
      132008: template.parameters,
      132012: template.parameters,
      132016: { meaning: 'The template is disabled for good.', remedy: 'Make a new template.' },
      132018: template.parameters,
      132068: { meaning: 'The flow is blocked.', remedy: "Look at the flow in the platform's own console." },
      134100: { meaning: 'This kind of message cannot be sent to the marketing address.' },
      135000: { meaning: 'The platform has a problem with the values, and does not say which.' },
      137000: {
        meaning: "The recipient's identity key has changed.",
        remedy: 'Check with the recipient, then send again.',
      },
    },
  },
  /** Not before something changes in the message's own template or recipient. */
  holdRequest: {
    ...never,
    meaning: 'The platform does not send this message for now.',
    remedy: 'Wait at least 24 hours before you try again.',
    codes: {
      131049: {
        meaning: 'The platform did not deliver it, to protect the recipient from too much marketing.',
        remedy: 'Wait at least 24 hours, and send less marketing to this person.',
      },
      132015: {
        meaning: 'The template is paused, because too many recipients gave a bad answer.',
        remedy: 'Change the template, or wait until the platform sends it again.',
      },
      132069: {
        meaning: 'The flow is throttled to ten messages an hour.',
        remedy: "Correct the flow's endpoint, then send again later.",
      },
      134101: { meaning: 'The template is not ready for marketing yet.', remedy: 'Try again in some minutes.' },
    },
  },
  /** Not before something changes in the account. */
  holdAccount: {
    ...operator,
    meaning: 'The platform limits the account.',
    remedy: "Look at the account in the platform's own console, and do what it asks for.",
    codes: {
      131064: { meaning: 'The account is limited, because it put templates into wrong categories.' },
    },
  },
  /** The line or account cannot send until its owner acts. */
  accountStop: {
    ...operator,
    meaning: 'The line or the account may not send.',
    remedy: "Look at the account in the platform's own console: it says what is missing or restricted.",
    codes: {
      3: { meaning: 'The app may not use this function.' },
      10: { meaning: 'The access token lacks a permission.', remedy: 'Give the token the permissions for messages.' },
      33: { meaning: 'The line was deleted in the platform.', remedy: 'Remove the line here, or add it there again.' },
      368: account.restricted,
      803: { meaning: 'The platform does not find the line or the account.' },
      131005: { meaning: 'A permission is missing.', remedy: 'Give the token the permissions for messages.' },
      131031: account.restricted,
      131037: {
        meaning: 'The name of the line is not approved yet.',
        remedy: "Have the display name approved in the platform's own console.",
      },
      131042: account.payment,
      131044: account.payment,
      131045: account.registration,
      131063: { meaning: 'Marketing templates are switched off for the account.' },
      133000: account.registration,
      133005: account.registration,
      133006: account.registration,
      133008: account.registration,
      133009: account.registration,
      133010: account.registration,
      133015: account.registration,
      133016: account.registration,
      134011: {
        meaning: 'The payment terms are not accepted yet.',
        remedy: "Accept them in the platform's own console.",
      },
      134102: { meaning: 'The account may not use the marketing address.' },
    },
  },
  /** The access token is no longer good. */
  token: {
    ...operator,
    meaning: 'The access token of the channel is not valid any more.',
    remedy: 'Make a new token in the platform and give it to the channel. Nothing can be sent before that.',
    codes: {
      0: {},
      104: {},
      190: {},
    },
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
    const { codes, meaning, remedy } = ERROR_CLASSES[errorClass]
    return Object.entries(codes).map(
      ([code, words]) => [Number(code), { errorClass, meaning, remedy, ...words }] as const,
    )
  }),
)
