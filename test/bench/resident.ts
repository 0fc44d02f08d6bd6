import { readFileSync } from 'node:fs'

/** @returns the resident memory of a process; null where the system does not tell it */
export const residentMb = (pid: number) => told(`/proc/${pid}/status`, 'VmRSS')

/** @returns the same, with what processes share divided among them: the sum is right for those that share much */
export const residentShareMb = (pid: number) => told(`/proc/${pid}/smaps_rollup`, 'Pss')

function told(path: string, name: string): number | null {
  try {
    const kb = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(path, 'utf8'))?.[1]
    return kb === undefined ? null : Number(kb) / 1024
  } catch {
    return null
  }
}
