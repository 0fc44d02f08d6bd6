import type { JobParts } from './job.ts'

/** Makes a backup when one is due, or one could not be made or uploaded before. */
export const backUp = ({ backups }: JobParts): Promise<void> => backups.run()
