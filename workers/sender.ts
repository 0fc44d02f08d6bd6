import { createChannelClient } from '../src/channel/client.ts'
import { createSender, type SenderOptions } from '../src/channel/sender.ts'
import { createTransport } from '../src/channel/transport.ts'
import { systemClock } from '../src/clock.ts'
import { serveMailbox } from '../src/queue/worker.ts'

/** Sends what it is given, at the pace of each line, and reports every message's end. */
serveMailbox((options, outgoing) => {
  const transport = createTransport(systemClock)
  const client = createChannelClient(transport, options as SenderOptions)
  return createSender({ client, transport, clock: systemClock, random: Math.random, outgoing })
})
