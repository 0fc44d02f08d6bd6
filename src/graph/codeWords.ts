/** An upstream error in words: what it means, and what can be done about it. */
export interface Explanation {
  /** The meaning in at most five words, for a list. */
  readonly short: string
  readonly meaning: string
  readonly remedy: string
}

/** A class of codes. Its words are those of codes without words of their own. */
export interface ClassRow extends Explanation {
  /** Decides our HTTP status: 400 when the request is at fault, 502 when the upstream or its credentials are. */
  readonly fault: 'request' | 'upstream'
  /** Whether the caller may try the same send again later. */
  readonly retryable: boolean
  /** It stops a line, an account or all that use a token until the operator acts. */
  readonly needsOperator: boolean
  /** Its codes and their words. A remedy that is left out is that of the class. */
  readonly codes: Readonly<Record<number, Partial<Explanation>>>
}

/** Whose fault an error is, and what helps. */
export const repeatHelps = { fault: 'upstream', retryable: true, needsOperator: false } as const
export const nothingHelps = { fault: 'request', retryable: false, needsOperator: false } as const
export const operatorHelps = { fault: 'upstream', retryable: false, needsOperator: true } as const

/** Why a number may not be reached, on a list or registered. It is said of all: no table of countries decides. */
export const otherSpelling =
  'Some countries write one mobile number in two ways, with and without one more digit: perhaps the other one is known.'

/** Words that several codes share. */
export const accountWords = {
  restricted: {
    short: 'Account restricted or locked',
    meaning: 'The account is restricted or locked, because it broke a rule of the platform.',
    remedy: "Open the account in the platform's own console: it names the rule, and how to appeal.",
  },
  payment: {
    short: 'Account has a payment problem',
    meaning: 'The account has a problem with its payment.',
    remedy: "Check the payment method in the platform's own console.",
  },
  registration: {
    short: 'Number is not registered',
    meaning: 'The number is not registered, or its PIN is wrong.',
    remedy: 'Register the number by a call to the platform: /docs/meta-setup#number-registration.',
  },
} as const

export const templateWords = {
  parameters: {
    short: 'Values do not fit template',
    meaning: 'A value does not fit the template: its number, format or kind.',
    remedy: 'Compare the values with the template on the templates page; it shows the exact keys.',
  },
  media: {
    short: 'File could not be used',
    meaning: 'A file could not be used: its type, its size or its address.',
    remedy:
      'Check that the link is public and that the file has a type and a size that the platform takes: of Opus, ' +
      'audio/ogg; codecs=opus, and for a voice message with one channel.',
  },
} as const
