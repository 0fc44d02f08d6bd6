import { classify, type ErrorClass } from './codes.ts'

/** An upstream error in words: what it means, and what can be done about it. */
export interface Explanation {
  readonly meaning: string
  readonly remedy: string
}

/** By class, for codes without words of their own, and for the remedy of those that have none. */
const byClass: Readonly<Record<ErrorClass, Explanation>> = {
  token: {
    meaning: 'The access token of the channel is not valid any more.',
    remedy: 'Make a new token in the platform and give it to the channel. Nothing can be sent before that.',
  },
  accountStop: {
    meaning: 'The line or the account may not send.',
    remedy: "Look at the account in the platform's own console: it says what is missing or restricted.",
  },
  throttleApp: {
    meaning: 'The account or the app made too many calls.',
    remedy: 'Send it again later. If it happens often, send more slowly.',
  },
  throttleLine: {
    meaning: 'The line sent too many messages in a short time.',
    remedy: 'Send it again later. If it happens often, lower the pace of the line.',
  },
  throttlePair: {
    meaning: 'Too many messages went to this recipient in a short time.',
    remedy: 'Send it again later, and fewer messages to one person.',
  },
  vague: {
    meaning: 'The platform refused without a clear reason. It does not promise that nothing was sent.',
    remedy: 'Wait for a callback. Send again only if the recipient got nothing.',
  },
  retry: {
    meaning: 'The platform was down or overloaded for a moment.',
    remedy: 'Send again later.',
  },
  maintenance: {
    meaning: 'The line was being moved to other hardware, which takes about a minute.',
    remedy: 'Send again in some minutes.',
  },
  permanent: {
    meaning: 'The platform does not take this request.',
    remedy: "Correct what the platform's words name. The same request would be refused again.",
  },
  holdRequest: {
    meaning: 'The platform does not send this message for now.',
    remedy: 'Wait at least 24 hours before you try again.',
  },
  holdAccount: {
    meaning: 'The platform limits the account.',
    remedy: "Look at the account in the platform's own console, and do what it asks for.",
  },
}

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

/** docs/upstream.md#error-codes. A remedy that is left out is that of the class. */
const byCode: Readonly<Record<number, { readonly meaning: string; readonly remedy?: string }>> = {
  3: { meaning: 'The app may not use this function.' },
  10: { meaning: 'The access token lacks a permission.', remedy: 'Give the token the permissions for messages.' },
  33: { meaning: 'The line was deleted in the platform.', remedy: 'Remove the line here, or add it there again.' },
  100: { meaning: 'A field of the request is not valid, misspelled or too long, or a file expired.' },
  368: account.restricted,
  803: { meaning: 'The platform does not find the line or the account.' },
  130403: { meaning: 'The recipient blocked the business.', remedy: 'Do not write to this person any more.' },
  130429: { meaning: 'The line sent more messages a second than it may.' },
  130472: {
    meaning: 'The recipient is part of an experiment of the platform and gets no marketing.',
    remedy: 'Nothing. The recipient gets other kinds of messages.',
  },
  130497: { meaning: 'The account may not send to this country.', remedy: 'Remove such recipients from your list.' },
  131005: { meaning: 'A permission is missing.', remedy: 'Give the token the permissions for messages.' },
  131008: { meaning: 'A required field is missing.' },
  131009: { meaning: 'The value of a field is not valid.' },
  131021: { meaning: 'Sender and recipient are the same number.', remedy: 'Send to another number.' },
  131026: {
    meaning: 'The message cannot be delivered: the number has no account, an old app, or has not accepted the terms.',
    remedy: 'Check the number with the recipient, or use another way to reach them.',
  },
  131030: {
    meaning: "The recipient is not on the test line's list.",
    remedy: "Add the number to the list in the platform's own console, or send from a real line.",
  },
  131031: account.restricted,
  131037: {
    meaning: 'The name of the line is not approved yet.',
    remedy: "Have the display name approved in the platform's own console.",
  },
  131042: account.payment,
  131044: account.payment,
  131045: account.registration,
  131047: {
    meaning: 'More than 24 hours have passed since the recipient wrote last.',
    remedy: 'Send an approved template. Free texts are possible only within 24 hours of an answer.',
  },
  131048: {
    meaning: 'The line is restricted, because recipients reported or blocked it.',
    remedy: 'Send less and only to people who expect it. The restriction lasts for hours.',
  },
  131049: {
    meaning: 'The platform did not deliver it, to protect the recipient from too much marketing.',
    remedy: 'Wait at least 24 hours, and send less marketing to this person.',
  },
  131050: {
    meaning: 'The recipient stopped marketing from this business.',
    remedy: 'Send no marketing to this person any more. Other categories still arrive.',
  },
  131051: { meaning: 'The platform does not know this kind of message.' },
  131052: template.media,
  131053: template.media,
  131055: { meaning: 'This kind of message cannot be sent to the marketing address.' },
  131056: { meaning: 'Too many messages went to this recipient in a short time.' },
  131062: { meaning: 'This message cannot be sent to a user id.', remedy: 'Send it to the phone number.' },
  131063: { meaning: 'Marketing templates are switched off for the account.' },
  131064: { meaning: 'The account is limited, because it put templates into wrong categories.' },
  132000: template.parameters,
  132001: {
    meaning: 'The template does not exist in this language, or is not approved.',
    remedy: 'Look at the template on the templates page. The listing was read again.',
  },
  132005: { meaning: 'The text is too long once its values are filled in.', remedy: 'Send shorter values.' },
  132007: { meaning: 'The content is against the rules of the platform.', remedy: 'Change the content.' },
  132008: template.parameters,
  132012: template.parameters,
  132015: {
    meaning: 'The template is paused, because too many recipients gave a bad answer.',
    remedy: 'Change the template, or wait until the platform sends it again.',
  },
  132016: { meaning: 'The template is disabled for good.', remedy: 'Make a new template.' },
  132018: template.parameters,
  132068: { meaning: 'The flow is blocked.', remedy: "Look at the flow in the platform's own console." },
  132069: {
    meaning: 'The flow is throttled to ten messages an hour.',
    remedy: 'Wait, and mend what is wrong in the flow.',
  },
  134011: { meaning: 'The payment terms are not accepted yet.', remedy: "Accept them in the platform's own console." },
  134100: { meaning: 'This kind of message cannot be sent to the marketing address.' },
  134101: { meaning: 'The template is not ready for marketing yet.', remedy: 'Try again in some minutes.' },
  134102: { meaning: 'The account may not use the marketing address.' },
  135000: { meaning: 'The platform has a problem with the values, and does not say which.' },
  137000: {
    meaning: "The recipient's identity key has changed.",
    remedy: 'Check with the recipient, then send again.',
  },
  ...Object.fromEntries(
    [133000, 133005, 133006, 133008, 133009, 133010, 133015, 133016].map(code => [code, account.registration]),
  ),
}

/** @returns what a code of the upstream means; null for none that is known, whose own words must do */
export function explain(code: number): Explanation | null {
  const errorClass = classify(null, { code, subcode: null, isTransient: false, message: null })
  const own = byCode[code]
  // An unknown code is in the class of requests that are at fault, of which nothing more is known.
  if (errorClass === null || (own === undefined && errorClass === 'permanent')) return null
  return { ...byClass[errorClass], ...own }
}
