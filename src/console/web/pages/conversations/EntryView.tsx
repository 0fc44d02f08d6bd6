import { ActionIcon, Anchor, Badge, Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import {
  IconAlertCircle,
  IconArrowBackUp,
  IconCheck,
  IconChecks,
  IconClock,
  IconHelpCircle,
  IconX,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { hasFailed, isCancelled, isScheduled } from '../../../../message/statuses.ts'
import { useWorkspace } from '../../app/session.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Time } from '../../components/Time.tsx'
import { composer as composerWords } from '../../texts/en/composer.ts'
import { translated } from '../../texts/said.ts'
import { texts } from '../../texts/texts.ts'
import { SentBubble } from '../messages/MessageBubble.tsx'
import { ScheduledMenu } from '../messages/Scheduled.tsx'
import type { Quote } from './composer/composition.ts'
import { Again } from './composer/Outgoing.tsx'
import type { ConversationEntry } from './queries.ts'
import { isAutomatic, SaidBy, useSaidBy } from './SaidBy.tsx'
import { SaidWords } from './SaidWords.tsx'
import type { ThreadItem } from './thread.ts'

const words = texts.conversations

/** Of a text that names a button. */
const namedCharsMax = 60

/** Where a message stands in the page, so that an answer finds what it answers. */
const placeOf = (channelMessageId: string | null) => `said-${channelMessageId}`

/** One message of either side. @param props.onReply null: its reader may not write; `isHit`: a search is at it */
export function EntryView(props: {
  item: ThreadItem
  person: string
  onReply: ((quote: Quote) => void) | null
  isHit: boolean
}) {
  const { item, person, onReply, isHit } = props
  const { entry, at, reactions, isQuoteLoaded } = item
  const { isOurs, sent, said, edited, deletedAt, quoted, channelMessageId } = entry
  const saidBy = useSaidBy()
  const isByMember = sent?.by.kind === 'member'
  const sender = { by: sent?.by ?? null, isTemplate: sent?.type === 'template' }
  const copied = deletedAt === null ? wordsOf(entry) : null
  const isWaiting = sent !== null && isScheduled(sent.status)
  const isBack = sent !== null && isCancelled(sent.status)
  const byUs = saidBy(sender.by, sender.isTemplate)
  return (
    <li className={isOurs ? 'said-by-us' : 'said-by-them'} data-entry={entry.id}>
      <div
        className={isWaiting || isBack ? 'said said-unsent' : 'said'}
        id={placeOf(channelMessageId)}
        data-automatic={(isOurs && isAutomatic(sender.by, sender.isTemplate)) || undefined}
        data-hit={isHit || undefined}
        tabIndex={-1}
      >
        <VisuallyHidden>{isOurs ? byUs : <bdi>{person}</bdi>}:</VisuallyHidden>
        {quoted && <Quoted quoted={quoted} person={person} isLoaded={isQuoteLoaded} />}
        <div className="said-lines">
          {sent && <SentWords sent={sent} />}
          {said && <Told isOurs={isOurs} said={said} edited={edited} isDeleted={deletedAt !== null} />}
          <Group gap={5} justify="flex-end" fz="xs" c="dimmed" className="said-when">
            {isOurs && (
              <span className="said-by" aria-hidden={sent?.by.kind !== 'campaign' || undefined}>
                <SaidBy {...sender} />
              </span>
            )}
            {isBack && `${texts.messages.statuses.CANCELLED} ·`}
            <Time at={at} precision={isWaiting ? 'planned' : 'clock'} />
            {sent && <Tick id={entry.id} status={sent.status} />}
            {onReply && isWaiting && (
              <ScheduledMenu messageId={entry.id} of={firstWordsOf(entry)?.slice(0, namedCharsMax) ?? byUs} />
            )}
          </Group>
        </div>
        <div className="said-acts">
          {copied !== null && <CopyButton text={copied} what={words.textOf(copied.slice(0, namedCharsMax))} />}
          {onReply && channelMessageId !== null && deletedAt === null && (
            <Reply
              quote={{ channelMessageId, isOurs, words: firstWordsOf(entry), isDeleted: false }}
              onReply={onReply}
            />
          )}
        </div>
        {sent?.failure && (
          <Text size="xs" c="red">
            {translated(sent.failure)}
          </Text>
        )}
        {onReply && sent && hasFailed(sent.status) && isByMember && <Again messageId={entry.id} />}
        {reactions.map(({ isOurs, emoji }) => {
          const label = words.reaction(emoji, isOurs ? words.we : person)
          return (
            <Badge key={label} variant="default" mb={-12} role="img" aria-label={label}>
              {emoji}
            </Badge>
          )
        })}
      </div>
    </li>
  )
}

const wordsOf = ({ sent, said, edited }: ConversationEntry): string | null =>
  sent?.bubble?.draft.body.text ||
  (sent?.said?.text ?? edited?.text ?? (said?.type === 'reaction' ? null : said?.text) ?? null)

const firstWordsOf = ({ sent, said, edited }: ConversationEntry) =>
  sent?.words ?? sent?.templateName ?? edited?.text ?? said?.text ?? null

interface ToldProps extends Pick<ConversationEntry, 'isOurs' | 'edited'> {
  readonly said: NonNullable<ConversationEntry['said']>
  readonly isDeleted: boolean
}

/** What was written, as it is now: what it was before is behind that. */
function Told({ said, edited, ...of }: ToldProps) {
  if (of.isDeleted)
    return (
      <Behind what={of.isOurs ? words.deletedInApp : words.deleted} label={words.show}>
        {said.state !== 'dropped' && <Told {...of} said={said} edited={edited} isDeleted={false} />}
      </Behind>
    )
  if (!edited) return <SaidWords said={said} />
  return (
    <>
      <SaidWords said={{ ...said, text: edited.text ?? said.text }} />
      <Behind what={words.edited} label={words.before}>
        {said.text !== null && (
          <Text size="sm" c="dimmed" className="phone-words" dir="auto">
            {said.text}
          </Text>
        )}
      </Behind>
    </>
  )
}

function Behind({ what, label, children }: { what: string; label: string; children: ReactNode }) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <Hint>
        {what}{' '}
        {children && (
          <Anchor component="button" fz="xs" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? words.hide : label}
          </Anchor>
        )}
      </Hint>
      {isShown && children}
    </>
  )
}

