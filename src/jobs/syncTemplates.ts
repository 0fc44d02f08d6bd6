import type { JobParts } from './job.ts'

/** Has every channel's templates read anew: news of them may go to another address than ours, or get lost. */
export async function syncTemplates({ store, templateRefresher }: JobParts): Promise<void> {
  for (const { id } of await store.read.channels(null)) templateRefresher.request(id)
}
