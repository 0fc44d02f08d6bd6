import { Box, NativeSelect, Progress, Text } from '@mantine/core'
import { useWorkspace } from '../../app/session.tsx'
import { DataTable } from '../../components/DataTable.tsx'
import { DayChart } from '../../components/DayChart.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Loaded, Placeholder } from '../../components/Loaded.tsx'
import { whole } from '../../components/numbers.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { localDate, monthName } from '../../components/times.ts'
import { useFilters } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { messagesPath, within } from '../messages/queries.ts'
import { Figure } from './Figure.tsx'
import { Cost, Prices } from './Prices.tsx'
import { type Usage, useUsage } from './queries.ts'
import { UsageParts } from './UsageParts.tsx'

const words = texts.usage

/** What counts against the monthly limit, by month and day, and what it was sent with. */
export function UsagePage() {
  const { id: workspaceId } = useWorkspace()
  const [{ month }, change] = useFilters({ month: '' })
  const usage = useUsage(month)
  const months = usage.data && [...new Set([usage.data.plan.month, ...usage.data.months.map(({ month }) => month)])]
  return (
    <>
      <PageHeader
        title={words.title}
        description={words.description}
        actions={
          usage.data && (
            <NativeSelect
              aria-label={words.chooseMonth}
              value={shownMonth(usage.data, month)}
              data={months?.map(value => ({ value, label: monthName(value) }))}
              onChange={({ currentTarget: { value } }) => change({ month: value })}
            />
          )
        }
      />
      <Loaded query={usage} waiting={<Placeholder h={300} />}>
        {data => (
          <>
            <div className="halves pair section">
              <OfMonth usage={data} month={shownMonth(data, month)} />
              <Cost month={shownMonth(data, month)} used={usedIn(data, shownMonth(data, month))} />
            </div>
            {acceptedIn(data) === 0 ? (
              <Box mb="lg">
                <EmptyList title={words.parts.empty} />
              </Box>
            ) : (
              <OfParts usage={data} month={shownMonth(data, month)} />
            )}
            <Section title={words.months}>
              <DataTable
                label={words.months}
                columns={[
                  { header: words.chooseMonth, render: ({ month }) => monthName(month) },
                  { header: words.messages, unit: words.unit, isNumber: true, render: ({ used }) => whole(used) },
                ]}
                rows={data.months}
                keyOf={({ month }) => month}
                hrefOf={({ month }) => `/w/${workspaceId}/usage?month=${month}`}
                empty={<EmptyList title={words.empty} hint={words.emptyHint} />}
              />
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}

/** Of a month with messages: by day, by price, and by what they were sent with. */
function OfParts({ usage, month }: { usage: Usage; month: string }) {
  const { id: workspaceId } = useWorkspace()
  return (
    <>
      <Section title={words.days} hint={refusedOf(usage, month) > 0 && words.daysHint}>
        <DayChart
          label={words.days}
          dayLabel={texts.overview.day}
          data={usage.days}
          series={[{ name: 'messages', label: words.messages, color: 'cyan.7' }]}
          hrefOf={day => messagesPath(workspaceId, within(day, 'day'))}
        />
      </Section>
      <Prices month={month} />
      <UsageParts month={month} accepted={acceptedIn(usage)} />
    </>
  )
}

/** @param asked of the address, which anybody may have typed */
const shownMonth = ({ months, plan }: Usage, asked: string) =>
  months.some(({ month }) => month === asked) ? asked : plan.month

const usedIn = ({ months, plan }: Usage, month: string) =>
  month === plan.month ? plan.used : (months.find(one => one.month === month)?.used ?? 0)

/** All messages of the month, those that were refused included. */
const acceptedIn = ({ days }: Usage) => days.reduce((sum, { messages }) => sum + messages, 0)

const refusedOf = (usage: Usage, month: string) => acceptedIn(usage) - usedIn(usage, month)

/** How much was sent; of this month, also how much may be. */
function OfMonth({ usage, month }: { usage: Usage; month: string }) {
  const { plan } = usage
  const used = usedIn(usage, month)
  const refused = refusedOf(usage, month)
  const notCounted = refused > 0 ? words.refused(refused, whole(refused)) : words.notRefused
  if (month !== plan.month) {
    return (
      <Section title={monthName(month)}>
        <Figure of={words.sent(used)}>{whole(used)}</Figure>
        <Hint>{notCounted}</Hint>
      </Section>
    )
  }
  const { limit, resetsAt, reachedAt, scheduled } = plan
  const percent = limit === null ? null : limit === 0 ? 100 : Math.min(100, (used / limit) * 100)
  return (
    <Section title={monthName(month)}>
      <Figure
        of={
          <>
            {limit === null ? words.unlimited(used) : words.unit}
            {scheduled.count > 0 &&
              ` · ${words.scheduled(scheduled.count, `${whole(scheduled.count)}${scheduled.isMore ? '+' : ''}`)}`}
          </>
        }
      >
        {limit === null ? whole(used) : texts.overview.planUsed(whole(used), whole(limit))}
      </Figure>
      {percent !== null && (
        <Progress
          value={percent}
          color={percent >= 100 ? 'red' : percent >= 80 ? 'yellow' : 'teal'}
          my="xs"
          aria-label={monthName(month)}
        />
      )}
      {reachedAt !== null && (
        <Text size="sm" mb={4}>
          {words.forecast(localDate(new Date(reachedAt)))}
        </Text>
      )}
      <Hint>
        {notCounted} {words.resets} <Time at={resetsAt} precision="day" />.{' '}
        {percent !== null && percent >= 100 && words.reached}
      </Hint>
    </Section>
  )
}
