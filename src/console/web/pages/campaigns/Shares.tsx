import { Progress } from '@mantine/core'
import { Fragment } from 'react'
import { gotThrough, hasFailed, isDelivered } from '../../../../message/statuses.ts'
import { share, whole } from '../../components/numbers.ts'
import { campaigns as words } from '../../texts/en/campaigns.ts'
import { texts } from '../../texts/texts.ts'
import { itemWord } from './itemWords.ts'
import type { Campaign } from './queries.ts'

const { statuses } = texts.messages

type Counts = Campaign['counts']

const sumOf = (counts: Counts, those: readonly string[]) =>
  those.reduce((sum, status) => sum + (counts[status] ?? 0), 0)

/** How many of all have come how far: who has read it has it, and it was sent. */
export function Shares({ campaign: { counts, total, answered } }: { campaign: Campaign }) {
  const counted = [...gotThrough.statuses, ...hasFailed.statuses]
  const others = Object.entries(counts).filter(([status, count]) => count > 0 && !counted.some(one => one === status))
  const rows = [
    [statuses.SENT, sumOf(counts, gotThrough.statuses), 'blue'],
    [statuses.DELIVERED, sumOf(counts, isDelivered.statuses), 'teal'],
    [statuses.READ, counts.READ ?? 0, 'teal'],
    [words.answered, answered, 'teal'],
    [statuses.FAILED, sumOf(counts, hasFailed.statuses), 'red'],
    ...others.map(
      ([status, count]) => [itemWord(status), count, status === 'SKIPPED' ? 'var(--tone-warning)' : 'gray.5'] as const,
    ),
  ] as const
  return (
    <dl className="shares">
      {rows.map(([name, count, color]) => (
        <Fragment key={name}>
          <dt data-none={count === 0 || undefined}>{name}</dt>
          <dd data-none={count === 0 || undefined}>
            <Progress value={total === 0 ? 0 : (100 * count) / total} color={color} size="lg" aria-hidden />
            <strong>{whole(count)}</strong>
            <span>{share(total === 0 ? 0 : count / total)}</span>
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}
