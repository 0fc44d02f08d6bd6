import { Alert, Anchor, Button, Grid, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconClock, IconHelpCircle } from '@tabler/icons-react'
import { Link, useParams } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { CopyId } from '../../components/CopyId.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { Warning } from '../../components/Warning.tsx'
import { texts } from '../../texts/texts.ts'
import { MessageStatus } from './MessageStatus.tsx'
import { MessageTimeline } from './MessageTimeline.tsx'
import { type MessageDetails, useMessage } from './queries.ts'
import { SendAgainDialog } from './SendAgainDialog.tsx'
import { SettleDialog } from './SettleDialog.tsx'
import { recipientText } from './words.ts'

const words = texts.messages

/** One message: its status, the upstream's request, and the actions on it. */
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
            title={words.to(recipientText(data.message.recipient))}
            description={<MessageStatus status={data.message.status} />}
            back={back}
            actions={<Actions details={data} />}
          />
          <Stack gap={0}>
            <Outcome details={data} />
            <Grid>
              <Grid.Col span={{ base: 12, md: 6 }}>
                <MessageFacts workspaceId={workspaceId} details={data} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 6 }}>
                <MessageTimeline timeline={data.timeline} />
              </Grid.Col>
            </Grid>
            <Request content={data.content} />
          </Stack>
        </>
      )}
    </Loaded>
  )
}

function Actions({ details }: { details: MessageDetails }) {
  const { can } = useWorkspace()
  const [isSettling, settling] = useDisclosure()
  const [isSending, sending] = useDisclosure()
  if (!can('member')) return null
  const { message, canSendAgain } = details
  return (
    <>
      {message.status === 'UNKNOWN' && <Button onClick={settling.open}>{words.settle}</Button>}
      {canSendAgain && (
        <Button variant="default" onClick={sending.open}>
          {words.sendAgain}
        </Button>
      )}
      <SettleDialog messageId={message.id} opened={isSettling} onClose={settling.close} />
      <SendAgainDialog message={message} opened={isSending} onClose={sending.close} />
    </>
  )
}

/** Why it waits or failed, or that the outcome is unknown. */
function Outcome({ details: { message, failure, waiting } }: { details: MessageDetails }) {
  const { can } = useWorkspace()
  if (waiting) return <Waiting waiting={waiting} />
  if (message.status === 'UNKNOWN') {
    return (
      <Warning mb="lg" icon={<IconHelpCircle />} title={words.unknownTitle}>
        {words.unknownHint} {can('member') ? words.unknownSettle : words.unknownViewer}
      </Warning>
    )
  }
  if (!failure) return null
  const { code, reason, explanation } = failure
  return (
    <Alert color="red" mb="lg" icon={<IconAlertTriangle />} title={words.failureTitle}>
      <Stack gap={6}>
        <Text size="sm" className="breakable">
          {explanation?.meaning ?? reason}
        </Text>
        {explanation && (
          <Text size="sm">
            <strong>{words.remedy}:</strong> {explanation.remedy}
          </Text>
        )}
        {explanation && (
          <Text size="sm" c="dimmed" className="breakable">
            {code === null ? reason : `${words.failureCode(code)}: ${reason.replace(`${code}: `, '')}`}
          </Text>
        )}
      </Stack>
    </Alert>
  )
}

function Waiting({ waiting: { scope, until, refusal } }: { waiting: NonNullable<MessageDetails['waiting']> }) {
  return (
    <Alert color="blue" mb="lg" icon={<IconClock />} title={words.waitingTitle} role="status">
      <Stack gap={6}>
        <Text size="sm">{words.waitingFor[scope]}</Text>
        {refusal && (
          <Text size="sm" className="breakable">
            <strong>{words.lastRefusal}:</strong> {refusal.explanation?.meaning} {refusal.reason}
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
  const { message, line, key, contact, attempts } = details
  const copied = (id: string | null, what: string) => (id === null ? '–' : <CopyId id={id} what={what} />)
  const contactLink = contact && (
    <Anchor component={Link} href={`/w/${workspaceId}/contacts/${contact.id}`} inherit>
      {contact.name ?? contact.id}
    </Anchor>
  )
  const time = (at: string | null) => (
    <Time at={at} otherwise={message.status === 'FAILED' ? words.notAtAll : words.notYet} />
  )
  return (
    <Section title={words.facts}>
      <Facts
        facts={[
          [words.id, copied(message.id, words.id)],
          [words.channelMessageId, copied(message.channelMessageId, words.channelMessageId)],
          [words.recipient, recipientText(message.recipient)],
          [words.contact, contactLink ?? '–'],
          [words.kind, message.templateName ?? words.types[message.type]],
          [words.line, line ? line.number : copied(message.lineId, words.line)],
          [words.sentBy, key ? (key.label ?? <CopyId id={key.id} what={words.sentBy} />) : words.sentInConsole],
          [words.accepted, time(message.createdAt)],
          [words.sent, time(message.sentAt)],
          [words.delivered, time(message.deliveredAt)],
          [words.read, time(message.readAt)],
          [words.attempts, attempts],
          [words.idempotencyKey, copied(message.idempotencyKey, words.idempotencyKey)],
          [words.requestId, copied(message.requestId, words.requestId)],
        ]}
      />
    </Section>
  )
}

const Request = ({ content }: { content: MessageDetails['content'] }) => (
  <Section title={words.request}>
    {content === null ? (
      <Hint>{words.requestDropped}</Hint>
    ) : (
      <CodeBlock text={JSON.stringify(content, null, 2)} what={words.request} />
    )}
  </Section>
)
