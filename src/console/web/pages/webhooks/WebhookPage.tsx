import { Button } from '@mantine/core'
import { Fragment, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { lineNameIn } from '../../../../base/direction.ts'
import { useWorkspace } from '../../app/session.tsx'
import { CopyId } from '../../components/CopyButton.tsx'
import { Facts } from '../../components/Facts.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import { texts } from '../../texts/texts.ts'
import { useLines } from '../channels/queries.ts'
import { AttemptTable } from './AttemptTable.tsx'
import { Deliveries } from './Deliveries.tsx'
import { Lately } from './DeliveryState.tsx'
import { useTests, useWebhook, type Webhook, type WebhookDetails, webhookName } from './queries.ts'
import { TestForm } from './TestForm.tsx'
import { WebhookMenu } from './WebhookMenu.tsx'
import { WebhookBadge, WebhookTrouble } from './WebhookState.tsx'

/** One endpoint: whether it works, and what became of each event. */
export function WebhookPage() {
  const { webhookId = '' } = useParams()
  const { id: workspaceId } = useWorkspace()
  const webhook = useWebhook(webhookId)
  const back = { to: `/w/${workspaceId}/webhooks`, label: words.title }
  return (
    <Loaded query={webhook} heading={<PageHeader title={words.one} back={back} />} waiting={<Placeholder h={320} />}>
      {data => (
        <>
          <PageHeader
            title={webhookName(data)}
            description={<WebhookBadge webhook={data} />}
            back={back}
            actions={<Actions webhook={data} />}
          />
          <WebhookTrouble webhook={data} />
          <Tests webhookId={webhookId} />
          <WebhookFacts webhook={data} />
          <Deliveries webhook={data} />
        </>
      )}
    </Loaded>
  )
}

function Actions({ webhook }: { webhook: Webhook }) {
  const { id: workspaceId, can } = useWorkspace()
  const [, navigate] = useLocation()
  const [isTesting, setTesting] = useState(false)
  if (!can('admin')) return null
  return (
    <>
      <Button variant="default" onClick={() => setTesting(true)}>
        {words.test}
      </Button>
      <WebhookMenu webhook={webhook} onRemoved={() => navigate(`/w/${workspaceId}/webhooks`)} />
      <FormDialog opened={isTesting} onClose={() => setTesting(false)} title={words.test}>
        <TestForm webhook={webhook} onDone={() => setTesting(false)} />
      </FormDialog>
    </>
  )
}

/** What tests met that this tab has sent. Nothing before the first one. */
function Tests({ webhookId }: { webhookId: string }) {
  const [tests] = useTests(webhookId)
  if (tests.length === 0) return null
  return (
    <Section title={words.tests} hint={words.testsHint}>
      <AttemptTable label={words.tests} attempts={tests} />
    </Section>
  )
}

/** It breaks behind a `/`, before it breaks elsewhere. */
const Address = ({ url }: { url: string }) =>
  url.split(/(?<=\/)(?!\/)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address have no other name.
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))

function WebhookFacts({ webhook }: { webhook: WebhookDetails }) {
  const lines = useLines().data?.lines ?? []
  const { id, url, format, events, lineIds, hasHeaders, capacity, deliveredAt, failedAt, createdAt } = webhook
  return (
    <Section title={words.endpoint}>
      <Facts
        facts={[
          [words.id, <CopyId key="id" id={id} what={words.id} />],
          [words.url, <Address key="url" url={url} />],
          [words.format, words.formats[format]],
          [words.events, events?.join(', ') ?? words.allOf[format]],
          [words.lines, lineIds?.map(id => lineNameIn(lines, id)).join(', ') ?? words.allLines],
          [words.headers, hasHeaders ? words.hasHeaders : texts.common.none],
          [words.lately, <Lately key="lately" webhook={webhook} />],
          [
            words.capacity,
            capacity
              ? words.capacityOf(whole(capacity.perSecond), whole(Math.max(1, capacity.medianMs)))
              : texts.common.none,
          ],
          [words.lastDelivered, <Time key="delivered" at={deliveredAt} />],
          [words.lastFailed, <Time key="failed" at={failedAt} />],
          [words.created, <Time key="created" at={createdAt} />],
        ]}
      />
    </Section>
  )
}
