import { takeUpErasures } from '../operations/erasure.ts'
import type { JobParts } from './job.ts'

/** Goes on with erasures that were broken off, or whose history was too long for one answer of the console. */
export async function erase({ store, log }: JobParts): Promise<void> {
  for (const { subject } of await takeUpErasures(store)) log.info({ subject }, 'erased')
}
