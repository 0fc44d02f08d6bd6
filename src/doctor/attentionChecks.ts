import type { StoreReads } from '../../db/contract/store.ts'
import type { DisabledReason } from '../../db/contract/webhooks.ts'
import { type EpochMs, moment } from '../base/clock.ts'
import { explain } from '../graph/codes.ts'
import { offReasons } from '../webhooks/view.ts'
import { type AttentionFinding as Attention, findingsOf } from './attention.ts'
import type { Finding } from './finding.ts'
import { readWorkspaceState } from './workspaceState.ts'

/*
 * The findings of the console's overview, as the doctor says them: one list for both, so that neither is silent where
 * the other is not.
 */

/** The check that reports a finding. `own`: another check looks at the same, with more words. */
const checkOf = {
  databaseLocked: 'own',
  noChannel: 'own',
  refusedToken: 'own',
  callbacks: 'own',
  sharedAccount: 'own',
  unknownMessages: 'own',
  lateBackup: 'own',
  lateUpload: 'own',
  noBackups: 'own',
  clockJumped: 'own',
  upgraded: 'own',
  noActiveLine: 'lines',
  restricted: 'lines',
  stoppedLine: 'lines',
  noDefaultLine: 'lines',
  failingLine: 'lines',
  lowQuality: 'lines',
  backlog: 'lines',
  pausedBatch: 'batches',
  manyFailures: 'lines',
  limitReached: 'limits',
  planLimit: 'limits',
  template: 'templates',
  pausedTemplate: 'templates',
  webhookOff: 'webhooks',
  webhookFailing: 'webhooks',
  update: 'lines',
  keyWithoutLine: 'keys',
  endingKey: 'keys',
  noKey: 'keys',
  oldKeys: 'keys',
} as const satisfies Readonly<Record<Attention['kind'], string>>
type CheckOf = typeof checkOf
type CheckName = Exclude<CheckOf[Attention['kind']], 'own'>
/** A finding that no other check reports. */
type Told = Attention & {
  readonly kind: { [Kind in keyof CheckOf]: CheckOf[Kind] extends 'own' ? never : Kind }[keyof CheckOf]
}
const isTold = (finding: Attention): finding is Told => checkOf[finding.kind] !== 'own'

/** What each check says when it finds nothing, in the order in which they are shown. */
const wellOf: Readonly<Record<CheckName, string>> = {
  lines: 'none is stopped, fails or has a low quality, and few of the last week’s messages failed',
  batches: 'none has paused itself',
  limits: 'no monthly limit is nearly reached',
  templates: 'none was rejected or paused',
  webhooks: 'no endpoint fails or was switched off because it failed',
  keys: 'none is older than 90 days or ends within 14, and each has a line',
}

/** @param workspaceId null: all workspaces */
export async function examineAttention(
  read: StoreReads,
  { workspaceId, now }: { readonly workspaceId: string | null; readonly now: EpochMs },
): Promise<Finding[]> {
  const all = (await read.workspaces()).filter(({ id }) => workspaceId === null || id === workspaceId)
  const found: Told[] = []
  for (const { id } of all) {
    const { state } = await readWorkspaceState(read, { workspaceId: id, now })
    // What waits is known to the gateway's own process; backups have a check of their own.
    found.push(...findingsOf({ ...state, backlogs: [], backups: null }).filter(isTold))
  }
  return Object.entries(wellOf).map(([name, well]) => {
    const own = found.filter(({ kind }) => checkOf[kind] === name)
    const message = own.length === 0 ? well : own.map(sentenceOf).join('\n')
    // What is to be done some time is said, and is nothing wrong.
    return { name, ok: own.every(({ severity }) => severity === 'note'), message }
  })
}

const limitCure = (what: string | null) =>
  what === 'ceiling'
    ? 'waypost workspace set-limit'
    : 'an owner set this limit, and raises it in the console’s settings'

