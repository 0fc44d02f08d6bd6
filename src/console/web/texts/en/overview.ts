import { isolating } from '../isolated.ts'

const lowered = (verb: string) => verb.charAt(0).toLowerCase() + verb.slice(1)

const templateStates: Readonly<Record<string, string>> = {
  REJECTED: 'rejected',
  DISABLED: 'disabled',
}

const offReasons: Readonly<Record<string, string>> = {
  gone: 'it answered 410',
  failing: 'it failed for five days',
  secretLost: 'its secret is lost',
}

const whoLimits = (what: string) => (what === 'ceiling' ? ' The operator of the gateway set this limit.' : '')
const moreThan = (count: string) => `more than ${count}`

/** Why a campaign pauses itself, by the code of its reason. */
export const pauseReasons: Readonly<Record<string, string>> = {
  template: 'the platform has paused or disabled its template, or has it no more',
  line: 'the platform restricts or blocks its line',
  payment: 'the platform asks for a payment',
  failures: 'more than 20 of its last 100 items failed',
  plan: 'the messages of this month are used up',
  key: 'the API key in whose name it sends was revoked or has expired',
  late: 'its time had passed for long before the gateway was there to start it',
  restored: 'the database is from a backup, and a part of it may have been sent since',
}

/** What is known about a finding: the name of what it is about, and numbers and days as they are written. */
type Told = Readonly<Record<'name' | 'template' | 'language' | 'what' | 'count' | 'of', string>> & {
  readonly until: string | null
  readonly isOne: boolean
  readonly isMore: boolean
}

