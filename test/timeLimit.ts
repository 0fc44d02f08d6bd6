/**
 * Milliseconds after which a test counts as hung, instead of Bun's 5 seconds. Speed is not judged by it: a busy machine
 * may take ten times as long as an idle one.
 */
export const hungAfterMs = 60_000
