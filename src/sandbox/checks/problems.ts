import type { Refusal } from './refusals.ts'

const refuse = (code: number, details: string, subcode?: number): Refusal => ({
  code,
  details,
  ...(subcode !== undefined && { subcode }),
})

/**
 * Each mistake a request can make, with the code and text it gets: the one place to change when the upstream turns out
 * to answer differently. Where its documentation is silent or contradicts itself the code is our choice (marked ours);
 * all of them are permanent refusals, so a client must not branch on the difference.
 */
export const PROBLEMS = {
  unreadable: () => refuse(100, 'The request body is not valid JSON.'),
  notAnObject: (path: string) => ({ code: 100, title: `Param ${path} must be a JSON object.` }),
  wrongType: (path: string, expected: string) => ({ code: 100, title: `Param ${path} must be ${expected}.` }),
  notOneOf: (path: string, words: readonly string[]) => ({
    code: 100,
    title: `Param ${path} must be one of {${words.join(', ')}}`,
  }),
  unexpectedKey: (path: string, key: string) => ({ code: 100, title: `Unexpected key "${key}" on param "${path}".` }),
  required: (path: string) => ({ code: 100, title: `The parameter ${path} is required.` }),
  missing: (details: string) => refuse(131008, details),
  invalid: (details: string) => refuse(131009, details),
  tooLong: (path: string, max: number) => refuse(100, `Param ${path} must be at most ${max} characters long.`),
  unknownObject: (id: string): Refusal => ({
    code: 100,
    subcode: 33,
    title:
      `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, ` +
      'or does not support this operation',
  }),

  /** Outside of sends, a value that is not valid has no code of its own. */
  invalidParameter: (details: string) => refuse(100, details),
  /** A template that is created or edited breaks a rule; the subcode says which kind. */
  templateRule: (subcode: number, userMessage: string): Refusal => ({
    code: 100,
    subcode,
    title: 'Invalid parameter',
    userMessage,
  }),

  windowClosed: (): Refusal => ({ code: 131047 }),
  recipientIsSender: (): Refusal => ({ code: 131021 }),

  templateMissing: (name: string, language: string) =>
    refuse(132001, `template name (${name}) does not exist in ${language}`),
  templatePaused: (): Refusal => ({ code: 132015 }),
  templateDisabled: (): Refusal => ({ code: 132016 }),
  parameterCount: (part: string, given: number, expected: number) =>
    refuse(
      132000,
      `${part}: number of localizable_params (${given}) does not match the expected number of params (${expected})`,
    ),
  headerFormat: (part: string, expected: string, received: string) =>
    refuse(132012, `${part}: Format mismatch, expected ${expected}, received ${received}`),
  /** ours */
  parameterKind: (part: string, received: string) => refuse(132012, `${part}: unexpected parameter type ${received}`),
  /** ours */
  nameMissing: (part: string) => refuse(132012, `${part}: Parameter name is missing or empty`),
  /** ours */
  nameUnknown: (part: string, name: string) => refuse(132018, `${part}: no variable is named ${name}`),
  /** ours */
  nameUnexpected: (part: string) => refuse(132018, `${part}: parameter_name given, but parameters are positional`),
  lineBreaks: () => refuse(132018, 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces'),
  emptyText: (part: string) => refuse(132018, `${part}: Param text cannot be empty`),

  urlParameterMissing: (index: number) =>
    refuse(131008, `buttons: Button at index ${index} of type Url requires a parameter`),
  buttonParameterMissing: (index: number, type: string) =>
    refuse(131008, `buttons: Button at index ${index} of type ${type} requires a parameter`),
  cardUrlMissing: () => refuse(131008, 'Parameter value for URL was expected but was not found'),
  /** ours */
  buttonUnknown: (index: number) => refuse(132018, `buttons: Button at index ${index} does not exist in the template`),
  /** ours */
  buttonKind: (index: number, expected: string, received: string) =>
    refuse(132018, `buttons: Button at index ${index} is of type ${expected}, received ${received}`),
  /** ours */
  buttonStatic: (index: number, type: string) =>
    refuse(132018, `buttons: Button at index ${index} of type ${type} does not take parameters`),
  /** ours */
  componentStatic: (type: string) => refuse(132018, `${type}: component does not take parameters`),
  /** ours */
  componentTwice: (type: string) => refuse(132018, `${type}: component given more than once`),
  /** ours */
  urlNotEncoded: (index: number) => refuse(132018, `buttons: URL suffix at index ${index} is not percent-encoded`),
  /** ours */
  codesDiffer: () => refuse(132018, 'buttons: the code of the button differs from the code of the body'),
  /** ours */
  offerMissing: () => refuse(131008, 'limited_time_offer: expiration_time_ms is required'),
  /** ours */
  offerInPast: () => refuse(131009, 'limited_time_offer: expiration_time_ms must be in the future (milliseconds)'),

  /** The upstream's own text for a wrong number of cards, misleading as it is. */
  cardCount: () => refuse(132012, 'header component parameter should not be empty'),
  cardIndex: () => refuse(132018, 'carousel: duplicate card index'),
  /** ours: whether a gap is refused at all is unsure */
  cardIndexRange: (index: number) => refuse(132018, `carousel: card index ${index} is out of range`),
  carouselMissing: () => refuse(132012, 'carousel: component is required'),
  mediaNotAnId: (part: string) => refuse(132012, `${part}: media must be given by the id of an uploaded file`),

  mediaKind: (expected: string, received: string) =>
    refuse(131053, `Media of type ${received} cannot be sent as ${expected}`),
  mediaLink: () => refuse(131053, 'Media link is not a valid http or https address'),
  textTooLong: (part: string, max: number) => refuse(132005, `${part}: text is longer than ${max} characters`),
} as const
