/** The bounds of a template send that more than one file needs, each with its source. */

/** One value of a template, URL buttons included (docs/partner-api.md#size-limits). */
export const valueCharsMax = 160

/** A card's whole body with its values; a longer one is refused (docs/upstream.md#carousel). */
export const cardBodyCharsMax = 160

/** Lengths with the values filled in (docs/upstream.md#template-messages). */
export const headerCharsMax = 60
export const bodyCharsMax = 1024
/** The same, of a template with a limited-time offer. */
export const offerBodyCharsMax = 600
export const urlCharsMax = 2000

/** Its pages say 15 and 20; the smaller one is safe with both (docs/upstream.md#template-messages). */
export const couponCharsMax = 15

/** The one-time code of an authentication template (docs/upstream.md#template-messages). */
export const codeCharsMax = 15

/** docs/upstream.md#interactive-messages: the title of a section of products or of rows. */
export const sectionTitleCharsMax = 24

/** Ours: the upstream states none. Signed tokens fit; what comes back with the user's answer stays small. */
export const flowTokenCharsMax = 2048

/** Ours: the first screen of a flow takes a flat object of fields and lists; deeper data would only cost time. */
export const flowDataDepthMax = 16

/** Ours: the length that browsers and proxies agree to carry; it bounds what is stored per message. */
export const linkCharsMax = 2048

/** Ours: the upstream's ids have about 16 decimal digits. This is well above, but bounds what is stored. */
export const mediaIdCharsMax = 64
