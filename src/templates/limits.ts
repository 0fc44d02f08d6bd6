/** The bounds of templates and their values that are ours. Those of the upstream are in src/base/upstreamLimits.ts. */

/** One value of a template, URL buttons included (docs/partner-api.md#size-limits). */
export const valueCharsMax = 160

/** Ours: any value of a send. Each has a limit of its own as well, except the data of a flow. */
export const givenCharsMax = 4_096

/** Ours: cards, and what a card has, in a send. How many it must be, the template says. */
export const givenCardsMax = 20

/** Ours: the upstream states none. Signed tokens fit; what comes back with the user's answer stays small. */
export const flowTokenCharsMax = 2_048

/** Ours: the first screen of a flow takes a flat object of fields and lists; deeper data would only cost time. */
export const flowDataDepthMax = 16

/** Ours: the length that browsers and proxies agree to carry; it bounds what is stored per message. */
export const linkCharsMax = 2_048

/** Ours: the upstream's ids have about 16 decimal digits. This is well above, but bounds what is stored. */
export const mediaIdCharsMax = 64

/** Ours: the upstream says nothing about the ids of flows, which are decimal, and of screens, which are short words. */
export const flowIdCharsMax = 64
export const screenCharsMax = 80
