/** Files and folders that stand at one height. A folder stands for everything in it. */
interface Layer {
  /** What the layer is for. */
  readonly subject: string
  readonly paths: readonly string[]
}

/**
 * The layers of the program, low to high. A file imports its own folder and lower layers, types included; the paths of
 * one layer do not import each other. Every file belongs to exactly one layer.
 */
export const layers: readonly Layer[] = [
  {
    subject: 'leaves: they import nothing of ours',
    paths: [
      'src/chars.ts',
      'src/clock.ts',
      'src/crypto.ts',
      'src/csv.ts',
      'src/durable.ts',
      'src/email.ts',
      'src/embedded.d.ts',
      'src/errors.ts',
      'src/failureSpell.ts',
      'src/ids.ts',
      'src/json.ts',
      'src/log.ts',
      'src/metrics.ts',
      'src/network.ts',
      'src/phone.ts',
      'src/pieces.ts',
      'src/settings.ts',
      'src/shortLivedMap.ts',
    ],
  },
  { subject: 'when something is due', paths: ['src/recurrence.ts'] },
  { subject: 'some settings', paths: ['src/backupConfig.ts', 'src/databaseUrl.ts'] },
  {
    subject: 'leaves that use leaves',
    paths: [
      'src/config.ts',
      'src/credentials.ts',
      'src/databaseClock.ts',
      'src/lag.ts',
      'src/rateLimits.ts',
      'src/schema.ts',
      'src/tracing.ts',
    ],
  },
  { subject: 'settings that endanger secrets', paths: ['src/weaknesses.ts'] },
  { subject: 'the stand-in upstream, which knows nothing of the gateway', paths: ['src/sandbox'] },
  { subject: 'the rules of a message', paths: ['src/message'] },
  { subject: 'calls between threads', paths: ['src/queue'] },
  { subject: 'what is stored', paths: ['db'] },
  { subject: 'the database of the settings', paths: ['src/database.ts'] },
  { subject: 'moving to another database', paths: ['src/databaseMove.ts'] },
  { subject: 'erasing a contact', paths: ['src/contactErasure.ts'] },
  { subject: 'the key that seals what is stored', paths: ['src/secretKey.ts'] },
  { subject: 'changing that key', paths: ['src/keyRotation.ts'] },
  { subject: 'backups that are made by themselves', paths: ['src/backup'] },
  { subject: 'HTTP to others', paths: ['src/transport'] },
  { subject: 'the wire format of the upstream', paths: ['src/graph'] },
  { subject: 'files that are sent', paths: ['src/media'] },
  { subject: 'templates', paths: ['src/templates'] },
  { subject: 'interactive messages', paths: ['src/interactive'] },
  { subject: 'sending', paths: ['src/messages'] },
  { subject: 'metrics and traces for other programs', paths: ['src/monitoring'] },
  { subject: 'what operators and the console change', paths: ['src/channels', 'src/apiKeys.ts'] },
  { subject: 'what all routes share', paths: ['src/http'] },
  {
    subject: 'routes, jobs and threads',
    paths: ['src/partner', 'src/callbacks', 'src/guides', 'src/jobs', 'workers'],
  },
  { subject: 'the console, whose test sends are read as those of partners', paths: ['src/console'] },
  { subject: 'the routes together', paths: ['src/app.ts', 'src/readiness.ts'] },
  { subject: 'the gateway together', paths: ['src/serve.ts'] },
  { subject: 'commands', paths: ['src/cli'] },
  { subject: 'the entry', paths: ['src/main.ts'] },
]
