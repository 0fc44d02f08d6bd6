import { constants, setPriority } from 'node:os'

/**
 * For a thread whose work may take its time. On Linux the priority is per thread; elsewhere it would slow the process.
 */
export function yieldToSends(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, constants.priority.PRIORITY_LOW)
  } catch {
    // Not allowed here: the work is done anyway.
  }
}
