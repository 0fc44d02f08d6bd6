/** A language code in the form that is compared: `en-US` and `en_us` are one. */
export const normalizedLanguage = (language: string) => language.trim().replaceAll('-', '_').toLowerCase()

/** @returns whether two language codes mean the same one: case, and `-` or `_`, do not count. */
export const isSameLanguage = (one: string, other: string): boolean =>
  one === other || normalizedLanguage(one) === normalizedLanguage(other)
