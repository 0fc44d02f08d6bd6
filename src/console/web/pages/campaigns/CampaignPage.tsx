import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { Link, useParams } from 'wouter'
import { hasFailed } from '../../../../message/statuses.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { DataTable } from '../../components/DataTable.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Isolated } from '../../components/Isolated.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { money, whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { campaigns as words } from '../../texts/en/campaigns.ts'
import { pauseReasons } from '../../texts/en/overview.ts'
import { texts } from '../../texts/texts.ts'
import { useSenderName } from '../messages/sender.ts'
import { languageName } from '../templates/languageNames.ts'
import { ItemStatusBadge, Items } from './Items.tsx'
import { itemWord } from './itemWords.ts'
import { type Campaign, stateOf, useCampaign } from './queries.ts'
import { Retry } from './Retry.tsx'
import { SeenOf } from './Seen.tsx'
import { Shares } from './Shares.tsx'
import { Start, WarningsOf } from './Start.tsx'

/** One campaign: how far it is, what became of its people, and what can be done with it. */
export function CampaignPage() {
  const { batchId = '' } = useParams()
  return <Loaded query={useCampaign(batchId)}>{campaign => <Shown campaign={campaign} />}</Loaded>
}

function Shown({ campaign }: { campaign: Campaign }) {
  const { id: workspaceId, can } = useWorkspace()
  const { name, state, reason, total, counts, cost, startedAt } = campaign
  const mayBegin = mayStart(state) && can('member')
  return (
    <>
      <PageHeader
        title={name ?? words.unnamed}
        back={{ to: `/w/${workspaceId}/campaigns`, label: texts.shell.titles.campaigns }}
        description={<StatusBadge {...stateOf(campaign)} />}
        actions={can('member') && <Acts campaign={campaign} />}
      />
      <Stack>
        {reason && (
          <Alert color="red" role="status">
            {words.pausedItself(pauseReasons[reason.code] ?? reason.message)}
            {pauseReasons[reason.code] !== undefined && <Hint>{reason.message}</Hint>}
          </Alert>
        )}
        <div className="halves">
          <Stack>
            {mayBegin ? (
              <Start campaign={campaign}>
                <Cancel campaign={campaign} />
              </Start>
            ) : (
              <WarningsOf campaign={campaign} />
            )}
            <Section title={startedAt === null ? words.brief : words.progress}>
              {startedAt !== null && (
                <>
                  {campaign.endedAt === null && (
                    <Text mb="sm">{words.left(whole(counts.WAITING ?? 0), whole(total))}</Text>
                  )}
                  <Shares campaign={campaign} />
                  <Text size="sm" c="dimmed" my="sm">
                    {words.answered}: {words.answeredHint}
                  </Text>
                </>
              )}
              <Figures campaign={campaign} isToldAbove={mayBegin} />
            </Section>
          </Stack>
          {/* Below each other, it is read before it is started. */}
          <Stack component={mayBegin ? 'aside' : 'div'}>
            <SeenOf campaign={campaign} />
            <Reasons campaign={campaign} />
          </Stack>
        </div>
        {cost.expected !== null && cost.byCountry.length > 0 && <Countries campaign={campaign} />}
        <Items campaign={campaign} />
      </Stack>
    </>
  )
}

/** @param props.isToldAbove how many get it, and how many do not */
function Figures({ campaign, isToldAbove }: { campaign: Campaign; isToldAbove: boolean }) {
  const { total, counts, firstMessageAt, lastMessageAt, sendAt, startedAt, cost, defaults, by, createdAt } = campaign
  const isPlanned = startedAt === null && campaign.endedAt === null
  const nameOf = useSenderName()
  const { id: workspaceId } = useWorkspace()
  const { templateName, templateLanguage } = defaults as { templateName?: string; templateLanguage?: string }
  const time = (at: string | null) => at && <Time at={at} precision="minute" />
  // Once it was started, they have their shares.
  const some = Object.entries(counts).filter(([, count]) => startedAt === null && !isToldAbove && count > 0)
  const missing = cost.withoutRate > 0 ? ` ${words.withoutRate(whole(cost.withoutRate))}` : ''
  return (
    <Facts
      facts={[
        [
          words.template,
          templateName === undefined ? null : `${templateName} · ${languageName(templateLanguage ?? '')}`,
        ],
        [words.total, isToldAbove ? null : whole(total)],
        ...some.map(([status, count]) => [itemWord(status, false), whole(count)] as const),
        [
          words.by,
          <>
            {nameOf(by)}, {time(createdAt)}
          </>,
        ],
        [words.starts, isPlanned && !isToldAbove ? time(sendAt) : null],
        [words.first, time(firstMessageAt)],
        [words.last, time(lastMessageAt)],
        [words.costSoFar, startedAt && cost.expected ? money(cost.soFar) || '0' : null],
        [
          cost.expected === null ? prices.cost : words.costExpected,
          cost.expected === null ? (
            <Anchor key="rates" component={Link} size="sm" href={`/w/${workspaceId}/settings#rates`}>
              {words.noRates}
            </Anchor>
          ) : (
            (money(cost.expected) || '0') + missing
          ),
        ],
      ]}
    />
  )
}