function Reply({ quote, onReply }: { quote: Quote; onReply: (quote: Quote) => void }) {
  const label = composerWords.reply(quote.words?.slice(0, namedCharsMax) ?? words.quotedEarlier)
  return (
    <ActionIcon size={24} variant="subtle" color="gray" aria-label={label} title={label} onClick={() => onReply(quote)}>
      <IconArrowBackUp size={15} />
    </ActionIcon>
  )
}

function SentWords({ sent: { bubble, said, templateName, type } }: { sent: NonNullable<ConversationEntry['sent']> }) {
  if (bubble) return <SentBubble bubble={bubble} />
  if (said) return <SaidWords said={said} />
  return <Hint>{`${templateName === null ? words.types[type] : words.template(templateName)} · ${words.notKept}`}</Hint>
}

function Quoted(props: { quoted: NonNullable<ConversationEntry['quoted']>; person: string; isLoaded: boolean }) {
  const { quoted, person, isLoaded } = props
  const { channelMessageId, isOurs, isDeleted, words: first } = quoted
  const go = () => {
    const said = document.getElementById(placeOf(channelMessageId))
    said?.scrollIntoView({ block: 'center' })
    said?.focus({ preventScroll: true })
  }
  return (
    <UnstyledButton
      {...(isLoaded ? { onClick: go } : { component: 'div' })}
      {...{ className: 'one-behind-the-other', maw: '100%', mb: 4, px: 8, py: 2, fz: 'xs' }}
      bg="var(--mantine-color-default-hover)"
      style={{ borderInlineStart: '3px solid var(--mantine-primary-color-filled)' }}
    >
      {isOurs !== null && <strong dir="auto">{isOurs ? words.we : person}</strong>}{' '}
      <span className="one-line" dir="auto">
        {isDeleted ? words.types.revoke : (first ?? words.quotedEarlier)}
      </span>
    </UnstyledButton>
  )
}

const ticks = {
  SCHEDULED: [IconClock],
  QUEUED: [IconClock],
  SENT: [IconCheck],
  DELIVERED: [IconChecks],
  READ: [IconChecks, 'var(--mantine-color-blue-text)'],
  FAILED: [IconAlertCircle, 'var(--mantine-color-error)'],
  UNKNOWN: [IconHelpCircle],
  CANCELLED: [IconX],
} as const

type Status = keyof typeof ticks

/** How far a message of ours has come. */
export function StatusTick({ status, label }: { status: Status; label: string }) {
  const [Sign, color] = ticks[status]
  return <Sign size={16} stroke={1.8} color={color} role="img" aria-label={label} />
}

function Tick({ id, status }: { id: string; status: Status }) {
  const label = words.open(texts.messages.statuses[status])
  return (
    <Anchor
      component={Link}
      href={`/w/${useWorkspace().id}/messages/${id}`}
      title={label}
      c="inherit"
      display="flex"
      p={2}
      className="sign-link"
    >
      <StatusTick status={status} label={label} />
    </Anchor>
  )
}
