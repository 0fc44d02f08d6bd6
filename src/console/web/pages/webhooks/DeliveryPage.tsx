import { Anchor, Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useParams } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { CopyId } from '../../components/CopyButton.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import { texts } from '../../texts/texts.ts'
import { AttemptTable } from './AttemptTable.tsx'
import { DeliveryBadge, NextAttempt } from './DeliveryState.tsx'
import { type DeliveryDetails, useDelivery, useWebhook, webhookName } from './queries.ts'

/** One event at an endpoint: each attempt, and what is sent. */
export function DeliveryPage() {
  const { webhookId = '', eventId = '' } = useParams()
  const { id: workspaceId } = useWorkspace()
  const webhook = useWebhook(webhookId)
  const delivery = useDelivery(webhookId, eventId)
  const to = `/w/${workspaceId}/webhooks/${webhookId}`
  const back = { to, label: webhook.data ? webhookName(webhook.data) : words.one }
  const heading = <PageHeader title={words.delivery} back={back} />
  return (
    <Loaded query={delivery} heading={heading} waiting={<Placeholder h={320} />}>
      {data => (
        <>
          <PageHeader
            title={data.type}
            description={
              <Stack gap={4} align="flex-start">
                <DeliveryBadge state={data.state} />
                {data.state === 'pending' && webhook.data?.state === 'off'
                  ? words.offHint
                  : words.deliveryHints[data.state]}
              </Stack>
            }
            back={back}
            actions={<ReplayOne webhookId={webhookId} delivery={data} />}
          />
          <Section title={words.delivery}>
            <Facts
              facts={[
                [words.eventId, <CopyId key="id" id={data.eventId} what={words.eventId} />],
                [words.endpoint, link(to, back.label)],
                ...aboutOf(data).map(
                  ([label, path]) => [words.about, link(`/w/${workspaceId}${path}`, label)] as const,
                ),
                [words.attempts, whole(data.attemptCount)],
                [
                  words.nextAttempt,
                  webhook.data && data.nextAt !== null ? (
                    <NextAttempt key="next" delivery={data} webhook={webhook.data} />
                  ) : null,
                ],
              ]}
            />
          </Section>
          <Section title={words.attempts} hint={isCut(data) ? words.attemptsKept : undefined}>
            <AttemptTable label={words.attempts} attempts={data.attempts.toReversed()} />
          </Section>
          <Section title={words.body} hint={data.event === null ? undefined : words.bodyHint}>
            {data.event === null ? (
              <Hint>{words.bodyGone}</Hint>
            ) : (
              <CodeBlock text={JSON.stringify(data.event, null, 2)} what={words.bodyOf(data.type)} isData />
            )}
          </Section>
        </>
      )}
    </Loaded>
  )
}

const isCut = ({ attempts, attemptCount }: DeliveryDetails) => attempts.length < attemptCount

function ReplayOne({
  webhookId,
  delivery: { eventId, event, state },
}: {
  webhookId: string
  delivery: DeliveryDetails
}) {
  const { can } = useWorkspace()
  const { routes, change } = useWorkspaceRoutes()
  const replay = useMutation({
    mutationFn: () => change(routes.webhooks({ webhookId }).replay.post({ eventId }), 'webhooks'),
  })
  if (!can('admin') || event === null) return null
  return (
    <>
      {replay.error && <ErrorView error={replay.error} />}
      <Button
        variant={state === 'failed' ? 'filled' : 'default'}
        loading={replay.isPending}
        onClick={() => replay.mutate()}
      >
        {words.replayOne}
      </Button>
    </>
  )
}

const link = (href: string, label: string) => (
  <Anchor component={Link} href={href} inherit className="breakable">
    {label}
  </Anchor>
)

/** The page of what the event is about, if it has one, by the name of its person. */
function aboutOf({ about }: DeliveryDetails): (readonly [label: string, path: string])[] {
  const { messageId, contactId, name } = about ?? {}
  if (messageId) return [[name ? texts.messages.to(name) : words.aboutMessage, `/messages/${messageId}`]]
  return contactId ? [[name ?? words.aboutContact, `/contacts/${contactId}`]] : []
}
