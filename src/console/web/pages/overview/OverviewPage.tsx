import { Anchor, Paper, Progress, SegmentedControl, Text } from '@mantine/core'
import { Link } from 'wouter'
import { isDelivered, isShownAsWaiting } from '../../../../message/statuses.ts'
import { useWorkspace } from '../../app/session.tsx'
import { DayChart } from '../../components/DayChart.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { share, span, whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { useFilters } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { NextStep } from '../firstRun/NextStep.tsx'
import { isComplete, useSetup } from '../firstRun/queries.ts'
import { messagesPath, within } from '../messages/queries.ts'
import { Attention } from './Attention.tsx'
import { FailureList } from './Failures.tsx'
import { Health } from './Health.tsx'
import { type Overview, sinceDays, useOverview } from './queries.ts'

const words = texts.overview
const periods = ['7', '30', '90']

const series = [
  { name: 'read', label: words.series.read, color: 'teal.7' },
  { name: 'delivered', label: words.series.delivered, color: 'cyan.7' },
  { name: 'sent', label: words.series.sent, color: 'blue.4' },
  { name: 'failed', label: words.series.failed, color: 'red.7' },
  { name: 'unknown', label: words.series.unknown, color: 'yellow.6' },
]

/** The state of a workspace's messages, and what needs attention. */
export function OverviewPage() {
  const { id: workspaceId } = useWorkspace()
  const [{ days }, change] = useFilters({ days: '30' })
  const period = periods.includes(days) ? days : '30'
  const overview = useOverview(period)
  return (
    <>
      <PageHeader
        title={words.title}
        actions={
          <SegmentedControl
            aria-label={words.period}
            value={period}
            onChange={value => change({ days: value })}
            data={periods.map(value => ({ value, label: words.days(Number(value)) }))}
          />
        }
      />
      <Loaded query={overview} waiting={<Placeholder h={400} />}>
        {data => <Shown workspaceId={workspaceId} overview={data} />}
      </Loaded>
    </>
  )
}

function Shown({ workspaceId, overview }: { workspaceId: string; overview: Overview }) {
  const setup = useSetup().data
  const { totals, open } = overview
  if (setup && !isComplete(setup) && !setup.hasDelivered && totals.messages + open.queued === 0) {
    return <NextStep setup={setup} />
  }
  return (
    <>
      <Attention findings={overview.attention} />
      <Numbers workspaceId={workspaceId} overview={overview} />
      <Section title={words.messagesByDay} hint={words.messagesByDayHint}>
        {overview.totals.messages === 0 ? (
          <EmptyList title={words.noMessages} hint={words.noMessagesHint} />
        ) : (
          <DayChart
            label={words.messagesByDay}
            dayLabel={words.day}
            data={overview.days}
            series={series}
            hrefOf={(day, status) => messagesPath(workspaceId, { status: status.toUpperCase(), ...within(day, 'day') })}
          />
        )}
      </Section>
      <div className="halves">
        <div>
          <FailureList workspaceId={workspaceId} overview={overview} />
        </div>
        <div>
          <Health overview={overview} />
        </div>
      </div>
    </>
  )
}

function Numbers({ workspaceId, overview }: { workspaceId: string; overview: Overview }) {
  const { totals, timeToDeliver, open, plan, days } = overview
  const list = (status?: string) => messagesPath(workspaceId, { ...(status && { status }), ...sinceDays(days) })
  const { median, p95 } = timeToDeliver
  const rateOf = (rate: number | null) => (rate === null ? '–' : share(rate))
  const { deliveryRate, readRate, delivered, messages } = totals
  const waiting = open.isMore ? words.moreThan(whole(open.queued)) : whole(open.queued)
  const within95 = p95 === null ? words.noDelivery : words.timeToDeliverHint(span(p95))
  const queued = messagesPath(workspaceId, { status: isShownAsWaiting.statuses.join() })
  const figures: readonly FigureProps[] = [
    { name: words.messages, value: whole(messages), hint: words.days(days.length), href: list() },
    {
      name: words.deliveryRate,
      value: rateOf(deliveryRate),
      hint: words.planUsed(whole(delivered), whole(messages)),
      href: list(isDelivered.statuses.join()),
    },
    { name: words.readRate, value: rateOf(readRate), hint: words.readRateHint, href: list('READ') },
    { name: words.timeToDeliver, value: median === null ? '–' : span(median), hint: within95 },
    { name: words.waiting, value: waiting, hint: words.waitingHint, href: queued },
  ]
  return (
    <div className="tiles figures section">
      {figures.map(figure => (
        <Figure key={figure.name} {...figure} />
      ))}
      <PlanCard plan={plan} />
    </div>
  )
}

/** What is read first of a card, in pixels. */
const figureSize = 24

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly hint?: string
  /** The list that it counts. */
  readonly href?: string
}

function Figure({ name, value, hint, href }: FigureProps) {
  return (
    <Paper withBorder p="sm">
      <Hint>{name}</Hint>
      <Text fz={figureSize} fw={650} lh={1.3} className="breakable">
        {href === undefined ? (
          value
        ) : (
          <Anchor component={Link} href={href} inherit c="inherit" aria-label={`${name}: ${value}`}>
            {value}
          </Anchor>
        )}
      </Text>
      {hint && <Hint>{hint}</Hint>}
    </Paper>
  )
}

/** A longer text is written smaller: it stays on one line of the card. */
const shortMax = 10

/** What is used of the monthly limit. */
function PlanCard({ plan: { limit, used, resetsAt } }: { plan: Overview['plan'] }) {
  const percent = limit === null ? 0 : Math.min(100, limit === 0 ? 100 : (used / limit) * 100)
  const color = percent >= 100 ? 'red' : percent >= 80 ? 'yellow' : 'teal'
  const counted = limit === null ? whole(used) : words.planUsed(whole(used), whole(limit))
  return (
    <Paper withBorder p="sm">
      <Hint>{words.plan}</Hint>
      <Text fz={counted.length > shortMax ? 'md' : figureSize} fw={650} lh={1.3} style={{ whiteSpace: 'nowrap' }}>
        {counted}
      </Text>
      {limit === null ? (
        <Hint>{words.unlimited}</Hint>
      ) : (
        <>
          <Progress value={percent} color={color} mt={4} aria-label={words.plan} />
          <Text size="sm" c="dimmed" mt={4}>
            {words.planResets} <Time at={resetsAt} precision="day" />
          </Text>
        </>
      )}
    </Paper>
  )
}
