import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { StatusBadge, type Tone } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { Warning } from '../../components/Warning.tsx'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import type { Webhook } from './queries.ts'

const tones: Readonly<Record<Webhook['state'], Tone>> = {
  works: 'good',
  failing: 'bad',
  off: 'quiet',
  untried: 'warning',
}

/** Whether an endpoint works, in a word. One that is off against its owner's will is a fault. */
export const WebhookBadge = ({ webhook: { state, disabledReason } }: { webhook: Webhook }) => (
  <StatusBadge tone={state === 'off' && disabledReason !== 'switchedOff' ? 'bad' : tones[state]}>
    {words.states[state]}
  </StatusBadge>
)

/** Why an endpoint gets nothing, or may not, and what to do; nothing for one that works. */
export function WebhookTrouble({ webhook }: { webhook: Webhook }) {
  const { state, disabledReason, disabledAt, failingSince } = webhook
  switch (state) {
    case 'works':
      return null
    case 'untried':
      return (
        <Alert color="blue" mb="lg" icon={<IconInfoCircle />} role="status">
          {words.untriedHint}
        </Alert>
      )
    case 'failing':
      return <Trouble title={words.failingTitle} since={failingSince} hint={words.failingHint} />
    case 'off':
      return (
        <Trouble
          title={words.offTitle[disabledReason ?? 'switchedOff']}
          since={disabledAt}
          hint={disabledReason === 'secretLost' ? words.offLostHint : words.offHint}
        />
      )
  }
}

const Trouble = ({ title, since, hint }: { title: string; since: string | null; hint: string }) => (
  <Warning mb="lg" icon={<IconAlertTriangle />} title={title}>
    <Stack gap={6}>
      <Text size="sm">
        {words.since} <Time at={since} />
      </Text>
      <Text size="sm">{hint}</Text>
    </Stack>
  </Warning>
)
