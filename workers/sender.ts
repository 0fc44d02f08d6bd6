import { createAddressGuard } from '../src/base/addressGuard.ts'
import { systemClock } from '../src/base/clock.ts'
import { createChannelClient } from '../src/graph/client.ts'
import { exampleFilesOf } from '../src/graph/sandbox.ts'
import { createMediaUploader } from '../src/media/outgoing/upload.ts'
import { openStorage } from '../src/media/storage.ts'
import { createSender, type SenderOptions } from '../src/sending/sender.ts'
import { serveMailbox } from '../src/threads/worker.ts'
import { createTransport } from '../src/transport/transport.ts'

/** Sends one message and uploads one file for each call. */
serveMailbox((options, outgoing) => {
  const transport = createTransport(systemClock)
  const settings = options as SenderOptions
  const client = createChannelClient(transport, settings)
  const guard = createAddressGuard(settings.mediaAllowedNetworks)
  const upload = createMediaUploader({
    client,
    guard,
    exampleFiles: exampleFilesOf(settings.apiUrl),
    storage: openStorage(settings.storage, systemClock),
    clock: systemClock,
  })
  return createSender({ client, upload, transport, outgoing })
})
