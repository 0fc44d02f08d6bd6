import { systemClock } from '../src/base/clock.ts'
import { createChannelClient } from '../src/graph/client.ts'
import { download } from '../src/media/incoming/download.ts'
import { createFetcher, type FetcherOptions } from '../src/media/incoming/fetcher.ts'
import { makeFilesFolder, openStorage } from '../src/media/storage.ts'
import { serveEach, serveMailbox, yieldToSends } from '../src/threads/worker.ts'
import { createTransport } from '../src/transport/transport.ts'

/** Fetches files that users sent, and removes them. It lives as long as there are any to fetch or remove. */
serveMailbox((given, outgoing) => {
  yieldToSends()
  const options = given as FetcherOptions
  makeFilesFolder(options.storage.folder)
  const client = createChannelClient(createTransport(systemClock), options)
  const fetcher = createFetcher({
    client,
    download,
    storage: openStorage(options.storage, systemClock),
    options,
    clock: systemClock,
  })
  return serveEach(fetcher, outgoing)
})