/** @returns what is wrong, and what to do: a command, where there is one */
function sentenceOf({ kind, subjects, count, of, isMore, since, until, what }: Told): string {
  const [id = '', second = '', name = '', language = ''] = subjects
  const time = since === null ? '' : ` since ${moment(Date.parse(since))} (UTC)`
  switch (kind) {
    case 'noActiveLine':
      return `no line of ${subjects.join(', ')} is active, so nothing can be sent: waypost line activate`
    case 'restricted': {
      const end = until === null ? '' : ` until ${moment(Date.parse(until))} (UTC)`
      return `${id}: the upstream platform restricts ${second}${end}: ${what}. Read why in Business Manager`
    }
    case 'stoppedLine': {
      const known = what === null ? null : explain(Number(what))
      const why = known ? `, with code ${what}. ${known.meaning}` : '.'
      const remedy = known?.remedy ?? 'Read the notice in Business Manager and act there.'
      return `${id}: the upstream platform has stopped its account ${second} or a line of it${time}${why} ${remedy}`
    }
    case 'noDefaultLine':
      return `${count} lines of ${subjects.join(', ')} are active and none is the default: waypost line default`
    case 'failingLine': {
      const why = what === null ? '' : `, most with: ${what}`
      return `${id} (${second}): ${count} of its last ${of} messages failed${why}: waypost message list --line ${id}`
    }
    case 'lowQuality': {
      const rule = 'send only what people expect, or the platform lowers its limit'
      return `${id}: the quality of its line ${second} is low (${what})${time}: ${rule}`
    }
    case 'pausedBatch':
      return `${id} has paused itself (${name}): ${what} Cure it, then: waypost batch resume ${id}`
    case 'backlog':
      return `${count} messages wait${time}`
    case 'manyFailures':
      return `${count} of ${of} messages of the last week failed: waypost message list --status FAILED`
    case 'update':
      return `${id}: the upstream platform reports ${what}${time}: waypost channel list`
    case 'limitReached':
      return `all ${of} messages of the month are used, and sends are refused: ${limitCure(what)}`
    case 'planLimit': {
      const pace = until === null ? '' : `; at this pace all on ${until.slice(0, 10)}`
      return `${count} of ${of} messages of the month are used${pace}: ${limitCure(what)}`
    }
    case 'pausedTemplate': {
      const end = until === null ? '' : `, until ${moment(Date.parse(until))} (UTC)`
      const why = what === 'RATE_LIMITING_PAUSE' ? 'it was sent too often' : 'people rated it as bad'
      const word = what === null ? '' : ` (${what})`
      return `${name} (${language}) is paused${time}${end}: ${why}${word}. Send another one meanwhile`
    }
    case 'template':
      return isMore ? `${count} more: waypost template list` : `${name} (${language}) is ${what}${time}`
    case 'webhookOff': {
      const why = Object.entries(offReasons).find(([reason]) => reason === what)?.[1] ?? what
      const on = `waypost webhook edit ${id} --on`
      const cure =
        what === ('secretLost' satisfies DisabledReason)
          ? `Make a new one, and give it to the receiver: waypost webhook rotate ${id}, then ${on}`
          : `When it is corrected: ${on}`
      return `${id} (${second}) is off${time}: ${why}. ${cure}`
    }
    case 'webhookFailing':
      return `${id} (${second}) takes no events${time}: waypost webhook deliveries ${id}`
    case 'keyWithoutLine':
      return `all lines of ${id} were removed, so it can do nothing: waypost key create, then waypost key revoke ${id}`
    case 'endingKey': {
      const end = until === null ? 'soon' : `at ${moment(Date.parse(until))} (UTC)`
      const cures = `waypost key rotate ${id}, or waypost key limit ${id} --expires …`
      return `${id}${second === id ? '' : ` (${second})`} ends ${end}: ${cures}`
    }
    case 'noKey':
      return 'there is none: waypost key create'
    case 'oldKeys':
      return `${count} are older than 90 days: waypost key rotate`
  }
}
