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
  { subject: 'leaves, which import no other folder of ours', paths: ['src/base', 'src/embedded.d.ts'] },
  { subject: 'what the upstream takes, as data', paths: ['src/forms'] },
  { subject: 'log, counters and traces', paths: ['src/telemetry'] },
  { subject: 'the settings', paths: ['src/config'] },
  { subject: 'HTTP to others', paths: ['src/transport'] },
  { subject: 'a bucket', paths: ['src/bucket'] },
  { subject: 'the stand-in upstream, which knows nothing of the gateway', paths: ['src/sandbox'] },
  { subject: 'the rules of a message', paths: ['src/message'] },
  { subject: 'calls between threads', paths: ['src/threads'] },
  { subject: 'what is stored', paths: ['db'] },
  { subject: 'backups that are made by themselves', paths: ['src/backup'] },
  { subject: 'reading what is stored: searches, in turns, and what changes', paths: ['src/reading'] },
  { subject: 'the wire format of the upstream', paths: ['src/graph'] },
  { subject: 'where files are kept', paths: ['src/media/storage.ts'] },
  { subject: 'files that are sent', paths: ['src/media/outgoing'] },
  { subject: 'templates', paths: ['src/templates'] },
  { subject: 'interactive messages', paths: ['src/interactive'] },
  { subject: 'what users write', paths: ['src/inbound'] },
  { subject: 'free-form messages', paths: ['src/freeform'] },
  { subject: 'files that users send', paths: ['src/media/incoming'] },
  { subject: 'sending', paths: ['src/sending'] },
  { subject: 'events that are delivered', paths: ['src/webhooks'] },
  { subject: 'metrics and traces for other programs', paths: ['src/monitoring'] },
  { subject: 'what all routes share', paths: ['src/http'] },
  { subject: 'acts: what commands and routes do alike', paths: ['src/operations'] },
  { subject: 'batches, as they are sent', paths: ['src/batches'] },
  { subject: 'what the doctor finds', paths: ['src/doctor'] },
  { subject: 'calls of API keys, as they are kept', paths: ['src/requests'] },
  { subject: 'jobs and threads', paths: ['src/jobs', 'workers'] },
  { subject: 'routes', paths: ['src/partner', 'src/callbacks', 'src/console'] },
  { subject: 'the routes together', paths: ['src/app.ts'] },
  { subject: 'what a gateway has opened', paths: ['src/gatewayParts.ts'] },
  { subject: 'the gateway together', paths: ['src/serve.ts'] },
  { subject: 'commands', paths: ['src/cli'] },
  { subject: 'the entry', paths: ['src/main.ts'] },
]
