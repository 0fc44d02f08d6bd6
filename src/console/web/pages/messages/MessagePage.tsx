import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconClock, IconHelpCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useParams } from 'wouter'
import { lineName } from '../../../../base/direction.ts'
import { isDelivered, isScheduled, isUncertain } from '../../../../message/statuses.ts'
import { useWorkspace } from '../../app/session.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { CopyId } from '../../components/CopyButton.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { money } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { Warning } from '../../components/Warning.tsx'
import { translated } from '../../texts/said.ts'
import { texts } from '../../texts/texts.ts'
import { useRequestOf } from '../requests/queries.ts'
import { languageName } from '../templates/languageNames.ts'
import { listPath, templatePath } from '../templates/queries.ts'
import { FailureWords } from './FailureWords.tsx'
import { MessageActions, SendAgain } from './MessageActions.tsx'
import { MessageBubble } from './MessageBubble.tsx'
import { MessageStatusBadge } from './MessageStatus.tsx'
import { MessageTimeline } from './MessageTimeline.tsx'
import { type MessageDetails, recipientText, useMessage } from './queries.ts'
import { useSenderName } from './sender.ts'

const words = texts.messages
const { fields } = words
/** What a send has brought and the page shows as it is. */
const {
  type: _type,
  recipient: _to,
  contactId: _contact,
  templateName: _name,
  templateLanguage: _language,
  againOf: _again,
  ...plain
} = fields
const priceCategories: Readonly<Record<string, string>> = texts.usage.prices.categories
/** The platform's word for a price that has no other reason. */
const usualPrice = 'regular'
const plainFields = Object.keys(plain) as (keyof typeof plain)[]

/** One message: what its recipient sees, what became of it, and the actions on it. */
export function MessagePage() {
  const { id: workspaceId } = useWorkspace()
  const { messageId = '' } = useParams()
  const details = useMessage(messageId)
  const back = { to: `/w/${workspaceId}/messages`, label: words.title }
  const heading = <PageHeader title={words.one} back={back} />
  return (
    <Loaded query={details} heading={heading} waiting={<Placeholder h={320} />}>
      {data => (
        <>
          <PageHeader
            title={words.to(data.contact?.name ?? recipientText(data.message.recipient))}
            description={<Summary message={data.message} />}
            back={back}
            actions={<MessageActions details={data} />}
          />
          <Outcome workspaceId={workspaceId} details={data} />
          <div className="wide-end">
            <Stack>
              <MessageBubble details={data} />
              <MessageTimeline timeline={data.timeline} />
            </Stack>
            <Stack>
              <MessageFacts workspaceId={workspaceId} details={data} />
              <Request content={data.content} />
            </Stack>
          </div>
        </>
      )}
    </Loaded>
  )
}

const Summary = ({ message: { status, createdAt } }: Pick<MessageDetails, 'message'>) => (
  <Group gap="xs">
    <MessageStatusBadge status={status} />
    <Text span size="sm">
      <Time at={createdAt} precision="planned" />
    </Text>
  </Group>
)

