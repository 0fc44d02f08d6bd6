import { expect } from 'bun:test'

/** ISO 8601 in UTC with milliseconds. */
export const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
