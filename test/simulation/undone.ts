import type { Kind } from './history.ts'

/**
 * Mends that are undone, one at a time, in a copy: a history has to show each of them again within a minute
 * (`bun test/simulation/undo.ts`). So whoever asks what the simulation can see finds it here, and what it can see no
 * more is noticed.
 */
export interface Undone {
  readonly name: string
  /** What was wrong without it. */
  readonly without: string
  /** The kinds of acts that it takes: with all of them it is found as well, and later. */
  readonly among: readonly Kind[]
  readonly edits: readonly {
    readonly file: string
    /** As the file has it once: a test says when it does not any more. */
    readonly has: string
    readonly was: string
  }[]
}

export const undone: readonly Undone[] = [
  {
    name: 'key before plan',
    without: 'A send that is repeated when the plan is used up was refused, although its message had gone out.',
    among: ['send', 'limit'],
    edits: [
      {
        file: 'src/sending/submission.ts',
        has: 'if (!routed.done) return refuse(parts, await key.repeat(), routed.value)',
        was: 'if (!routed.done) return refuse(parts, null, routed.value)',
      },
    ],
  },
  {
    name: 'early callback',
    without: 'A message whose report came before its next attempt was handed over again.',
    among: ['send', 'slowDisk'],
    edits: [
      {
        file: 'db/sqlite/handOver.ts',
        has: ';(moved && mayLeave(moved.status) ? handedOver : overtaken).push(messageId)',
        was: ';(moved ? handedOver : overtaken).push(messageId)',
      },
    ],
  },
  {
    name: 'generation of settings',
    without: 'What decides on a send was kept, and a line or a key held on after it was taken back.',
    among: ['send', 'revoke', 'slowDisk', 'busy'],
    edits: [
      {
        file: 'db/sqlite/acceptance.ts',
        has: 'if (generation !== undefined && generation !== plan?.generation) return',
        was: 'if (generation === -1) return',
      },
      {
        file: 'db/sqlite/acceptance.ts',
        has: "if (sentBy.keyRevokedAt !== null) return { outcome: 'outdated' }",
        was: '',
      },
    ],
  },
  {
    name: 'revoked key at its first send',
    without: 'Settings that were read just now have no generation, and a key that a command revoked meanwhile sent.',
    among: ['send', 'revoke', 'slowDisk', 'busy'],
    edits: [
      {
        file: 'db/sqlite/acceptance.ts',
        has: "if (sentBy.keyRevokedAt !== null) return { outcome: 'outdated' }",
        was: '',
      },
    ],
  },
  {
    name: 'revoked key that schedules',
    without: 'A message was stored for later by a key that was revoked since it had been looked at.',
    among: ['send', 'revoke', 'slowDisk', 'busy'],
    edits: [
      {
        file: 'db/rules/scheduled.ts',
        has: "      if (key && key.revokedAt !== null) return { outcome: 'keyRevoked' }\n",
        was: '',
      },
    ],
  },
  {
    name: 'stop while messages are taken up',
    without: 'A line that was opened after the stop handed over what had left its queue.',
    among: ['send', 'startAndStop', 'crash', 'stop'],
    edits: [{ file: 'src/sending/openMessages.ts', has: 'if (this.#isClosed) line.queue.close()', was: '' }],
  },
  {
    name: 'pace of a backlog across a restart',
    without: 'A line of 60 a second sent 119 in the second in which its gateway was started again.',
    among: ['send', 'crash', 'stop'],
    edits: [
      {
        file: 'src/sending/outbox.ts',
        has: '    this.followEnded(line, Number.POSITIVE_INFINITY)\n',
        was: '',
      },
      {
        file: 'src/sending/recover.ts',
        has: '    if (store.shared === null) await this.#followEnded()\n',
        was: '',
      },
    ],
  },
  {
    name: 'pace of a line without a backlog across a restart',
    without: 'What the process before had sent and settled a moment ago did not count.',
    among: ['send', 'crash', 'stop'],
    edits: [
      {
        file: 'src/sending/recover.ts',
        has: '    if (store.shared === null) await this.#followEnded()\n',
        was: '',
      },
    ],
  },
  {
    name: 'keys beyond a leap of the time',
    without: 'The time ran ahead by a day, and every idempotency key was gone.',
    among: ['send', 'time'],
    edits: [
      {
        file: 'src/sending/submission.ts',
        has: 'const repeat = key.outlivesTime ? await key.repeat() : null',
        was: 'const repeat = key.outlivesTime ? null : null',
      },
    ],
  },
  {
    name: 'order behind an attempt that failed',
    without: 'An event of a message was delivered before an earlier one that waited for its next attempt.',
    among: ['send'],
    edits: [
      {
        file: 'src/webhooks/queue.ts',
        has: "if (outcome.state === 'pending') this.#hold(",
        was: "if (outcome.state === 'failed') this.#hold(",
      },
    ],
  },
  {
    name: 'job that its thread had in hand',
    without: 'A message that a sender thread had when it died went to another thread.',
    among: ['send', 'senderDies'],
    edits: [
      {
        file: 'src/threads/mailbox.ts',
        has: 'reject(unposted.has(id) ? new Unavailable(why) : new OutcomeUnknown(why))',
        was: 'reject(new Unavailable(why))',
      },
    ],
  },
  {
    name: 'what waited in a backup',
    without:
      'A message that waited when a backup was made, and was sent since, was sent again by the restored gateway.',
    among: ['send', 'slowDisk', 'backup', 'restore'],
    edits: [
      {
        file: 'src/cli/settleWaiting.ts',
        has: 'const messages = await interruptWaiting(store)',
        was: 'const messages = 0',
      },
    ],
  },
  {
    name: 'numbers of events after a restore',
    without: 'Two events had one id, one told before a restore and one after it: a receiver dropped the second.',
    among: ['send', 'backup', 'restore'],
    edits: [
      {
        file: 'src/cli/settleWaiting.ts',
        has: '  await store.write.passEventNumbers({ at: store.clock.now() })\n',
        was: '',
      },
    ],
  },
  {
    name: 'replay while an attempt hangs',
    without: 'A replay of all left out what had been delivered behind an attempt that was still under way.',
    among: ['send', 'replay', 'write'],
    edits: [{ file: 'db/rules/webhooks.ts', has: 'seq <= position || tried.has(seq)', was: 'seq <= position' }],
  },
  {
    name: 'content of who is erased',
    without: 'What was sent to a person stays when the person is erased.',
    among: ['send', 'write', 'erase'],
    edits: [{ file: 'db/rules/traceErasure.ts', has: '    await deleteContents(seqs)\n', was: '' }],
  },
  {
    name: 'key of a client of the platform',
    without: 'A call of /graph that was repeated with its key was sent twice.',
    among: ['graph', 'crash'],
    edits: [{ file: 'src/partner/dropIn/content.ts', has: 'idempotencyKey: headerKey,', was: 'idempotencyKey: null,' }],
  },
  {
    name: 'callback of another account',
    without: 'A callback of one account moved a message of another one that it named.',
    among: ['send', 'recorded'],
    edits: [
      {
        file: 'db/sqlite/events.ts',
        has: 'const message = own?.channelId === channelId ? own : reported(channelId, report)',
        was: 'const message = own ?? reported(channelId, report)',
      },
    ],
  },
  {
    name: 'id that a client of the platform was answered with',
    without: 'A send of /graph was answered with an id of ours, and its repeat with that of the platform.',
    among: ['graph'],
    edits: [
      {
        file: 'src/partner/dropIn/send.ts',
        has: 'const state = await parts.outbox.nameByUs(message.id)',
        was: 'const state = null as Awaited<ReturnType<typeof parts.outbox.nameByUs>>',
      },
    ],
  },
  {
    name: 'template that is paused while it is listed',
    without: 'A listing that had begun before a template was paused took that back.',
    among: ['send', 'template'],
    edits: [
      {
        file: 'db/rules/templates.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what the file has.
        has: 'sql`(${templates.updatedAt} <= ${at} OR ${templates.updatedAt} > ${recordedAt})`',
        was: 'sql`TRUE`',
      },
    ],
  },
  {
    name: 'hash of a file of a user',
    without: 'A file that came damaged was kept as if it were whole.',
    among: ['write', 'crash'],
    edits: [
      {
        file: 'src/media/incoming/fetcher.ts',
        has: 'if (expected !== null && expected !== got.sha256)',
        was: "if (expected === '')",
      },
    ],
  },
  {
    name: 'upload that belongs to its line',
    without: 'A file was shown by the id that it had on another line.',
    among: ['send'],
    edits: [
      {
        file: 'src/media/outgoing/library.ts',
        has: 'const key = JSON.stringify([line.id, link, format])',
        was: "const key = ''",
      },
    ],
  },
  {
    name: 'endpoint that wants no more',
    without: 'One that answered 410 was tried again and again.',
    among: ['send', 'write'],
    edits: [
      {
        file: 'src/webhooks/deliverer.ts',
        has: 'if (answer?.status === 410) queue.goneFrom = url',
        was: '',
      },
    ],
  },
]
