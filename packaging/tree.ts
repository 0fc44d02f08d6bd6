import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { run } from './command.ts'

const files = join(import.meta.dir, 'files')

/** What Prometheus and Grafana load to watch a gateway. */
export const watchFiles = ['prometheus/waypost.rules.yml', 'grafana/waypost.json'].map(name =>
  join(import.meta.dir, '../src/monitoring', name),
)

/** Settings that the operator changes: a package never overwrites them. They may hold secrets. */
export const settingsFile = '/etc/waypost/waypost.env'

/** Where a Linux distribution keeps what is not at the same place on all of them. */
export interface Places {
  /** The folder of completions for zsh. */
  readonly zsh: string
}

export interface Parts {
  readonly executable: string
  /** The same program for this machine: it prints the completions. */
  readonly native: string
  /** The man page. */
  readonly manual: string
  /** The licences of what is inside the executable. */
  readonly licences: string
  /** Seconds since 1970: the time of every file. */
  readonly epoch: number
}

/** Lays out the files of a Linux package below a folder. */
export function layOut(folder: string, { executable, native, manual, licences, epoch }: Parts, { zsh }: Places): void {
  // Made by the program itself: it offers exactly what this version takes.
  const completion = (shell: string) => run([native, 'completion', shell])
  write(folder, `etc/waypost/waypost.env`, join(files, 'waypost.env'), 0o640)
  write(folder, 'usr/bin/waypost', executable, 0o755)
  write(folder, 'usr/lib/systemd/system/waypost.service', join(files, 'waypost.service'), 0o644)
  write(folder, 'usr/share/doc/waypost/copyright', join(import.meta.dir, '../LICENSE'), 0o644)
  write(folder, 'usr/share/doc/waypost/THIRD_PARTY_LICENSES', Buffer.from(licences))
  for (const path of watchFiles) {
    write(folder, join('usr/share/waypost', basename(dirname(path)), basename(path)), path, 0o644)
  }
  // gzipSync puts no name and no time into its header: the same page gives the same bytes.
  write(folder, 'usr/share/man/man1/waypost.1.gz', Bun.gzipSync(Buffer.from(manual), { level: 9 }))
  write(folder, 'usr/share/bash-completion/completions/waypost', Buffer.from(completion('bash')))
  write(folder, join(zsh, '_waypost'), Buffer.from(completion('zsh')))
  write(folder, 'usr/share/fish/vendor_completions.d/waypost.fish', Buffer.from(completion('fish')))
  setTimes(folder, epoch)
}

/** @returns the paths of all laid-out files, as on the machine that they are installed on */
export const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => `/${relative(folder, join(entry.parentPath, entry.name))}`)
    .sort()

/** Gives a folder and all in it the same time. */
export const setTimes = (folder: string, epoch: number) =>
  run(['find', folder, '-exec', 'touch', '-h', '-d', `@${epoch}`, '{}', '+'])

/** @param content a path to copy from, or the bytes */
function write(folder: string, to: string, content: string | Uint8Array, mode = 0o644): void {
  const path = join(folder, to)
  makeFolder(dirname(path))
  if (typeof content === 'string') copyFileSync(content, path)
  else writeFileSync(path, content)
  run(['chmod', mode.toString(8), path])
}

/** Readable for all, whatever the mask of the process is. */
function makeFolder(path: string): void {
  if (mkdirSync(path, { recursive: true }) === undefined) return
  run(['chmod', '755', path])
}
