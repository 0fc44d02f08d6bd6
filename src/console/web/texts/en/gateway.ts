import { isolating } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('en')

/** Whether the gateway is in order, for owners. */
export const gateway = isolating({
  description: 'Whether everything is in order. It serves all workspaces.',
  problems: (count: number) => plural(count, 'One thing needs attention.', `${count} things need attention.`),
  noProblems: 'Everything is in order.',
  findings: 'Findings',
  findingsHint: 'Of the gateway as it runs. On its machine, waypost doctor also reads the whole database.',
  channels: 'Channels of this workspace',
  channelsHint: 'The check asks the messaging platform about access tokens and callbacks.',
  check: 'Check now',
  checked: 'The platform was asked just now.',
  account: (id: string) => `Account ${id}`,
  cures: {
    connect: 'Connect an account',
    subscribe: 'Subscribe callbacks',
    token: 'Replace the access token',
    appSecret: 'Replace the app secret',
  },
  facts: 'Gateway',
  version: 'Version',
  database: 'Database',
  engines: { sqlite: 'SQLite', postgresql: 'PostgreSQL' },
  fileSize: (size: string) => `SQLite, ${size}`,
  files: 'Files that users sent',
  filesOf: (used: string | null, max: string) =>
    used === null ? `Not measured yet; at most ${max}` : `${used} of at most ${max}`,
  backups: 'Backups',
  backupsHint: (keep: number) => `Each is checked whole before it is kept. The ${keep} newest are kept.`,
  bucket: 'Bucket',
  uploaded: 'Each is uploaded as well',
  notUploaded: 'None: a disk that fails takes the backups on it with it',
  next: 'Next one',
  late: 'Overdue',
  backupsFail: 'Backups fail since',
  uploadsFail: 'Backups are made, but not uploaded since',
  backup: 'Backup',
  made: 'Made',
  size: 'Size',
  where: 'Where',
  inFolder: 'Folder',
  inBoth: 'Folder and bucket',
  noBackups: 'There is no backup yet',
  noBackupsHint: 'The gateway makes the first one when it is due.',
  setUp: 'There are no automatic backups',
  setUpHint: 'Set a folder in the environment of the gateway, and restart it:',
  setUpLines: 'settings for automatic backups',
  server: 'Back up the database with the tools of PostgreSQL, such as pg_dump.',
  guide: 'How to back up and restore',
} as const)
