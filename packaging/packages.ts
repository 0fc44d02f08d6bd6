import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './command.ts'
import { filesOf, layOut, type Parts, setTimes, settingsFile } from './tree.ts'

export interface Package extends Parts {
  /** An empty folder to work in. */
  readonly work: string
  readonly version: string
  /** The processor, in the words of the package's kind. */
  readonly architecture: string
  /** The folder that the package goes to. */
  readonly out: string
  /** Compress quickly instead of well. */
  readonly isFast: boolean
}

/** The programs that build packages. */
export const packageBuilders = { debian: 'dpkg-deb', rpm: 'rpmbuild' } as const

const summary = 'Self-hosted messaging gateway in one executable'
const description = `Backends send messages with three HTTP calls; Waypost holds the channel's credentials,
never sends twice, and never loses what it acknowledged.`

/** The oldest C library that the executable starts with. */
const libcMin = '2.17'

/** What Debian calls as a script of its own, RPM takes into its description. */
const script = (name: string) => readFileSync(join(import.meta.dir, 'files', name), 'utf8')

/** Builds a `.deb` with Debian's own dpkg-deb. @returns its path */
export function debianPackage({ work, version, architecture, out, isFast, ...parts }: Package): string {
  const tree = join(work, 'tree')
  layOut(tree, parts, { zsh: 'usr/share/zsh/vendor-completions' })
  const sizeKib = Math.ceil(statSync(join(tree, 'usr/bin/waypost')).size / 1024)
  const control = `Package: waypost
Version: ${version}
Architecture: ${architecture}
Maintainer: Waypost maintainers <waypost@example.com>
Installed-Size: ${sizeKib}
Depends: libc6 (>= ${libcMin}), passwd
Section: net
Priority: optional
Description: ${summary}
${description.replace(/^/gm, ' ')}
`
  const folder = join(tree, 'DEBIAN')
  mkdirSync(folder)
  const put = (name: string, text: string, mode: string) => {
    writeFileSync(join(folder, name), text)
    run(['chmod', mode, join(folder, name)])
  }
  put('control', control, '644')
  put('conffiles', `${settingsFile}\n`, '644')
  for (const name of ['postinst', 'prerm', 'postrm']) put(name, script(name), '755')
  run(['chmod', '755', tree, folder])
  setTimes(folder, parts.epoch)

  const path = join(out, `waypost_${version}_${architecture}.deb`)
  // One thread: with several, xz's blocks depend on how many the machine has.
  const compression = isFast ? ['-Znone'] : ['-Zxz', '--threads-max=1']
  const command = [packageBuilders.debian, '--root-owner-group', ...compression, '--build', tree, path]
  run(command, { env: { SOURCE_DATE_EPOCH: String(parts.epoch) } })
  return path
}

/** Builds an `.rpm` with rpmbuild. @returns its path */
export function rpmPackage({ work, version, architecture, out, isFast, ...parts }: Package): string {
  const tree = join(work, 'tree')
  layOut(tree, parts, { zsh: 'usr/share/zsh/site-functions' })
  const files = filesOf(tree).map(path => {
    if (path === settingsFile) return `%config(noreplace) ${path}`
    return path.startsWith('/usr/share/doc/') ? `%license ${path}` : path
  })
  // RPM hands its scripts the count of versions that stay; Debian's take words. On removal, the later ones also differ:
  // there is no purge, so what was enabled is disabled at once.
  const spec = `Name: waypost
Version: ${version}
Release: 1
Summary: ${summary}
License: MIT
AutoReqProv: no
Requires: glibc >= ${libcMin}, shadow-utils
%global __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%global _buildhost localhost
%description
${description}
%install
cp -a "${tree}/." "%{buildroot}/"
%files
%dir /etc/waypost
${files.join('\n')}
%post
if [ "$1" -gt 1 ]; then set -- configure upgrade; else set -- configure; fi
${script('postinst')}
%preun
if [ "$1" -eq 0 ]; then
  if [ -d /run/systemd/system ]; then systemctl disable waypost.service; fi
  set -- remove
fi
${script('prerm')}
%postun
set -- remove
${script('postrm')}
`
  const specPath = join(work, 'waypost.spec')
  writeFileSync(specPath, spec)
  // Where rpmbuild has its own scripts, too. They quote nothing: from a folder with a space they would remove another one.
  const builtIn = mkdtempSync('/var/tmp/waypost-rpm-')
  const defined = [
    `_binary_payload ${isFast ? 'w1.gzdio' : 'w6.xzdio'}`,
    `_topdir ${builtIn}`,
    `_rpmdir ${out}`,
    '_rpmfilename %{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm',
  ].map(definition => `--define=${definition}`)
  const command = [packageBuilders.rpm, '-bb', `--target=${architecture}-linux`, ...defined, specPath]
  try {
    run(command, { env: { SOURCE_DATE_EPOCH: String(parts.epoch) } })
  } finally {
    rmSync(builtIn, { recursive: true })
  }
  return join(out, `waypost-${version}-1.${architecture}.rpm`)
}
