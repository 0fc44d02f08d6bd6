import { Paper, Progress, Text } from '@mantine/core'
import { Hint } from '../../components/Hint.tsx'
import { whole } from '../../components/numbers.ts'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import type { Overview } from './queries.ts'

const words = texts.overview

/** A longer text gets a smaller font, so that it stays on one line of the card. */
const shortMax = 10

/** What is used of the monthly limit. */
export function PlanCard({ plan: { limit, used, resetsAt } }: { plan: Overview['plan'] }) {
  const percent = limit === null ? 0 : Math.min(100, limit === 0 ? 100 : (used / limit) * 100)
  const color = percent >= 100 ? 'red' : percent >= 80 ? 'yellow' : 'teal'
  const counted = limit === null ? whole(used) : words.planUsed(whole(used), whole(limit))
  return (
    <Paper withBorder p="md">
      <Hint>{words.plan}</Hint>
      <Text fz={counted.length > shortMax ? 'md' : 'xl'} fw={650} style={{ whiteSpace: 'nowrap' }}>
        {counted}
      </Text>
      {limit === null ? (
        <Hint>{words.planUnlimitedHint}</Hint>
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
