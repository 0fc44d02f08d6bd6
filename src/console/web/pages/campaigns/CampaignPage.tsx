import { Alert, Progress, Stack, Text } from '@mantine/core'
import { useParams } from 'wouter'
import { hasFailed } from '../../../../message/statuses.ts'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { DataTable } from '../../components/DataTable.tsx'
import { Facts } from '../../components/Facts.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { money, whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { campaigns as words } from '../../texts/en/campaigns.ts'
import { pauseReasons } from '../../texts/en/overview.ts'
import { texts } from '../../texts/texts.ts'
import { Items } from './Items.tsx'
import { itemWord } from './itemWords.ts'
import { type Campaign, stateTones, useCampaign } from './queries.ts'
import { Retry } from './Retry.tsx'
import { Start, WarningsOf } from './Start.tsx'

/** One campaign: how far it is, what became of its people, and what can be done with it. */
export function CampaignPage() {
  const { batchId = '' } = useParams()
  return <Loaded query={useCampaign(batchId)}>{campaign => <Shown campaign={campaign} />}</Loaded>
}

function Shown({ campaign }: { campaign: Campaign }) {
  const { id: workspaceId, can } = useWorkspace()
  const { name, state, reason, total, counts, cost } = campaign
  return (
    <>
      <PageHeader
        title={name ?? words.unnamed}
        back={{ to: `/w/${workspaceId}/campaigns`, label: texts.shell.titles.campaigns }}
        description={<StatusBadge tone={stateTones[state]}>{words.states[state]}</StatusBadge>}
        actions={can('member') && <Acts campaign={campaign} />}
      />
      <Stack>
        {reason && (
          <Alert color="red" role="status">
            {words.pausedItself(pauseReasons[reason.code] ?? reason.message)}
            {pauseReasons[reason.code] !== undefined && <Hint>{reason.message}</Hint>}
          </Alert>
        )}
        {state === 'draft' && can('member') ? <Start campaign={campaign} /> : <WarningsOf campaign={campaign} />}
        <Section title={words.progress}>
          <Text>{words.left(whole(counts.WAITING ?? 0), whole(total))}</Text>
          <Progress
            value={total === 0 ? 0 : (1 - (counts.WAITING ?? 0) / total) * 100}
            my="sm"
            aria-label={words.progress}
          />
          <Figures campaign={campaign} />
        </Section>
        <Reasons campaign={campaign} />
        {cost.expected !== null && cost.byCountry.length > 0 && <Countries campaign={campaign} />}
        <Items campaign={campaign} />
      </Stack>
    </>
  )
}

function Figures({ campaign }: { campaign: Campaign }) {
  const { total, counts, answered, firstMessageAt, lastMessageAt, sendAt, startedAt, cost, defaults } = campaign
  const { templateName, templateLanguage } = defaults as { templateName?: string; templateLanguage?: string }
  const time = (at: string | null) => at && <Time at={at} precision="minute" />
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  const missing = cost.withoutRate > 0 ? ` ${words.withoutRate(whole(cost.withoutRate))}` : ''
  return (
    <Facts
      facts={[
        [words.template, templateName && `${templateName} · ${templateLanguage}`],
        [words.total, whole(total)],
        ...some.map(([status, count]) => [itemWord(status), whole(count)] as const),
        [words.answered, startedAt && `${whole(answered)} (${words.answeredHint})`],
        [words.starts, startedAt === null ? time(sendAt) : null],
        [words.first, time(firstMessageAt)],
        [words.last, time(lastMessageAt)],
        [words.costSoFar, startedAt && cost.expected ? money(cost.soFar) || '0' : null],
        [words.costExpected, cost.expected === null ? words.noRates : (money(cost.expected) || '0') + missing],
      ]}
    />
  )
}

function Acts({ campaign: { id: batchId, state, counts } }: { campaign: Campaign }) {
  const { routes, change } = useWorkspaceRoutes()
  const act = (act: 'pause' | 'resume' | 'cancel') =>
    change(routes.campaigns({ batchId }).state.put({ act }), 'campaigns', 'overview')
  const hasEnded = state === 'done' || state === 'cancelled'
  const failed = hasFailed.statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  const mayRetry = failed > 0 && state !== 'cancelled'
  return (
    <>
      {state === 'running' && (
        <ConfirmButton
          label={words.pause}
          button={{ variant: 'default' }}
          title={words.pause}
          confirmLabel={words.pause}
          onConfirm={() => act('pause')}
          isHarmless
        >
          <Text size="sm">{words.pauseHint}</Text>
        </ConfirmButton>
      )}
      {state === 'paused' && <Resume onResume={() => act('resume')} />}
      {mayRetry && <Retry batchId={batchId} />}
      {!hasEnded && (
        <ConfirmButton
          label={words.cancel}
          button={{ variant: 'default' }}
          title={words.cancelTitle}
          confirmLabel={words.cancelConfirm}
          onConfirm={() => act('cancel')}
        >
          <Text size="sm">{words.cancelHint}</Text>
        </ConfirmButton>
      )}
    </>
  )
}

const Resume = ({ onResume }: { onResume: () => Promise<unknown> }) => (
  <ConfirmButton
    label={words.resume}
    button={{}}
    title={words.resume}
    confirmLabel={words.resume}
    onConfirm={onResume}
    isHarmless
  >
    <Text size="sm">{words.startNowHint}</Text>
  </ConfirmButton>
)

function Reasons({ campaign: { reasons } }: { campaign: Campaign }) {
  if (reasons.length === 0) return null
  return (
    <Section title={words.reasons}>
      <DataTable
        label={words.reasons}
        columns={[
          {
            ...{ header: words.why, place: 'who' },
            render: ({ code, message }) => (code === '' ? words.others : (words.words[code] ?? message)),
          },
          { header: words.columns.state, place: 'what', render: ({ status }) => itemWord(status) },
          { header: words.count, place: 'when', isNumber: true, render: ({ count }) => whole(count) },
        ]}
        rows={reasons}
        keyOf={({ status, code }) => `${status} ${code}`}
        empty={null}
      />
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
