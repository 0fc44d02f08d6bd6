/** Between two looks; short beside what is looked for. */
const pollMs = 5

/** Ends what never comes; speed is not judged by it. */
const neverMs = 30_000

/**
 * Repeats the check until it passes. Only for background effects that have no answer to await.
 * @returns what the check gives
 * @throws what the check threw last, when it never passed in time
 */
export async function eventually<Value>(check: () => Value | Promise<Value>, timeoutMs = neverMs): Promise<Value> {
  const end = performance.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > end) throw error
      await Bun.sleep(pollMs)
    }
  }
}
