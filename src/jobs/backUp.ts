import type { JobParts } from './job.ts'

/** Makes a backup when one is due, and retries one that could not be made or uploaded. */
export const backUp = ({ backups }: JobParts): Promise<void> => backups.run()
