import { createChannelClient } from '../src/channel/client.ts'
import { createMediaUploader } from '../src/channel/mediaUpload.ts'
import { createAddressGuard } from '../src/channel/publicAddress.ts'
import { createSender, type SenderOptions } from '../src/channel/sender.ts'
import { createTransport } from '../src/channel/transport.ts'
import { systemClock } from '../src/clock.ts'
import { serveMailbox } from '../src/queue/worker.ts'

/** Sends what it is given, at the pace of each line, and reports every message's end. */
serveMailbox((options, outgoing) => {
  const transport = createTransport(systemClock)
  const settings = options as SenderOptions
  const client = createChannelClient(transport, settings)
  const guard = createAddressGuard(settings.mediaAllowedNetworks)
  const upload = createMediaUploader({ client, guard, clock: systemClock })
  return createSender({ client, upload, transport, clock: systemClock, random: Math.random, outgoing })
})
