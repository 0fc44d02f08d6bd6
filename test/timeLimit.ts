/**
 * Milliseconds after which a test counts as hung. Speed is not judged by it: a busy machine may take ten times as long
 * as an idle one. Each file that can hang sets it, itself or by a fixture: Bun's default of 5 s comes back with each.
 */
export const hungAfterMs = 60_000
