/** Lengths of time in milliseconds. Everything that lasts minutes, hours or days is written with them. */
export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
