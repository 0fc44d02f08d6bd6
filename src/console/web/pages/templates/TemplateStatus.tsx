import { Alert, Stack, Text } from '@mantine/core'
import { Hint } from '../../components/Hint.tsx'
import { StatusBadge, type Tone } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { templates as words } from '../../texts/en/templates.ts'
import type { ShownTemplate } from './queries.ts'

const tones: Readonly<Record<string, Tone>> = {
  APPROVED: 'good',
  PENDING: 'busy',
  IN_APPEAL: 'busy',
  REJECTED: 'bad',
  DISABLED: 'bad',
  PAUSED: 'warning',
  LIMIT_EXCEEDED: 'warning',
}

/** For good: a pause ends by itself. */
export const isRefused = (status: string) => tones[status] === 'bad'

export const TemplateStatus = ({ status }: { status: string }) => (
  <StatusBadge tone={tones[status] ?? 'quiet'}>{words.statuses[status] ?? status}</StatusBadge>
)

/** Why a template is in its status, and what to do about it. */
export function StatusReasonText({ template: { status, reason } }: { template: ShownTemplate }) {
  const hint = words.statusHints[status]
  if (!hint && !reason) return null
  const color = status === 'PENDING' ? 'blue' : status === 'PAUSED' ? 'yellow' : status === 'APPROVED' ? 'gray' : 'red'
  const meaning = reason?.reason ? (words.reasons[reason.reason] ?? reason.reason) : null
  return (
    <Alert color={color} title={words.reasonTitle[status] ?? words.statuses[status] ?? status} role="status">
      <Stack gap={4}>
        {meaning && (
          <Text size="sm" fw={500}>
            {meaning}
          </Text>
        )}
        {reason?.words && (
          <Text size="sm">
            {words.reasonOtherwise}: {reason.words}
          </Text>
        )}
        {hint && <Text size="sm">{hint}</Text>}
        {reason?.at && (
          <Hint>
            <Time at={reason.at} />
            {reason.until && (
              <>
                {' '}
                {words.pausedUntil} <Time at={reason.until} />
              </>
            )}
          </Hint>
        )}
      </Stack>
    </Alert>
  )
}
