/** Whose new messages a user is notified of: nobody's; those of conversations that the user has taken; all. */
export const notifiedOf = ['off', 'mine', 'all'] as const

/**
 * The languages of the console's words, as tags of BCP 47. English comes first: a browser that asks for none of them
 * gets English, and the other languages say what English says.
 */
export const languages = ['en', 'de', 'es', 'pt-BR'] as const
export type Language = (typeof languages)[number]

/** What a user has chosen of the console, on every device. */
export interface Preferences {
  /** Whether Enter sends what is written, and Shift+Enter breaks the line. Null: where the device has a keyboard. */
  readonly enterSends: boolean | null
  readonly notifications: (typeof notifiedOf)[number]
  readonly sound: boolean
  /** Whether notifications show what was written: others may see them. */
  readonly notificationText: boolean
  /** Null: that of the browser. */
  readonly language: Language | null
}

const defaults: Preferences = {
  enterSends: null,
  notifications: 'off',
  sound: false,
  notificationText: false,
  language: null,
}

/** @param chosen as stored */
export const preferencesOf = (chosen: Partial<Preferences> | null): Preferences => ({ ...defaults, ...chosen })
