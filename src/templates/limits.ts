/** The bounds of a template send that more than one file needs, each with its source. */

/** Contract, "Limits": body text parameter length, after substitution, URL button parameters included. */
export const valueCharsMax = 160

/** Upstream reference 2.3: a card's whole body, after substitution; longer ones are refused ("hydrated body"). */
export const cardBodyCharsMax = 160

/** Upstream reference 2.2: lengths after substitution. */
export const headerCharsMax = 60
export const bodyCharsMax = 1024
/** The same, of a template with a limited-time offer. */
export const offerBodyCharsMax = 600
export const urlCharsMax = 2000

/** Upstream reference 2.2: its pages say 15 and 20; the smaller one is safe with both. */
export const couponCharsMax = 15

/** Upstream reference 2.2: the one-time code of an authentication template. */
export const codeCharsMax = 15

/** Ours: the length that browsers and proxies agree to carry; it bounds what is stored per message. */
export const linkCharsMax = 2048

/** Ours: the upstream's ids are decimal digits, about 16 of them; this leaves room without storing just anything. */
export const mediaIdCharsMax = 64