/** One that waits for its time may be given another one, too. */
const mayStart = (state: Campaign['state']) => state === 'draft' || state === 'scheduled'

function Acts({ campaign }: { campaign: Campaign }) {
  const { id: batchId, state, counts, total } = campaign
  const { routes, change } = useWorkspaceRoutes()
  const act = state === 'running' ? 'pause' : state === 'paused' && 'resume'
  const hasEnded = state === 'done' || state === 'cancelled'
  const failed = hasFailed.statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  const mayRetry = failed > 0 && state !== 'cancelled'
  return (
    <>
      {act && (
        <ConfirmButton
          label={words[act]}
          button={act === 'pause' ? { variant: 'default' } : {}}
          title={words[act]}
          confirmLabel={words[act]}
          onConfirm={() => change(routes.campaigns({ batchId }).state.put({ act }), 'campaigns', 'overview')}
          isHarmless
        >
          <Text size="sm">
            {leftOf(counts.WAITING, total)} {act === 'pause' ? words.pauseHint : words.startNowHint}
          </Text>
        </ConfirmButton>
      )}
      {mayRetry && <Retry batchId={batchId} />}
      {!hasEnded && !mayStart(state) && <Cancel campaign={campaign} />}
    </>
  )
}

/** What was never to be sent is thrown away, and says so. */
function Cancel({ campaign: { id: batchId, state, counts, total } }: { campaign: Campaign }) {
  const { routes, change } = useWorkspaceRoutes()
  const isDraft = state === 'draft'
  return (
    <ConfirmButton
      label={isDraft ? words.discard : words.cancel}
      button={mayStart(state) ? { variant: 'subtle', color: 'red' } : { variant: 'default' }}
      title={isDraft ? words.discardTitle : words.cancelTitle}
      confirmLabel={isDraft ? words.discardConfirm : words.cancelConfirm}
      onConfirm={() => change(routes.campaigns({ batchId }).state.put({ act: 'cancel' }), 'campaigns', 'overview')}
    >
      <Text size="sm">{isDraft ? words.discardHint : `${leftOf(counts.WAITING, total)} ${words.cancelHint}`}</Text>
    </ConfirmButton>
  )
}

const leftOf = (waiting = 0, total: number) => `${words.left(whole(waiting), whole(total))}.`

function Reasons({ campaign: { reasons, state } }: { campaign: Campaign }) {
  // Before the start it is told above how many are left out, and below why each of them is.
  if (reasons.length <= Number(mayStart(state))) return null
  // The heading says it of all of them.
  const areLeftOut = reasons.every(({ status }) => status === 'SKIPPED')
  return (
    <Section title={areLeftOut ? words.statuses.SKIPPED : words.reasons}>
      <ul className="plain-list ruled-list">
        {reasons.map(({ status, code, message, count }) => (
          <li key={`${status} ${code}`} className="reason-row">
            {!areLeftOut && <ItemStatusBadge status={status} isBegun />}
            <Isolated>{code === '' ? words.others : (words.words[code] ?? message)}</Isolated>
            <strong>{whole(count)}</strong>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const { prices } = texts.usage

function Countries({ campaign: { cost } }: { campaign: Campaign }) {
  return (
    <Section title={words.byCountry}>
      <DataTable
        label={words.byCountry}
        columns={[
          { header: prices.country, place: 'who', render: ({ country }) => country ?? prices.unknownCountry },
          { header: prices.billable, place: 'what', isNumber: true, render: ({ billable }) => whole(billable) },
          { header: prices.free, place: 'how', isNumber: true, render: ({ free }) => whole(free) },
          {
            ...{ header: prices.estimate, place: 'when', isNumber: true },
            render: ({ amount, currency }) =>
              amount === null || currency === null ? '–' : money([{ amount, currency }]),
          },
        ]}
        rows={cost.byCountry}
        keyOf={({ category, country }) => `${category} ${country}`}
        empty={null}
      />
    </Section>
  )
}
