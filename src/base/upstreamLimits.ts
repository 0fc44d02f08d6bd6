import { dayMs } from './durations.ts'

/*
 * The lengths, counts and times of the upstream that Waypost relies on, each once, with its place in docs/upstream.md.
 * Characters are Unicode code points. The forms of src/forms, the stand-in upstream and the
 * page take these numbers too.
 */

/** A text message (docs/upstream.md#text). */
export const textCharsMax = 4_096
/** The text below a file (docs/upstream.md#media). */
export const captionCharsMax = 1_024
/** Cards of one message (docs/upstream.md#free-form-messages). */
export const contactCardsMax = 257
/** A place, in degrees (docs/upstream.md#free-form-messages). */
export const degreesMax = { latitude: 90, longitude: 180 } as const
/** A reaction to an older message fails (docs/upstream.md#free-form-messages). */
export const reactionDays = 30
/** A voice message up to here is shown with a button to play it (docs/upstream.md#media). */
export const voiceIconBytesMax = 512 * 1_024
/** What comes back with each callback of a message (docs/upstream.md#correlation). */
export const opaqueCharsMax = 512

/** A user for one business (docs/upstream.md#user-identifiers). */
export const userIdPattern = /^[A-Z]{2}\.(ENT\.)?[0-9A-Za-z]{1,128}$/

/** docs/upstream.md#templates */
export const templateNameCharsMax = 512
/**
 * With the values filled in, of a template (docs/upstream.md#template-messages) and of an interactive message
 * (docs/upstream.md#interactive-messages).
 */
export const headerCharsMax = 60
export const bodyCharsMax = 1_024
export const footerCharsMax = 60
/** The body of a template with a limited-time offer. */
export const offerBodyCharsMax = 600
/** The whole body of a card (docs/upstream.md#carousel). */
export const cardBodyCharsMax = 160
/** The address of a button, with what is filled in. */
export const urlCharsMax = 2_000
/** The pages of the upstream say 15 and 20; the smaller one is safe with both (docs/upstream.md#template-messages). */
export const couponCharsMax = 15
/** The one-time code of an authentication template (docs/upstream.md#template-messages). */
export const codeCharsMax = 15
/** How long a template is paused, by the upstream's word (docs/upstream.md#account-updates). */
export const pauseHours: Readonly<Record<string, number>> = { FIRST_PAUSE: 3, SECOND_PAUSE: 6 }
/** A multi-product button of a send (docs/upstream.md#template-messages). */
export const productsMax = 30
export const productSectionsMax = 10

/** How a template is created (docs/upstream.md#template-creation). */
export const labelCharsMax = 25
export const phoneCharsMax = 20
export const offerTextCharsMax = 16
export const buttonsMax = 10
/** Buttons of one kind in a message; the other kinds have no bound of their own. */
export const buttonsOfKindMax = { url: 2, phone: 1, copyCode: 1, voiceCall: 1, oneTimeCode: 1 } as const
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
/** How long the name of a deleted approved template stays blocked. */
export const nameBlockedDays = 30

/** docs/upstream.md#interactive-messages; header, body and footer are above, but for the body of a list. */
export const replyButtonsMax = 3
export const replyIdCharsMax = 256
export const replyTitleCharsMax = 20
/** The sources say 4,096 and 1,024; with the larger one, the upstream decides. */
export const listBodyCharsMax = 4_096
export const listButtonCharsMax = 20
export const listSectionsMax = 10
/** Also the title of a section of products. */
export const sectionTitleCharsMax = 24
/** In all sections together. */
export const rowsMax = 10
export const rowIdCharsMax = 200
export const rowTitleCharsMax = 24
export const rowDescriptionCharsMax = 72
/** The text of the button that opens an address. */
export const linkTextCharsMax = 20
/** A message with addresses beside replies; the addresses come first (docs/upstream.md#interactive-messages). */
export const mixedButtonsMax = { url: 2, all: 10 } as const
/** What comes back with a call by the button (docs/upstream.md#interactive-messages). */
export const callPayloadCharsMax = 512
/** How long the button of a call works. */
export const callMinutesMax = 43_200
/** Line breaks in the text of a card that is no template's (docs/upstream.md#interactive-messages). */
export const cardBreaksMax = 2
/** The text of the button that opens a flow (docs/upstream.md#flows). */
export const flowButtonCharsMax = 30

const mib = 1_048_576
/** The largest file of each kind (docs/upstream.md#media). */
export const mediaBytesMax = {
  image: 5 * mib,
  video: 16 * mib,
  audio: 16 * mib,
  document: 100 * mib,
  sticker: 500 * 1_024,
} as const
/** A sticker that does not move. */
export const stillStickerBytesMax = 100 * 1_024
/** How long the id of a file lives: of one that we uploaded, and of one that a user sent (docs/upstream.md#media). */
export const uploadedFileMs = 30 * dayMs
export const userFileMs = 7 * dayMs

/** How long everything may be sent after a message of the user (docs/upstream.md#customer-service-window). */
export const windowMs = dayMs
/** People whom a line blocks (docs/upstream.md#profile-blocked-users-and-qr-codes). */
export const blockedUsersMax = 64_000
/** How long nothing costs after a message that came through an ad (docs/upstream.md#prices). */
export const freeEntryMs = 3 * dayMs
/** From then on, what is sent within the window is charged (docs/upstream.md#prices). */
export const serviceChargedFrom = Date.UTC(2026, 9, 1)

/**
 * A line, and a line and one recipient; a burst to one borrows from the time after it (docs/upstream.md#throughput).
 */
export const linePerSecond = 80
export const pairSeconds = 6
export const pairBurstMax = 45

/** The address for callbacks (docs/upstream.md#callback-subscription). */
export const callbackUrlCharsMax = 200
/** One callback (docs/upstream.md#webhook-delivery). */
export const callbackBytesMax = 3 * mib
export const callbackUpdatesMax = 1_000
/** A page of the listing of lines (docs/upstream.md#phone-numbers). */
export const linePageMax = 100
/** Templates of one account, once its business is verified (docs/upstream.md#template-creation). */
export const accountTemplatesMax = 6_000
