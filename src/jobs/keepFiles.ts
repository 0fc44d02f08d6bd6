import type { JobParts } from './job.ts'

/** Fetches files that users sent, and removes those that are not kept any more. */
export const keepFiles = ({ files }: JobParts): Promise<void> => files.run()
