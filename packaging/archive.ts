import { utimesSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { run } from './command.ts'
import { isWindows } from './targets.ts'

/** @returns the programs that pack the executable of a target */
export const archivePrograms = (target: string): readonly string[] => (isWindows(target) ? ['zip'] : ['tar', 'gzip'])

/**
 * Packs the executable, with nothing beside it. The same file and time give the same bytes.
 * @param out the folder that the archive goes to
 * @param name of the archive, without its ending
 * @param epoch seconds since 1970
 * @param level of compression, 1 to 9
 * @returns the path of the archive
 */
export function archive(
  target: string,
  executable: string,
  { out, name, epoch, level }: { out: string; name: string; epoch: number; level: number },
): string {
  const [cwd, file] = [dirname(executable), basename(executable)]
  utimesSync(executable, epoch, epoch)
  if (isWindows(target)) {
    const path = join(out, `${name}.zip`)
    // Without the extra fields, which hold times of access; in UTC, because ZIP has local times.
    run(['zip', '-q', '-X', `-${level}`, path, file], { cwd, env: { TZ: 'UTC' } })
    return path
  }
  const path = join(out, `${name}.tar.gz`)
  // gzip's -n leaves out the time of the packing.
  const sameForAll = ['--owner=0', '--group=0', '--numeric-owner', '--mode=755', '-I', `gzip -n${level}`]
  run(['tar', ...sameForAll, '-cf', path, file], { cwd })
  return path
}
