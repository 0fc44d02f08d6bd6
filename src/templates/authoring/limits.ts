/** The bounds of a new template that sends do not have (docs/upstream.md#template-creation). */

export const nameCharsMax = 512
export const footerCharsMax = 60
export const labelCharsMax = 25
export const phoneCharsMax = 20
export const offerTextCharsMax = 16
export const buttonsMax = 10
export const cardsMin = 2
export const cardsMax = 10
export const cardButtonsMax = 2
export const expirationMinutesMax = 90
export const appsMax = 5
export const packageNameCharsMax = 224
export const signatureHashChars = 11

/** Seconds within which a message must be delivered. A marketing template has no time of its own. */
export const lifetimeSeconds = {
  AUTHENTICATION: { min: 30, max: 900 },
  UTILITY: { min: 30, max: 43_200 },
  MARKETING: null,
} as const

/** Ours: the upstream says nothing about the ids of flows, which are decimal, and of screens, which are short words. */
export const flowIdCharsMax = 64
export const screenCharsMax = 80