/** The first page of a workspace. */
export const overview = isolating({
  title: 'Overview',
  days: (days: number) => `Last ${days} days`,
  period: 'Period',
  messagesByDay: 'Messages per day',
  messagesByDayHint: 'By the day they were accepted (UTC), with their current status.',
  noMessages: 'Nothing was sent in this period.',
  noMessagesHint: 'Send your first message with an API key; it appears in the chart.',
  series: { read: 'Read', delivered: 'Delivered', sent: 'Sent', failed: 'Failed', unknown: 'Unknown' },
  day: 'Day',
  messages: 'Messages',
  deliveryRate: 'Delivered',
  readRate: 'Read',
  readRateHint: 'Of those delivered',
  timeToDeliver: 'Time to deliver',
  timeToDeliverHint: (p95: string) => `95% within ${p95}`,
  noDelivery: 'No delivery yet',
  waiting: 'Waiting',
  waitingHint: 'In the queue now',
  plan: 'Accepted this month',
  planUsed: (used: string, limit: string) => `${used} of ${limit}`,
  unlimited: 'No monthly limit',
  planResets: 'Counting starts again',
  failures: 'Why messages failed',
  noFailures: 'None failed in this period.',
  failureCount: (count: string) => `${count} ×`,
  failureShow: 'Show them',
  unnamedCause: 'Without a reason',
  health: 'Lines and callbacks',
  healthHint: 'The last sends of each line: up to 40, of the last seven days.',
  noLines: 'No line is connected.',
  standard: 'Default line',
  callbacks: 'Callbacks',
  lastCallback: 'Last callback',
  attention: 'Needs your attention',
  allWell: 'Nothing needs your attention.',
  allElseWell: 'Nothing else needs your attention.',
  more: (count: number) => `Show ${count} more`,
  putAway: {
    verb: 'Put away',
    undo: 'Bring back',
    by: (name: string) => `Put away by ${name},`,
    count: (count: number) => `${count} put away`,
  },
  severities: { bad: 'Urgent', warning: 'Warning', note: 'Note' },
  findings: {
    noChannel: () => 'No channel is connected, so nothing can be sent.',
    noActiveLine: () => 'No line is active, so nothing can be sent.',
    pausedBatch: ({ name, template, what }: Told) =>
      `The campaign ${name} has paused itself: ${pauseReasons[template] ?? what}.`,
    noDefaultLine: ({ count }: Told) =>
      `${count} lines are active and none is the default: sends that name no line are refused.`,
    refusedToken: ({ name, count, isOne }: Told) =>
      `The platform refuses the access token of account ${name}: ` +
      `${isOne ? 'its line sends' : `its ${count} lines send`} nothing.`,
    failingLine: ({ name, count, of, what }: Told) =>
      `${count} of the last ${of} messages of the line ${name} failed${what === '' ? '' : `, most with: ${what}`}.`,
    lowQuality: ({ name, what }: Told) =>
      `The quality of the line ${name} is low (${what}). Send only what people expect: else its limit is lowered.`,
    backlog: ({ count, isOne }: Told) => `${isOne ? '1 message waits' : `${count} messages wait`} in the queue.`,
    keyWithoutLine: ({ name }: Told) => `The API key ${name} may use no line: all of its lines were removed.`,
    endingKey: ({ name, until }: Told) => `The API key ${name} ends on ${until}.`,
    noKey: () => 'There is no API key, so no program can send.',
    callbacks({ name, what }: Told) {
      if (what === 'none')
        return `No callback of account ${name} has come yet: messages stay “Sent”, and what users write does not come.`
      return what === 'unsigned'
        ? `The last callback for account ${name} had no signature: it did not come from the platform.`
        : `The last callback of account ${name} was refused: the app secret did not make its signature.`
    },
    restricted: ({ name, what, until }: Told) =>
      `The platform restricts ${name}${until ? ` until ${until}` : ''}: ${what}.`,
    stoppedLine: ({ name, what }: Told) =>
      `The platform has stopped account ${name} or a line of it${what === '' ? '' : ` (code ${what})`}: ` +
      'nothing can be sent there until its notice in Business Manager is dealt with.',
    sharedAccount: ({ count }: Told) =>
      `${count} channels have the same account; its callbacks reach only one of them.`,
    unknownMessages: ({ count, isOne, isMore }: Told) =>
      `${isOne ? '1 message' : `${isMore ? moreThan(count) : count} messages`} with an unknown outcome.`,
    limitReached: ({ of, what }: Told) =>
      `All ${of} messages of this month are used: sends are refused.${whoLimits(what)}`,
    planLimit: ({ count, of, until, what }: Told) =>
      `${count} of ${of} messages of this month are used.` +
      (until ? ` At this pace the limit is reached on ${until}.` : '') +
      whoLimits(what),
    lateBackup: ({ what }: Told) =>
      what ? `No backup of the gateway can be made: ${what}.` : 'The backup of the gateway is overdue.',
    lateUpload: ({ what }: Told) =>
      what
        ? `Backups of the gateway are made, but not uploaded: ${what}.`
        : 'The last backups of the gateway are not in the bucket yet.',
    noBackups: () => 'Nothing makes backups of the gateway’s database.',
    databaseLocked: () => 'Another program holds a lock in the database: sends are refused until it ends.',
    clockJumped: () => 'The time of the gateway has jumped: its clock has to be synchronised.',
    upgraded: ({ what }: Told) => `The gateway was ${what}.`,
    manyFailures: ({ count, of }: Told) => `${count} of ${of} messages of the last week failed.`,
    template: ({ template, language, what, count, isOne, isMore }: Told) =>
      isMore
        ? `${isOne ? '1 more template was' : `${count} more templates were`} rejected or paused.`
        : `The platform has ${templateStates[what] ?? 'stopped'} the template ${template} (${language}).`,
    pausedTemplate: ({ template, language, what, until }: Told) =>
      `The platform has paused the template ${template} (${language})${until ? ` until ${until}` : ''}, ` +
      `because ${what === 'RATE_LIMITING_PAUSE' ? 'it was sent too often' : 'people rated it as bad'}` +
      `${what === '' ? '' : ` (${what})`}.`,
    oldKeys: ({ count, isOne }: Told) => `${isOne ? '1 API key is' : `${count} API keys are`} older than 90 days.`,
    webhookOff: ({ name, what }: Told) => `The webhook ${name} gets no events any more: ${offReasons[what] ?? ''}.`,
    webhookFailing: ({ name }: Told) => `The webhook ${name} takes no events.`,
    update: ({ what }: Told) => `The platform reports about the account: ${what}.`,
  },
  moreThan,
  /** What is done about a finding. It also ends a sentence: “An admin can replace the token.” */
  cures: {
    noChannel: 'Connect an account',
    noActiveLine: 'Activate a line',
    pausedBatch: 'Open the campaign',
    noDefaultLine: 'Set a default line',
    noKey: 'Create a key',
    keyWithoutLine: 'Create another key',
    endingKey: 'Rotate the key',
    refusedToken: 'Replace the token',
    failingLine: 'Show its failed messages',
    lowQuality: 'Open the channel',
    backlog: 'Show the waiting messages',
    callbacks: 'Check callbacks',
    restricted: 'Read the report',
    stoppedLine: 'Read the report',
    sharedAccount: 'Compare the channels',
    unknownMessages: 'Settle them',
    planLimit: 'See the limit',
    lateBackup: 'See the backups',
    lateUpload: 'See the backups',
    databaseLocked: 'See who holds it',
    clockJumped: 'See the gateway',
    upgraded: 'See the gateway',
    manyFailures: 'Show the failed messages',
    template: 'Open the template',
    templates: 'Show the templates',
    oldKeys: 'Rotate them',
    webhook: 'Open the webhook',
    update: 'Read the report',
  },
  whoCan: {
    viewer: (verb: string) => `You can ${lowered(verb)}.`,
    member: (verb: string) => `A member can ${lowered(verb)}.`,
    admin: (verb: string) => `An admin can ${lowered(verb)}.`,
    owner: (verb: string) => `An owner can ${lowered(verb)}.`,
  },
} as const)
