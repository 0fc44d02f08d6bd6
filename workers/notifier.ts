import { serveEach, serveMailbox } from '../src/threads/worker.ts'
import { type AttemptOptions, createAttempts } from '../src/webhooks/attempt.ts'

/** Makes one attempt to deliver one event, or asks one receiver who it is, for each call. */
serveMailbox((options, outgoing) => {
  const { close, ...verbs } = createAttempts(options as AttemptOptions)
  const served = serveEach(verbs, outgoing)
  return {
    ...served,
    stop() {
      // What is under way is made again by the next start.
      close()
      return served.stop()
    },
  }
})
