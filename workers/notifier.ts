import { serveEach, serveMailbox } from '../src/threads/worker.ts'
import { type AttemptOptions, createAttempts } from '../src/webhooks/attempt.ts'

/** Makes one attempt to deliver one event for each call. */
serveMailbox((options, outgoing) => {
  const { attempt, close } = createAttempts(options as AttemptOptions)
  const served = serveEach({ attempt }, outgoing)
  return {
    ...served,
    stop() {
      // What is under way is made again by the next start.
      close()
      return served.stop()
    },
  }
})