/** Why it waits or failed, or that the outcome is unknown. */
function Outcome({ workspaceId, details }: { workspaceId: string; details: MessageDetails }) {
  const { message, failure, waiting, openUntil } = details
  const { can } = useWorkspace()
  if (waiting) return <Waiting waiting={waiting} />
  if (isScheduled(message.status)) {
    return (
      <Alert color="blue" mb="lg" icon={<IconClock />} title={words.scheduledTitle} role="status">
        <Text size="sm">
          {words.sendAt} <Time at={message.sendAt} />. {words.scheduledHint}
        </Text>
      </Alert>
    )
  }
  if (isUncertain(message.status)) {
    return (
      <Warning mb="lg" icon={<IconHelpCircle />} title={words.unknownTitle}>
        {words.unknownHint} {can('member') ? words.unknownSettle : words.unknownViewer}
      </Warning>
    )
  }
  if (!failure) return null
  return (
    <Alert color="red" mb="lg" icon={<IconAlertTriangle />} title={words.failureTitle}>
      <Stack gap={6}>
        <FailureWords failure={failure} />
        {openUntil !== null && (
          <Text size="sm">
            {words.shownOpen} <Time at={openUntil} />. {words.notSeen}
          </Text>
        )}
        <Group gap="sm" mt={4}>
          <SendAgain key={message.id} details={details} />
          <Cure workspaceId={workspaceId} details={details} />
          {failure.explanation && (
            <Anchor href={`/docs/errors#${failure.code}`} target="_blank" size="sm">
              {texts.palette.meaningOf(String(failure.code))}
            </Anchor>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}

/** The way to where something can be done about a failure; nothing where nobody can. */
function Cure({ workspaceId, details }: { workspaceId: string; details: MessageDetails }) {
  const { can } = useWorkspace()
  const cure = details.failure?.cure
  const to = cure && cureOf(cure, workspaceId, details)
  if (!cure || !to) return null
  return (
    <Button component={Link} href={to} variant="default">
      {words.cures[cure === 'token' && !can('admin') ? 'channel' : cure]}
    </Button>
  )
}

type CureName = NonNullable<NonNullable<MessageDetails['failure']>['cure']>

function cureOf(cure: CureName, workspaceId: string, { message, template, contact }: MessageDetails): string | null {
  switch (cure) {
    case 'token':
    case 'channel':
      return `/w/${workspaceId}/channels/${message.channelId}`
    case 'template':
      return template && templatePath(workspaceId, message.lineId, template.id)
    case 'templates':
      return listPath(workspaceId, message.lineId)
    case 'contact':
      return contact && `/w/${workspaceId}/contacts/${contact.id}`
  }
}

function Waiting({ waiting: { scope, until, refusal } }: { waiting: NonNullable<MessageDetails['waiting']> }) {
  return (
    <Alert color="blue" mb="lg" icon={<IconClock />} title={words.waitingTitle} role="status">
      <Stack gap={6}>
        <Text size="sm">{words.waitingFor[scope]}</Text>
        {refusal && (
          <Text size="sm" className="breakable">
            <strong>{words.lastRefusal}:</strong> {translated(refusal.explanation?.meaning ?? '')} {refusal.reason}
          </Text>
        )}
        {until !== null && (
          <Text size="sm">
            <strong>{words.nextTry}:</strong> {words.nextTryNotBefore} <Time at={until} />
          </Text>
        )}
      </Stack>
    </Alert>
  )
}

function MessageFacts({ workspaceId, details }: { workspaceId: string; details: MessageDetails }) {
  const { message, line, channel, sentBy, contact, template, attempts, repeated, sentAgainAs, cost } = details
  const request = useRequestOf(message)
  const nameOf = useSenderName()
  const copied = (id: string | null, what: string) => id && <CopyId id={id} what={what} />
  const link = (path: string, name: string) => (
    <Anchor component={Link} href={path} inherit>
      <bdi>{name}</bdi>
    </Anchor>
  )
  const within = (path: string, name: string) => link(`/w/${workspaceId}/${path}`, name)
  const name = nameOf(sentBy)
  const sender = {
    key: () => within('api-keys', name),
    campaign: () => within(`campaigns/${sentBy.id}`, name),
    member: () => <bdi>{name}</bdi>,
  }[sentBy.kind]()
  const messageLink = (id: string) => within(`messages/${id}`, id)
  const newer = sentAgainAs.map(id => <div key={id}>{messageLink(id)}</div>)
  const facts: (readonly [string, ReactNode])[] = [
    [fields.recipient, recipientText(message.recipient)],
    [fields.contactId, contact && within(`contacts/${contact.id}`, contact.name ?? recipientText(message.recipient))],
    [
      fields.templateName,
      template
        ? link(templatePath(workspaceId, message.lineId, template.id), `${message.templateName} · ${template.language}`)
        : message.templateName,
    ],
    [words.line, line ? within(`channels/${message.channelId}`, lineName(line)) : copied(message.lineId, words.line)],
    [words.channel, channel && within(`channels/${channel.id}`, channel.accountId)],
    [words.sentBy, sender],
    [words.sendAt, message.sendAt && <Time at={message.sendAt} />],
    [words.attempts, attempts > 1 ? attempts : null],
    [fields.againOf, repeated === null ? copied(message.againOf, fields.againOf) : messageLink(repeated)],
    [words.sentAgainAs, newer.length === 0 ? null : newer],
    [
      words.price,
      message.pricing &&
        [
          priceCategories[message.pricing.category] ?? message.pricing.category,
          message.pricing.type !== usualPrice && message.pricing.type,
          words.priceOf({ ...message.pricing, isDelivered: isDelivered(message.status) }),
          cost.length > 0 && texts.usage.prices.about(money(cost)),
        ]
          .filter(Boolean)
          .join(' · '),
    ],
    [words.id, copied(message.id, words.id)],
    [words.channelMessageId, copied(message.channelMessageId, words.channelMessageId)],
    // Nobody looks for a language by it: it is no id to be copied.
    [fields.templateLanguage, message.templateLanguage && languageName(message.templateLanguage)],
    ...plainFields.map(name => [fields[name], copied(message[name], fields[name])] as const),
    [words.calledBy, request && within(`requests/${request.id}`, `${request.call} · ${request.status}`)],
  ]
  return (
    <Section title={words.facts}>
      <Facts facts={facts} />
    </Section>
  )
}

const Request = ({ content }: { content: MessageDetails['content'] }) => (
  <Section title={words.request}>
    {content === null ? (
      <Hint>{words.requestDropped}</Hint>
    ) : (
      <details className="folded">
        <summary>{words.requestShow}</summary>
        <CodeBlock text={JSON.stringify(content, null, 2)} what={words.request} />
      </details>
    )}
  </Section>
)
