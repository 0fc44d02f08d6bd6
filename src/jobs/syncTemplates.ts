import type { JobParts } from './job.ts'

/** Reads every channel's templates again: their updates may go to another address, or get lost. */
export async function syncAllTemplates({ store, templateRefresher }: JobParts): Promise<void> {
  for (const { id } of await store.read.channels(null)) templateRefresher.request(id)
}
