/* What a workspace chooses of its quiet hours: the rule is quietHours.ts, which the page does without. */

/** Monday is 1, Sunday 7 (ISO 8601). */
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const
export type Weekday = (typeof weekdays)[number]

export interface QuietHours {
  /** `20:00`, in the time of the person. */
  readonly from: string
  /** `08:00`: of the same day where it is later than `from`, else of the next one; equal, a whole day is quiet. */
  readonly to: string
  /** On which days they begin. */
  readonly days: readonly Weekday[]
  /** That of everybody whose number does not tell a country with one time: `Europe/Berlin`. */
  readonly timeZone: string
  /** The categories of templates that wait, as the platform lists them. */
  readonly categories: readonly QuietCategory[]
}

/** Never those of one-time codes, which somebody waits for. */
export const quietCategories = ['MARKETING', 'UTILITY'] as const
export type QuietCategory = (typeof quietCategories)[number]
