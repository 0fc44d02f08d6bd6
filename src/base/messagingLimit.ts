const factors: Readonly<Record<string, number>> = { '': 1, K: 1_000, M: 1_000_000 }

/**
 * @param limit as the upstream names it: `TIER_2K`. It is that of the whole portfolio (docs/upstream.md#phone-numbers)
 * @returns to how many new people a day they may write; null: without limit, or the name is not known
 */
export function messagingLimitOf(limit: string): number | null {
  const [, digits, unit = ''] = /^TIER_(\d{1,9})([KM]?)$/.exec(limit) ?? []
  return digits === undefined ? null : Number(digits) * (factors[unit] ?? 1)
}

export const isUnlimited = (limit: string): boolean => limit === 'TIER_UNLIMITED'

/** @returns it in words; a name that is not known as it is */
export function messagingLimitWords(limit: string): string {
  if (isUnlimited(limit)) return 'new people without limit'
  const perDay = messagingLimitOf(limit)
  return perDay === null ? limit : `${perDay.toLocaleString('en')} new people a day`
}
