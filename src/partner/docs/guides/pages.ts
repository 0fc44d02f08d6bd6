import { basename } from 'node:path/posix'

/** A guide: a document of the repository that the executable serves at `/docs/<name>`. */
export interface Guide {
  readonly name: string
  /** Where it is in the repository: its links are relative to that. */
  readonly path: string
}

/** Documents whose file name says too little for an address. */
const names: Readonly<Record<string, string>> = {
  'docs/README.md': 'guides',
  'clients/python/README.md': 'client-python',
  'packages/client/README.md': 'client-typescript',
}

const documents = [
  'README',
  'architecture',
  'commands',
  'console',
  'cookbook',
  'deploy',
  'drop-in',
  'errors',
  'faq',
  'guarantees',
  'meta-setup',
  'migrate',
  'operate',
  'partner-api',
  'platform',
  'reference',
  'sandbox',
  'scale',
  'settings',
  'speed',
  'testing',
  'threats',
  'upstream',
  'webhooks',
]
const paths = [
  ...documents.map(name => `docs/${name}.md`),
  'SECURITY.md',
  'clients/python/README.md',
  'packages/client/README.md',
]

const nameOf = (path: string) => names[path] ?? basename(path, '.md').toLowerCase()

/** All guides. */
export const guideList: readonly Guide[] = paths.map(path => ({ name: nameOf(path), path }))
