import { Button, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { useWorkspace } from '../../app/session.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { choicesOf } from '../../components/fields.ts'
import { Hint } from '../../components/Hint.tsx'
import { whole } from '../../components/numbers.ts'
import { Pages } from '../../components/Pages.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import { texts } from '../../texts/texts.ts'
import { AttemptAnswer, DeliveryBadge, NextAttempt } from './DeliveryState.tsx'
import { type ListedDelivery, useDeliveries, type Webhook } from './queries.ts'
import { ReplayForm } from './ReplayForm.tsx'

const stateChoices = [{ value: '', label: words.all }, ...choicesOf(words.deliveryStates)]

/** What became of each event at an endpoint, the newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { id: workspaceId, can } = useWorkspace()
  const [filters, setFilters] = useFilters({ state: '', before: '' })
  const [isReplaying, setReplaying] = useState(false)
  const list = useDeliveries(webhook.id, filters)
  const { next = null } = list.data ?? {}
  const actions = (
    <>
      {can('admin') && (
        <Button variant="default" onClick={() => setReplaying(true)}>
          {words.replay}
        </Button>
      )}
      <SegmentedControl
        aria-label={words.showState}
        data={stateChoices}
        value={filters.state}
        onChange={state => setFilters({ state, before: '' })}
      />
    </>
  )
  return (
    <Section title={words.deliveries} actions={actions}>
      <DataTable
        label={words.deliveries}
        columns={columnsOf(webhook)}
        rows={list.data?.deliveries}
        keyOf={({ eventId }) => eventId}
        hrefOf={({ eventId }) => `/w/${workspaceId}/webhooks/${webhook.id}/deliveries/${eventId}`}
        query={list}
        empty={<Hint>{filters.state === '' ? words.noDeliveries : words.noneOfState}</Hint>}
      />
      <Pages
        back={[[texts.common.newest, filters.before === '' ? null : { before: '' }]]}
        next={[texts.common.older, next === null ? null : { before: next }]}
        onChange={setFilters}
      />
      <FormDialog opened={isReplaying} onClose={() => setReplaying(false)} title={words.replayTitle}>
        <ReplayForm webhook={webhook} onDone={() => setReplaying(false)} />
      </FormDialog>
    </Section>
  )
}

const columnsOf = (webhook: Webhook): readonly Column<ListedDelivery>[] => [
  {
    header: words.event,
    place: 'who',
    render: ({ type }) => type,
  },
  {
    header: words.about,
    place: 'what',
    render: ({ about }) =>
      about?.name || about?.words ? (
        <>
          <bdi className="breakable">{about.name}</bdi>
          <Text size="xs" c="dimmed" lineClamp={1} dir="auto">
            {about.words}
          </Text>
        </>
      ) : (
        '–'
      ),
  },
  {
    header: words.state,
    place: 'how',
    render: ({ state, attempts }) => (
      <>
        <DeliveryBadge state={state} />
        {state !== 'delivered' && (
          <div className="on-tablet for-more">
            <LastAnswer attempts={attempts} />
          </div>
        )}
      </>
    ),
  },
  {
    header: words.status,
    place: 'more',
    // A telephone tells what was not taken at once.
    render: ({ state, attempts, attemptCount }) => (
      <span className={state === 'delivered' && attemptCount < 2 ? 'untold' : undefined}>
        <LastAnswer attempts={attempts} />
        <span className="on-telephone">
          {' · '}
          {words.attempts}: {whole(attemptCount)}
        </span>
      </span>
    ),
  },
  { header: words.attempts, place: 'aside', render: ({ attemptCount }) => whole(attemptCount), isNumber: true },
  {
    header: words.lastAttempt,
    place: 'when',
    render: ({ attempts }) => <Time at={attempts.at(-1)?.at ?? null} precision="relative" />,
  },
  { header: words.nextAttempt, render: delivery => <NextAttempt delivery={delivery} webhook={webhook} /> },
]

const LastAnswer = ({ attempts }: Pick<ListedDelivery, 'attempts'>) => {
  const last = attempts.at(-1)
  return last ? <AttemptAnswer attempt={last} /> : '–'
}
